import type { Transaction } from '@codemirror/state'
import { numberOf } from './own-steps.ts'
import { tidied, type Stretch, type Stretches } from './suggesting/stretches.ts'

/** What somebody else took out in one place, if words are in it that were written here. */
export interface Lost {
  from: number
  to: number
  /** In the order in which they stood. */
  pieces: readonly LostPiece[]
}

export interface LostPiece {
  text: string
  /** In that text; keyed by the step that wrote them. */
  own: Stretches
  /** Later ones were taken out later. */
  number: number
}

export interface Place {
  from: number
  to: number
}

/** So long a text is looked at. */
export const longest = 100_000
const mostPieces = 200

/**
 * Which of the pieces of what was taken out a text that comes is: those that were taken out last, perhaps without such as
 * came and went there since.
 */
export function piecesOf(came: string, pieces: readonly LostPiece[]): ReadonlySet<LostPiece> | null {
  const withOwn = new Set(pieces.flatMap(({ own, number }) => (own.length > 0 ? [number] : [])))
  return (
    lastOf(came, pieces) ??
    lastOf(
      came,
      pieces.filter(({ number }) => withOwn.has(number)),
    )
  )
}

function lastOf(came: string, pieces: readonly LostPiece[]): ReadonlySet<LostPiece> | null {
  const numbers = new Set(pieces.map(({ number }) => number))
  for (const first of [...numbers].sort((a, b) => b - a)) {
    const last = pieces.filter(({ number }) => number >= first)
    const text = last.map((one) => one.text).join('')
    if (text === came) return new Set(last)
    if (text.length >= came.length) return null
  }
  return null
}

/** What of pieces that come back was written here, and where the others belong. */
export function putIn(pieces: readonly LostPiece[], back: ReadonlySet<LostPiece>, from: number) {
  const made: { back: Stretch[]; left: Lost[] } = { back: [], left: [] }
  let [at, rest]: [number, LostPiece[]] = [from, []]
  const leave = () => {
    if (rest.some(({ own }) => own.length > 0)) made.left.push({ from: at, to: at, pieces: rest })
    rest = []
  }
  for (const piece of pieces)
    if (back.has(piece)) {
      leave()
      made.back.push(...piece.own.map((one) => shifted(one, at)))
      at += piece.text.length
    } else rest.push(piece)
  leave()
  return made
}

/** What is taken out there if words of one’s own are in it, with what was taken out there before, which is known as this then. */
export function lostPieces(
  all: Stretches,
  known: Lost[],
  transaction: Transaction,
  { from, to }: Place,
): LostPiece[] | null {
  if (from === to || to - from > longest) return null
  const pieces: LostPiece[] = []
  let at = from
  const take = (end: number) => {
    if (at >= end) return
    const own = all.flatMap((one) => within(one, at, end)).map((one) => shifted(one, -at))
    const text = transaction.startState.doc.sliceString(at, end)
    pieces.push({ text, own: tidied(own), number: numberOf(transaction) })
  }
  for (let i = 0; i < known.length; i++) {
    const one = known[i]!
    if (one.from < at || one.to > to) continue
    take(one.from)
    // What was put in its place goes as well.
    pieces.push(...one.pieces)
    at = one.from
    known.splice(i--, 1)
  }
  take(to)
  return pieces.length <= mostPieces && pieces.some(({ own }) => own.length > 0) ? pieces : null
}

const shifted = (one: Stretch, by: number): Stretch => ({ ...one, from: one.from + by, to: one.to + by })

function within(one: Stretch, start: number, end: number): Stretch[] {
  const [from, to] = [Math.max(one.from, start), Math.min(one.to, end)]
  return from < to ? [{ ...one, from, to }] : []
}
