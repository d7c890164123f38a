import type { Side } from './carried-edits.ts'
import type { Hunk } from './hunk.ts'
import { whereOneHasAll } from './same-place.ts'

/**
 * What they did, with what both put in at the same place. A text that has “ two” behind “one” is the same that has “two ”
 * before “three”: two who write the one and the other write alike, and so does a comparison that tells it otherwise.
 */
export function alignedTo([mine, byMine]: Side, [theirs, byTheirs]: Side): Side {
  let next = 0
  const aligned = byTheirs.map((hunk, i) => {
    if (hunk.fromA < hunk.toA) return hunk
    const [before, behind] = [byTheirs[i - 1]?.toA ?? -1, byTheirs[i + 1]?.fromA ?? Infinity]
    const length = hunk.toB - hunk.fromB
    while (next < byMine.length && byMine[next]!.fromA < hunk.fromA - length) next++
    for (let at = next; at < byMine.length && byMine[at]!.fromA <= hunk.fromA + length; at++) {
      const one = byMine[at]!
      const by = one.fromA - hunk.fromA
      const isFree = before < one.fromA && one.fromA < behind
      if (one.fromA < one.toA || by === 0 || !isFree || !slides(theirs, hunk, by)) continue
      const moved = { fromA: one.fromA, toA: one.fromA, fromB: hunk.fromB + by, toB: hunk.toB + by }
      if (areAlike(mine, one, theirs, moved)) return moved
    }
    return hunk
  })
  return [theirs, aligned]
}

/** Whether a text is the same where something was put in so much further. */
function slides(text: string, { fromB, toB }: Hunk, by: number): boolean {
  return by > 0
    ? text.slice(fromB, fromB + by) === text.slice(toB, toB + by)
    : text.slice(fromB + by, fromB) === text.slice(toB + by, toB)
}

function areAlike(mine: string, one: Hunk, theirs: string, other: Hunk): boolean {
  const [ours, put] = [mine.slice(one.fromB, one.toB), theirs.slice(other.fromB, other.toB)]
  return ours === put || whereOneHasAll(ours, put) !== null
}
