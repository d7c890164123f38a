import { holds } from './home.ts'
import type { Among, OfWeave } from './woven-decisions.ts'

/** How many letters up to a step are in a stretch, that nobody has written over; null if others wrote within it. */
export function countOf(
  { weave, decisions }: OfWeave,
  { first, last }: Pick<Among, 'first' | 'last'>,
  step: number,
): number | null {
  let count: number | null = null
  for (const piece of weave.pieces) {
    const [isFirst, isLast] = [holds(piece, first), holds(piece, last)]
    if (isFirst) count = 0
    if (count === null) continue
    const isOver = piece.taken.some((one) => !decisions.isDecision(one))
    if (piece.by > step && !decisions.isDecision(piece.by) && !isOver) return null
    const from = isFirst ? first.at - piece.at : 0
    const to = isLast ? last.at + 1 - piece.at : piece.length
    if (piece.by <= step && !isOver) count += to - from
    if (isLast) return count
  }
  return null
}

/** Which step stands at a place that others which are taken back had displaced. */
export function displacedIn(
  { weave, decisions }: OfWeave,
  undo: ReadonlySet<number>,
): (place: number) => number | undefined {
  const edges = new Map<number, number>()
  let place = 0
  for (const piece of weave.pieces) {
    if (!weave.stands(piece)) continue
    const displaced = decisions.at(piece.by)?.displacedBy
    if (displaced && [...displaced].some((step) => undo.has(step))) {
      edges.set(place, piece.by)
      edges.set(place + piece.length, piece.by)
    }
    place += piece.length
  }
  return (at) => edges.get(at)
}
