import { day } from '../contract/durations.ts'
import { limits } from '../contract/limits.ts'

/** A version as far as it counts here. */
export interface LeftVersion {
  byGuest: boolean
  /** Milliseconds. */
  at: number
  /** Characters that it put in. */
  added: number
}

/** What a version costs however little it put in. */
const least = 16 * 1024

/**
 * How much text guests have lately put into one document, version by version: within a day, and since somebody with an account
 * last changed it. Such a change shows that it is looked after, and guests can't make one. Counts no further than
 * matters.
 */
export function leftByGuests(newestFirst: Iterable<LeftVersion>, now: number): number {
  let left = 0
  for (const { byGuest, at, added } of newestFirst) {
    if (!byGuest || at <= now - day) break
    left += Math.max(added, least)
    if (left >= limits.guestVersions) break
  }
  return left
}
