import type { Range } from '../contract/records/anchors.ts'
import type { Letter, Piece, Weave } from './weave.ts'

/** Where something stands by letters of a weave, whatever becomes of what is around it. */
export interface Home {
  /** Its own first and last letter; null of a place between letters. */
  own: { first: Letter; last: Letter } | null
  /** The letters beside it; null at an end of the text. */
  before: Letter | null
  behind: Letter | null
}

export const homeOf = (weave: Weave, { start, end }: Range): Home => {
  const [first, last] = start < end ? [weave.letterAt(start), weave.letterAt(end - 1)] : [null, null]
  return {
    own: first && last ? { first, last } : null,
    before: start > 0 ? weave.letterAt(start - 1) : null,
    behind: weave.letterAt(end),
  }
}

export const holds = (piece: Piece, letter: Letter | null): boolean =>
  letter !== null && piece.by === letter.by && letter.at >= piece.at && letter.at < piece.at + piece.length

/** What stands of its own letters and between them; null where nothing does, or they aren’t known. */
export function rangeOf(weave: Weave, { own }: Home): Range | null {
  if (!own) return null
  const [first, last] = [weave.placeOf(own.first), weave.placeOf(own.last)]
  if (!first || !last) return null
  const end = last.place + Number(last.isThere)
  return first.place < end ? { start: first.place, end } : null
}

/** Whether a step stands before something that is put in at the same place, behind a letter. */
export type ComesBefore = (by: number, behind: Letter | null) => boolean

/**
 * How many of the pieces between its two neighbours stand before something that is put in there: what took the place of
 * its neighbour, and what is known to come before it.
 */
export function countBefore(
  between: readonly Piece[],
  { letter, piece: neighbour }: { letter: Letter | null; piece: Piece | undefined },
  comesBefore: ComesBefore,
): number {
  let count = 0
  let last = neighbour
  for (const [i, piece] of between.entries()) {
    if (!last?.taken.includes(piece.by) && !comesBefore(piece.by, letter)) continue
    count = i + 1
    last = piece
  }
  return count
}

/** Where something stands that is put in; null where its neighbours aren’t known. */
export function placeOfHome(weave: Weave, { before, behind }: Home, comesBefore: ComesBefore): number | null {
  const between: (Piece & { place: number })[] = []
  let neighbour: Piece | undefined
  let place = 0
  let start: number | null = before === null ? 0 : null
  for (const piece of weave.pieces) {
    const stands = weave.stands(piece)
    const isLast = holds(piece, behind)
    if (holds(piece, before)) {
      neighbour = piece
      start = place + (stands ? before!.at + 1 - piece.at : 0)
      if (isLast) return start
    } else if (isLast) {
      if (start === null) return place + (stands ? behind!.at - piece.at : 0)
      break
    } else if (start !== null) between.push({ ...piece, place })
    if (stands) place += piece.length
  }
  if (start === null) return null
  const last = between[countBefore(between, { letter: before, piece: neighbour }, comesBefore) - 1]
  return last ? last.place + (weave.stands(last) ? last.length : 0) : start
}
