import type { Range } from '../contract/records/anchors.ts'
import type { ChangeMap } from './change-map.ts'
import type { Decisions } from './decisions.ts'
import { FollowedPlace } from './followed-place.ts'
import type { Hunk } from './hunk.ts'

/** A change of the log. */
interface Step {
  revision: number
  map: ChangeMap
  /** Of the text after it. */
  newLength: number
}

/**
 * Where words were taken out, with what was taken out directly before them until then, or with them: they come behind
 * that again, whichever comes back first.
 * @param was where they stood before
 */
export function afterRemoval(
  place: Range,
  was: Range,
  revision: number,
  steps: readonly Step[],
  decisions: Decisions,
): FollowedPlace {
  const before = steps.filter((step) => step.revision < revision)
  const followed = withItsPast({ start: was.start, end: was.start }, before, decisions)
  if (!followed) return new FollowedPlace(place)
  const own = steps.find((step) => step.revision === revision)
  const hunk = own?.map.hunks.find(({ fromA, toA }) => fromA < was.start && toA >= was.end)
  if (hunk && hunk.fromB === hunk.toB) followed.standsBehind(was.start - hunk.fromA, revision)
  followed.jump(place)
  return followed
}

/**
 * A place of the text that some steps have come to, which knows where it was before as far back as that can be told; null
 * where it isn’t sure.
 */
export function withItsPast(
  place: Range,
  steps: readonly Step[],
  decisions: Decisions,
): FollowedPlace | null {
  const { at, since } = whereStoodFirst(place.start, steps, decisions)
  const followed = new FollowedPlace({ start: at, end: at + place.end - place.start })
  for (const { revision, map } of steps.slice(since)) followed.follow(map, { revision, decisions })
  return followed.place?.start === place.start ? followed : null
}

/**
 * The place of words as far back as it can be told, also through decisions that had taken them out and were taken back.
 * @returns `since`: how many of the steps come before that
 */
function whereStoodFirst(start: number, steps: readonly Step[], decisions: Decisions) {
  let at = start
  let since = steps.length
  while (since > 0) {
    const { revision, map, newLength } = steps[since - 1]!
    const came = map.hunks.find(({ fromB, toB }) => fromB <= at && at < toB)
    if (came) {
      const out = takenOutBefore(came, steps.slice(0, since - 1), revision, decisions)
      if (!out) break
      at = out.hunk.fromA + at - came.fromB - (decisions.apart.get(revision)?.before ?? 0)
      since = out.step
    } else {
      at = map.inverse(newLength).place(at, 1)
      since--
    }
  }
  return { at, since }
}

/** Which step had done the reverse of what a change did that takes decisions back; null if that isn’t known. */
function takenOutBefore(
  { fromA, toA, fromB, toB }: Hunk,
  steps: readonly Step[],
  by: number,
  decisions: Decisions,
) {
  const made = decisions.undoneBy(by)
  const length = toB - fromB - decisions.putMore(by)
  const found = steps.flatMap(({ revision, map }, step) =>
    made.includes(revision)
      ? map.hunks
          .filter((hunk) => hunk.toA - hunk.fromA === length && hunk.toB - hunk.fromB === toA - fromA)
          .map((hunk) => ({ step, hunk }))
      : [],
  )
  return found.length === 1 ? found[0]! : null
}
