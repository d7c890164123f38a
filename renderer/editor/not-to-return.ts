import type { ChangeDesc, ChangeSpec, Transaction } from '@codemirror/state'
import type { Range } from '../../server/contract/records/anchors.ts'
import { followTaken, foundIn, type TakenWords } from '../../server/domain/taken-words.ts'

/** Words that were taken out here and are somebody else’s to bring back. */
export interface NotToReturn extends TakenWords {
  /** How much was taken out in their place since, which undo and redo bring back before they come to these. */
  since: { undo: number; redo: number }
}

export const notToReturn = (words: TakenWords): NotToReturn => ({ ...words, since: { undo: 0, redo: 0 } })

/** All of some words, in the place where they were. */
export const allOf = (words: string, { from, to }: { from: number; to: number }): NotToReturn =>
  notToReturn({ words, taken: [{ start: 0, end: words.length }], at: { start: from, end: to } })

/** Words of others may stand between where words were taken out and where the history brings them back. */
const near = 32

const touches = ({ at }: TakenWords, from: number, to: number) =>
  at.start <= to + near && from <= at.end + near

/** The same after something that was done here. */
export function afterDoing(one: NotToReturn, transaction: Transaction): NotToReturn {
  const { changes } = transaction
  const [isUndo, isRedo] = [transaction.isUserEvent('undo'), transaction.isUserEvent('redo')]
  let [removed, put] = [0, 0]
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    if (!touches(one, fromA, toA)) return
    removed += toA - fromA
    put += toB - fromB
  })
  const { undo, redo } = one.since
  const since = isUndo
    ? { undo: Math.max(0, undo - put), redo: redo + removed }
    : { undo: undo + removed, redo: isRedo ? Math.max(0, redo - put) : 0 }
  return { ...followTaken(one, changes), since }
}

/** What takes out again what a step of the history brought back that isn’t to return, and what of that is left. */
export function takenOutAgain(
  transaction: Transaction,
  all: readonly NotToReturn[],
): { changes: ChangeSpec[]; left: NotToReturn[] } {
  const { changes, newDoc } = transaction
  const out: ChangeSpec[] = []
  let left = [...all]
  if (all.length === 0) return { changes: out, left }
  const way = transaction.isUserEvent('redo') ? 'redo' : 'undo'
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

/** Whether others’ words came in the place of all that stood there. */
export function isWrittenOver({ from, to }: { from: number; to: number }, changes: ChangeDesc): boolean {
  if (from === to) return false
  let isSo = false
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    if (fromA <= from && toA >= to && fromB < toB) isSo = true
  })
  return isSo
}
