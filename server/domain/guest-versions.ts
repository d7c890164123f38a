import { limits } from '../contract/limits.ts'

/** A version as far as it counts here. */
export interface LeftVersion {
  byGuest: boolean
  /** Milliseconds. */
  at: number
  /** Characters of its text. */
  size: number
}

const day = 24 * 60 * 60 * 1000
/** What a version costs however short its text is. */
const least = 16 * 1024

/**
 * How much text guests have lately left in versions of one document: within a day, and since somebody with an account
 * last changed it. Such a change shows that it is looked after, and guests can't make one. Counts no further than
 * matters.
 */
export function leftByGuests(newestFirst: Iterable<LeftVersion>, now: number): number {
  let left = 0
  for (const { byGuest, at, size } of newestFirst) {
    if (!byGuest || at <= now - day) break
    left += Math.max(size, least)
    if (left >= limits.guestVersions) break
  }
  return left
}
