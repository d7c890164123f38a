import { clockTime, dayName } from '../ui/time.ts'

/** How many places have changed. */
export function countWords(count: number, more: boolean): string {
  if (more) return `More than ${count} changes`
  return count === 1 ? '1 change' : `${count} changes`
}

/** Of what is longer its beginning tells what it is. */
const quoted = (words: string) => `“${words.trim().slice(0, 300)}”`

/** What became of one place, for those who hear it. */
export function changeWords(removed: string, added: string): string {
  if (!removed.trim()) return `Added ${quoted(added)}`
  return added.trim() ? `${quoted(added)} instead of ${quoted(removed)}` : `Removed ${quoted(removed)}`
}

/** The same of a link that leads elsewhere. */
export const addressWords = (removed: string, words: string): string =>
  `The link ${quoted(words)} leads elsewhere than to ${quoted(removed)}`

/** “today at 14:05”, “on Monday 3 November”. */
export function dayWords(at: string, now: number): string {
  const day = dayName(new Date(at), now)
  return day === 'Today' || day === 'Yesterday' ? `${day.toLowerCase()} at ${clockTime(at)}` : `on ${day}`
}
