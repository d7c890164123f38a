import type { Range } from '../contract/records/anchors.ts'
import { isInsertion } from './anchors/insertion-place.ts'
import type { PlaceBefore } from './anchors/place-before.ts'
import type { AnchoredRecord, Edit } from './document-change.ts'
import { placeAmong } from './order-at-place.ts'

/** What was accepted: the words of a text that it was for, or its place, and where it stands in the new one. */
export interface Put {
  id: string
  range: Range
  place: Range
  takenOut?: readonly PlaceBefore[] | undefined
}

/**
 * Where things that are to be put in stand once others were accepted at the same place: behind the words of those that
 * stand before them, before those of the others. So the text is the same whichever is accepted first. A change alone says
 * nothing of that order.
 * @param moved what the change says
 * @param order in which all that put something in were made
 */
export function keepInsertionsInOrder(
  moved: Edit['moved'],
  anchors: readonly AnchoredRecord[],
  put: readonly Put[],
  order: readonly string[],
): Edit['moved'] {
  const turns = new Map(order.map((id, turn) => [id, turn]))
  const known = put.filter(({ id, range }) => turns.has(id) || range.start < range.end)
  const beginAt = Map.groupBy(known, ({ range }) => range.start)
  const endAt = Map.groupBy(
    known.filter(({ range }) => range.start < range.end),
    ({ range }) => range.end,
  )
  const turnOf = ({ id, range, takenOut }: Omit<Put, 'place'>) => ({
    ...range,
    takenOut,
    turn: turns.get(id) ?? 0,
  })
  const inOrder = anchors.flatMap(({ id, kind, anchor, range, takenOut }): Edit['moved'] => {
    if (!anchor || !range || !isInsertion(anchor) || !turns.has(id)) return []
    const beside = [...(endAt.get(range.start) ?? []), ...(beginAt.get(range.start) ?? [])]
    const at = placeAmong(
      turnOf({ id, range, takenOut }),
      beside.map((one) => ({ ...turnOf(one), place: one.place })),
    )
    return at === null ? [] : [{ id, kind, range: { start: at, end: at } }]
  })
  const isInOrder = new Set(inOrder.map(({ id }) => id))
  const ranges = new Map(anchors.map(({ id, range }) => [id, range]))
  return [
    ...moved.filter(({ id }) => !isInOrder.has(id)),
    ...inOrder.filter(({ id, range }) => ranges.get(id)?.start !== range?.start),
  ]
}
