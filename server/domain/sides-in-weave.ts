import { countBefore, holds, type Home } from './home.ts'
import type { PiecedText } from './pieced-text.ts'
import { slid } from './slid-splices.ts'
import { besideItsLine, type ChooseSide, type Piece, type Splice } from './weave.ts'
import { isSame, isWithin, type Decision, type OfWeave } from './woven-decisions.ts'

interface Woven extends OfWeave {
  text: PiecedText
}

/** Splices where they are better told, by what decisions put in and took out there. */
export function slidInWeave({ weave, text, decisions }: Woven, splices: readonly Splice[]): Splice[] {
  const cuts = (place: number) => {
    const [before, behind] = [place > 0 ? weave.letterAt(place - 1) : null, weave.letterAt(place)]
    const put = before && before.by === behind?.by ? decisions.at(before.by)?.put : undefined
    return put !== undefined && before!.at + 1 === behind!.at && isWithin(put, behind!.at)
  }
  const isOver = (from: number, to: number) => isOverTaken({ weave, decisions }, from, to)
  const isDecided = (from: number, to: number) => {
    for (let at = from; at < to; at++) if (decisions.isDecision(weave.letterAt(at)!.by)) return true
    return false
  }
  return slid(splices, text.length, (from, to) => text.slice(from, to), { cuts, isOver, isDecided })
}

/** What is written beside accepted words stands beside all that they have replaced. */
export function besideReplaced({ weave, decisions }: OfWeave, place: number): ChooseSide {
  return (gone, insert) => {
    const before = place > 0 ? weave.letterAt(place - 1) : null
    const next = weave.letterAt(place)
    const endsHere = (step: number) => isSame(decisions.at(step)?.among?.last, before)
    const startsHere = (step: number) => step === next?.by || isSame(decisions.at(step)?.among?.first, next)
    const from = gone.findLastIndex(({ taken }) => taken.some(endsHere)) + 1
    const to = gone.findIndex(({ taken }, i) => i >= from && taken.some(startsHere))
    return from + besideItsLine(gone.slice(from, to < 0 ? gone.length : to), insert)
  }
}

/** Whether something stood between two places that a decision took out which may be taken back. */
function isOverTaken({ weave, decisions }: OfWeave, from: number, to: number): boolean {
  let place = 0
  for (const piece of weave.pieces) {
    if (place >= to) return false
    if (weave.stands(piece)) place += piece.length
    else if (place > from && !weave.undone.has(piece.by) && piece.taken.some(decisions.isDecision))
      return true
  }
  return false
}

/** Beside what was taken out around it, and where it belongs among all else. */
export function sideOf({ weave, decisions }: OfWeave, home: Home, decision: Decision): ChooseSide {
  return (gone, insert) => {
    const isBefore = gone.findIndex((piece) => holds(piece, home.before))
    const isBehind = gone.findIndex((piece) => holds(piece, home.behind))
    if (isBefore < 0 && isBehind < 0) return besideItsLine(gone, insert)
    const start = isBefore + 1
    const between = gone.slice(start, isBehind < 0 ? gone.length : Math.max(start, isBehind))
    const at =
      isBefore === isBehind
        ? isBefore + 1
        : start +
          countBefore(
            between,
            { letter: home.before, piece: gone[isBefore] },
            decisions.before(decision.of[0]!.id),
          )
    const takers = takersAround(
      { weave, decisions },
      gone,
      isBefore === isBehind ? [isBefore, isBefore] : [at - 1, at],
    )
    if (takers.length === 0) return at
    for (const taker of takers) decision.displacedBy.add(taker)
    const isTheirs = (piece: Piece) => takers.some((taker) => piece.taken.includes(taker))
    const first = gone.findIndex(isTheirs)
    const last = gone.findLastIndex(isTheirs)
    return first + besideItsLine(gone.slice(first, last + 1), insert)
  }
}

/** The decisions that stand and have taken out what is on both sides. */
function takersAround(
  { weave, decisions }: OfWeave,
  gone: readonly Piece[],
  [before, behind]: readonly [number, number],
): number[] {
  const [left, right] = [gone[before]?.taken ?? [], gone[behind]?.taken ?? []]
  return left.filter((step) => decisions.isDecision(step) && right.includes(step) && !weave.undone.has(step))
}
