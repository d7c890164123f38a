import type { Range } from '../contract/records/anchors.ts'
import type { ChangeMap } from './change-map.ts'
import type { Decisions } from './decisions.ts'
import { FollowedPlace } from './followed-place.ts'

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
  let { start } = was
  let since = before.length
  for (const { map, newLength } of before.toReversed()) {
    // These words came with that change.
    if (map.hunks.some(({ fromB, toB }) => fromB <= start && start < toB)) break
    start = map.inverse(newLength).place(start, 1)
    since--
  }
  const followed = new FollowedPlace({ start, end: start })
  for (const step of before.slice(since)) followed.follow(step.map, { revision: step.revision, decisions })
  if (followed.place?.start !== was.start) return new FollowedPlace(place)
  const own = steps.find((step) => step.revision === revision)
  const hunk = own?.map.hunks.find(({ fromA, toA }) => fromA < was.start && toA >= was.end)
  if (hunk && hunk.fromB === hunk.toB) followed.standsBehind(was.start - hunk.fromA, revision)
  followed.jump(place)
  return followed
}
