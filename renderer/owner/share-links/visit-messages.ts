import type { LinkVisit } from '../../../server/contract/records/link-visits.ts'
import { limits } from '../../../server/contract/limits.ts'

/** How often people opened a link, in words that lead to when last; null if nobody has, as far as is kept. Previews are nobody. */
export function openedWords(visits: readonly LinkVisit[]): string | null {
  const people = visits.filter(({ preview }) => !preview).length
  if (people === 0) return null
  // Some go once there are too many; then nobody knows how many there were.
  if (visits.length >= limits.linkVisits) return `Opened ${people} times or more, last `
  return people === 1 ? 'Opened once, ' : `Opened ${people} times, last `
}

/** Who opened a link, as far as can be told. */
export function whoOpened({ preview, device, name }: LinkVisit): { name: string | null; device: string } {
  if (preview)
    return { name: null, device: device === null ? 'A link preview' : `A link preview by ${device}` }
  return { name, device: device ?? 'An unknown device' }
}

/** What is said of a link that nobody is known to have opened. */
export const notOpened = (createdAt: string, now: number): string =>
  now - Date.parse(createdAt) > limits.linkVisitDays * 24 * 60 * 60 * 1000
    ? `Not opened in the last ${limits.linkVisitDays} days`
    : 'Not opened yet'
