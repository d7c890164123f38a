import type { ChangeDesc, ChangeSpec, Transaction } from '@codemirror/state'
import type { Range } from '../../server/contract/records/anchors.ts'
import { mayBringBack } from '../../server/domain/doing.ts'
import { foundIn, type TakenWords } from '../../server/domain/taken-words.ts'
import { takenBackBy } from './own-steps.ts'

/** All of some words, in the place where they were. */
export const allOf = (
  words: string,
  { from, to, numbers }: { from: number; to: number; numbers: readonly number[] },
): TakenWords => ({
  ...{ words, numbers, at: { start: from, end: to } },
  taken: [{ start: 0, end: words.length }],
})

/** What takes out again what a step of the history brought back that isn’t to return, and what of that is left. */
export function takenOutAgain(
  transaction: Transaction,
  all: readonly TakenWords[],
): { changes: ChangeSpec[]; left: TakenWords[] } {
  const { changes, newDoc } = transaction
  const out: ChangeSpec[] = []
  let left = [...all]
  if (all.length === 0) return { changes: out, left }
  const takesBack = takenBackBy(transaction)
  changes.iterChangedRanges((fromA, toA, from, to) => {
    if (from === to) return
    const text = newDoc.sliceString(from, to)
    const gone: Range[] = []
    left = left.flatMap((one) => {
      const isIts = mayBringBack(takesBack, { from: fromA, to: toA }, one)
      const found = isIts ? foundIn(text, one, gone) : null
      if (!found) return [one]
      gone.push(...found.ranges)
      return found.left ? [found.left] : []
    })
    out.push(...gone.map(({ start, end }) => ({ from: from + start, to: from + end })))
  })
  return { changes: out, left }
}

/** What of words that are to come back with a step of the history to a place isn’t others’ to bring back. */
export function withoutTaken(
  { text, at }: { text: string; at: number },
  step: Pick<Transaction, 'effects'>,
  all: readonly TakenWords[],
): string {
  const takesBack = takenBackBy(step)
  const gone: Range[] = []
  for (const one of all)
    if (mayBringBack(takesBack, { from: at, to: at }, one))
      gone.push(...(foundIn(text, one, gone)?.ranges ?? []))
  return gone
    .sort((a, b) => b.start - a.start)
    .reduce((left, { start, end }) => left.slice(0, start) + left.slice(end), text)
}

/** Whether others’ words came in the place of all that stood there. */
export function isWrittenOver({ from, to }: { from: number; to: number }, changes: ChangeDesc): boolean {
  if (from === to) return false
  let isSo = false
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    if (fromA <= from && toA >= to && fromB < toB) isSo = true
  })
  return isSo
}
