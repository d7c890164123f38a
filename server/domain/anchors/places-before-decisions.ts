import type { Range } from '../../contract/records/anchors.ts'
import type { ChangeMap } from '../change-map.ts'
import type { AnchoredRecord, Edit } from '../document-change.ts'
import { isInsertion } from './insertion-place.ts'
import { endsOf } from './lines-after-decisions.ts'
import { mostRemembered } from './place-before.ts'

/**
 * Notes of all that a decision touches where it stood before that.
 * @param moved what the decision does to them
 */
export function noteTakenOut(
  moved: Edit['moved'],
  anchors: readonly AnchoredRecord[],
  map: ChangeMap,
  revision: number,
): Edit['moved'] {
  const movedOf = new Map(moved.map((one) => [one.id, one]))
  const noted = anchors.flatMap((one): Edit['moved'] => {
    const { id, kind, anchor, range, suggested_text, takenOut = [] } = one
    const now = movedOf.get(id)
    const isReworded = now?.suggested_text !== undefined
    if (!anchor || !range) return []
    const isPlace = isInsertion(anchor)
    if (!isReworded && !isTouched(map, range, isPlace) && !(isPlace && isAmongPut(map, now?.range))) return []
    const said = isReworded ? { lineEnds: endsOf(suggested_text ?? '') } : {}
    const note = { revision, ...range, ...said }
    // The first says where it stood when nothing of it was gone.
    const known = [...takenOut.slice(0, 1), ...takenOut.slice(1).slice(2 - mostRemembered)]
    return [{ id, kind, range, ...now, takenOut: [...known, note] }]
  })
  const known = new Set(noted.map(({ id }) => id))
  return [...moved.filter(({ id }) => !known.has(id)), ...noted]
}

/** Words in which something is taken out or put in, and a place where the text beside it is taken out. */
const isTouched = ({ hunks }: ChangeMap, { start, end }: Range, isPlace: boolean): boolean =>
  hunks.some(({ fromA, toA }) =>
    isPlace ? fromA < toA && fromA <= start && toA >= start : fromA < end && toA > start,
  )

/** Whether it is between words that a change has put in together, which would take it along. */
const isAmongPut = ({ hunks }: ChangeMap, place: Range | null | undefined): boolean =>
  hunks.some(({ fromB, toB }) => place != null && fromB < place.start && place.start < toB)
