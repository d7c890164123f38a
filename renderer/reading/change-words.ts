import type { ShownWordChange } from '../../server/contract/records/changes.ts'
import { clockTime, dayName } from '../ui/time.ts'

/** How many places have changed. */
export function countWords(count: number, more: boolean): string {
  if (more) return `More than ${count} changes`
  return count === 1 ? '1 change' : `${count} changes`
}

/** What became of one place, for those who hear it. */
export function changeWords({ removed }: Pick<ShownWordChange, 'removed'>, hasAdded: boolean): string {
  const words = removed.trim()
  if (words === '') return 'Added'
  return hasAdded ? `Instead of “${words}”` : `Removed “${words}”`
}

/** “today at 14:05”, “on Monday 3 November”. */
export function dayWords(at: string, now: number): string {
  const day = dayName(new Date(at), now)
  return day === 'Today' || day === 'Yesterday' ? `${day.toLowerCase()} at ${clockTime(at)}` : `on ${day}`
}
