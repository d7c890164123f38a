import type { Range } from '../contract/records/anchors.ts'
import { isInsertion } from './anchors/insertion-place.ts'
import type { AnchoredRecord, Edit } from './document-change.ts'

/** What was put in at a place of a text, and where it stands in the new one. */
export interface Put {
  id: string
  at: number
  place: Range
}

/**
 * Where things that are to be put in stand once others were put in at the same place: behind the words of those that come
 * before them in the order in which all are shown, before those of the others. So the text is the same whichever is
 * accepted first. A change alone says nothing of that order.
 * @param moved what the change says
 * @param order of all that put something in
 */
export function keepInsertionsInOrder(
  moved: Edit['moved'],
  anchors: readonly AnchoredRecord[],
  put: readonly Put[],
  order: readonly string[],
): Edit['moved'] {
  const turns = new Map(order.map((id, turn) => [id, turn]))
  const putAt = Map.groupBy(
    put.filter(({ id }) => turns.has(id)),
    ({ at }) => at,
  )
  const inOrder = anchors.flatMap(({ id, kind, anchor, range }): Edit['moved'] => {
    const turn = turns.get(id)
    const beside = range && putAt.get(range.start)
    if (!anchor || !isInsertion(anchor) || turn === undefined || !beside) return []
    const before = beside.filter((one) => turns.get(one.id)! < turn)
    const at =
      before.length > 0
        ? Math.max(...before.map(({ place }) => place.end))
        : Math.min(...beside.map(({ place }) => place.start))
    return [{ id, kind, range: { start: at, end: at } }]
  })
  const known = new Set(inOrder.map(({ id }) => id))
  const ranges = new Map(anchors.map(({ id, range }) => [id, range]))
  return [
    ...moved.filter(({ id }) => !known.has(id)),
    ...inOrder.filter(({ id, range }) => ranges.get(id)?.start !== range?.start),
  ]
}
