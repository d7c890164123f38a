import type { TextChange } from './change-map.ts'
import { commonEnds } from './common-ends.ts'
import { joinTouching } from './hunk.ts'
import type { Readable } from './pieced-text.ts'

/** How many UTF-16 code units a change takes away and how many it puts in. */
export interface ChangeSize {
  removed: number
  inserted: number
}

/**
 * Hunks are of whole words, and a letter typed into one is not the word taken away and put in: what both sides of a hunk
 * begin and end with is not counted. A character of two code units is counted whole.
 */
export function sizeOfChange({ before, after, map }: TextChange<Readable>): ChangeSize {
  const size = { removed: 0, inserted: 0 }
  for (const { fromA, toA, fromB, toB } of joinTouching(map.hunks)) {
    const a = before.slice(fromA, toA)
    const b = after.slice(fromB, toB)
    const { head, tail } = commonEnds(a, b)
    size.removed += a.length - head - tail
    size.inserted += b.length - head - tail
  }
  return size
}
