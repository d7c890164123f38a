import type { ChangeDesc, ChangeSpec, Transaction } from '@codemirror/state'
import type { Range } from '../../server/contract/records/anchors.ts'
import { afterDoing, touches, type Since } from '../../server/domain/doing.ts'
import { foundIn, type TakenWords } from '../../server/domain/taken-words.ts'
import { doingOf } from './own-steps.ts'

/** Words that were taken out here and are somebody else’s to bring back. */
export interface NotToReturn extends TakenWords {
  since: Since
}

export const notToReturn = (words: TakenWords): NotToReturn => ({
  ...words,
  since: words.since ?? { undo: 0, redo: 0 },
})

/** All of some words, in the place where they were. */
export const allOf = (words: string, { from, to }: { from: number; to: number }): NotToReturn =>
  notToReturn({ words, taken: [{ start: 0, end: words.length }], at: { start: from, end: to } })

/** The same after something that was done here. */
export const afterStep = (one: NotToReturn, transaction: Transaction): NotToReturn =>
  afterDoing(one, transaction.changes, doingOf(transaction))

/** What takes out again what a step of the history brought back that isn’t to return, and what of that is left. */
export function takenOutAgain(
  transaction: Transaction,
  all: readonly NotToReturn[],
): { changes: ChangeSpec[]; left: NotToReturn[] } {
  const { changes, newDoc } = transaction
  const out: ChangeSpec[] = []
  let left = [...all]
  if (all.length === 0) return { changes: out, left }
  const way = wayOf(transaction)
  changes.iterChangedRanges((fromA, toA, from, to) => {
    if (from === to) return
    const text = newDoc.sliceString(from, to)
    const gone: Range[] = []
    left = left.flatMap((one) => {
      const found = touches(one, fromA, toA) && one.since[way] === 0 ? foundIn(text, one, gone) : null
      if (!found) return [one]
      gone.push(...found.ranges)
      return found.left ? [{ ...one, ...found.left }] : []
    })
    out.push(...gone.map(({ start, end }) => ({ from: from + start, to: from + end })))
  })
  return { changes: out, left }
}

/** What of words that are to come back with a step of the history to a place isn’t others’ to bring back. */
export function withoutTaken(
  { text, at }: { text: string; at: number },
  step: Transaction,
  all: readonly NotToReturn[],
): string {
  const way = wayOf(step)
  const gone: Range[] = []
  for (const one of all)
    if (touches(one, at, at) && one.since[way] === 0) gone.push(...(foundIn(text, one, gone)?.ranges ?? []))
  return gone
    .sort((a, b) => b.start - a.start)
    .reduce((left, { start, end }) => left.slice(0, start) + left.slice(end), text)
}

const wayOf = (step: Transaction) => (step.isUserEvent('redo') ? 'redo' : 'undo')

/** Whether others’ words came in the place of all that stood there. */
export function isWrittenOver({ from, to }: { from: number; to: number }, changes: ChangeDesc): boolean {
  if (from === to) return false
  let isSo = false
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    if (fromA <= from && toA >= to && fromB < toB) isSo = true
  })
  return isSo
}
