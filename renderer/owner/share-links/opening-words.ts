import type { LinkOpening } from '../../../server/contract/records.ts'
import { limits } from '../../../server/contract/limits.ts'

/** How often people opened a link, in words that lead to when last; null if nobody has, as far as is kept. Previews are nobody. */
export function openedWords(openings: readonly LinkOpening[]): string | null {
  const people = openings.filter(({ preview }) => !preview).length
  if (people === 0) return null
  // Some go once there are too many; then nobody knows how many there were.
  if (openings.length >= limits.linkOpenings) return `Opened ${people} times or more, last `
  return people === 1 ? 'Opened once, ' : `Opened ${people} times, last `
}

/** Who opened a link, as far as can be told. */
export function whoOpened({ preview, device, name }: LinkOpening): { name: string | null; device: string } {
  if (preview)
    return { name: null, device: device === null ? 'A link preview' : `A link preview by ${device}` }
  return { name, device: device ?? 'An unknown device' }
}

/** What is said of a link that nobody is known to have opened. */
export const notOpened = (createdAt: string, now: number): string =>
  now - Date.parse(createdAt) > limits.linkOpeningDays * 24 * 60 * 60 * 1000
    ? `Not opened in the last ${limits.linkOpeningDays} days`
    : 'Not opened yet'
