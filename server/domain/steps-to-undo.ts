import type { DecidedWeave } from './decided-weave.ts'
import { isOneWord } from './grown-words.ts'
import { countOf } from './letters-of-decisions.ts'
import type { Reopenable } from './reopenable.ts'
import type { Piece } from './weave.ts'
import { isWithin } from './woven-decisions.ts'

/**
 * Which decisions can be taken back, by the suggestion’s index: those whose words stand as they were put in once all of
 * them are taken back, and nobody has written over what they took out.
 */
export function stepsToUndo(woven: DecidedWeave, suggestions: readonly Reopenable[]): Map<number, number> {
  const isNamed = new Set(suggestions.map(({ id }) => id))
  const steps = new Map<number, number>()
  for (const [index, { id, status, revision }] of suggestions.entries()) {
    if (status !== 'accepted' || revision === null) continue
    const step = woven.decisions.stepOf({ id, revision })
    const decision = step === undefined ? undefined : woven.decisions.at(step)
    // What several did together isn’t told apart.
    if (decision?.of.every((one) => isNamed.has(one.id))) steps.set(index, decision.step)
  }
  for (;;) {
    const undo = new Set(steps.values())
    const broken = brokenSteps(woven, undo)
    if (broken.size === 0) return steps
    for (const [index, step] of steps) if (broken.has(step)) steps.delete(index)
  }
}

function brokenSteps(woven: DecidedWeave, undo: ReadonlySet<number>): Set<number> {
  const { weave, decisions } = woven
  const broken = new Set<number>()
  const isUndone = (step: number) => undo.has(step) || weave.undone.has(step)
  const stands = ({ by, taken }: Piece) => !isUndone(by) && taken.every(isUndone)
  /** How many letters of each are there, and whose stood last. */
  const reached = new Map<number, number>()
  let last: number | null = null
  for (const piece of weave.pieces) {
    if (undo.has(piece.by)) {
      const { by, at, length, taken } = piece
      const count = reached.get(by) ?? 0
      const { put } = decisions.at(by)!
      const isThere = taken.every((step) => isUndone(step) || step === by)
      // What came later keeps it apart from others’ lines.
      if (at >= lengthOf(put)) continue
      if (!isThere || at !== count || (last !== by && isWithin(put, at))) broken.add(by)
      reached.set(by, at + length)
      last = by
    } else if (stands(piece)) last = null
    // Others wrote over what stood around it.
    if (piece.taken.some((step) => !isUndone(step) && !decisions.isDecision(step)))
      for (const step of piece.taken) if (undo.has(step)) broken.add(step)
  }
  for (const step of undo) {
    const { among } = decisions.at(step)!
    if (among && countOf(woven, among, step) !== among.count) broken.add(step)
    if ((reached.get(step) ?? 0) < lengthOf(decisions.at(step)!.put) || isPartOfWord(woven, step))
      broken.add(step)
  }
  return broken
}

const lengthOf = (put: readonly number[]) => put.reduce((sum, length) => sum + length, 0)

/** Whether words that others took out and put back are a part of larger ones now. */
function isPartOfWord({ weave, putBack, read, decisions, text }: DecidedWeave, step: number): boolean {
  if (!putBack.has(step)) return false
  let start = 0
  for (const piece of weave.pieces) {
    if (!weave.stands(piece)) continue
    const end = start + piece.length
    if (piece.by === step) {
      const isLater = (place: number) => {
        const by = place < 0 ? undefined : weave.letterAt(place)?.by
        return by !== undefined && by > step && !decisions.isDecision(by)
      }
      const words = read(start, end)
      if (isLater(start - 1) && isOneWord(read(Math.max(0, start - NEAR), start), words)) return true
      if (isLater(end) && isOneWord(words, read(end, Math.min(text.length, end + NEAR)))) return true
    }
    start = end
  }
  return false
}

/** So much beside words tells whether they go on. */
const NEAR = 32
