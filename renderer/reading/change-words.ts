import { clockTime, dayName } from '../ui/time.ts'

/** How many places have changed. */
export function countWords(count: number, more: boolean): string {
  if (more) return `More than ${count} changes`
  return count === 1 ? '1 change' : `${count} changes`
}

const longestSaid = 300
function quoted(words: string): string {
  const said = words.trim()
  return `“${said.length > longestSaid ? `${said.slice(0, longestSaid).toWellFormed()}…` : said}”`
}

/** What became of one place, for those who hear it. */
export function changeWords(removed: string, added: string): string {
  if (removed.trim() === '') return `Added ${quoted(added)}`
  return added.trim() === '' ? `Removed ${quoted(removed)}` : `${quoted(added)} instead of ${quoted(removed)}`
}

/** “today at 14:05”, “on Monday 3 November”. */
export function dayWords(at: string, now: number): string {
  const day = dayName(new Date(at), now)
  return day === 'Today' || day === 'Yesterday' ? `${day.toLowerCase()} at ${clockTime(at)}` : `on ${day}`
}
