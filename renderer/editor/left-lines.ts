import { StateEffect, type Text, type Transaction } from '@codemirror/state'
import type { Range } from '../../server/contract/records/anchors.ts'
import { isByHistory, isTyped, numberOf, takenBackBy } from './own-steps.ts'
import type { MadeByStep } from './returned-own.ts'
import { isOneRange, type Mend } from './undo-gaps.ts'

/**
 * How a line begins that a merge has made of one’s own words, where the line they were written in was taken out: with a
 * line end before it, and the mark of that line. It goes once undo leaves no word in the line, and comes back with redo.
 */
export interface LeftLine {
  key: symbol
  from: number
  /** The same as `from` while the words are away. */
  to: number
  text: string
  /** By which step it went. */
  number: number
}

const most = 200
export const newLeftLine = StateEffect.define<Range>()
const putLeftLine = StateEffect.define<LeftLine>()

export function leftLinesAfter(known: readonly LeftLine[], transaction: Transaction): readonly LeftLine[] {
  const { docChanged, effects, newDoc } = transaction
  let lines = known
  if (docChanged && lines.length > 0) lines = lines.flatMap((one) => followed(one, transaction))
  for (const effect of effects) {
    const line = effect.is(putLeftLine)
      ? effect.value
      : effect.is(newLeftLine)
        ? lineAt(effect.value, newDoc)
        : null
    if (line) lines = [...lines.filter(({ key }) => key !== line.key), line].slice(-most)
  }
  return lines
}

const lineAt = ({ start, end }: Range, doc: Text): LeftLine => ({
  ...{ key: Symbol(), from: start, to: end },
  ...{ text: doc.sliceString(start, end), number: 0 },
})

/** Nothing where a part of it was changed. What went with the words by one’s own doing may come back with them. */
function followed(line: LeftLine, transaction: Transaction): LeftLine[] {
  const { changes, newDoc } = transaction
  const { from, to, text } = line
  if (from === to) {
    const [start, at] = [changes.mapPos(from, -1), changes.mapPos(from, 1)]
    const end = start + text.length
    const isBack = isByHistory(transaction) && end <= at && newDoc.sliceString(start, end) === text
    return [isBack ? { ...line, from: start, to: end } : { ...line, from: at, to: at }]
  }
  const [start, end] = [changes.mapPos(from, 1), changes.mapPos(to, -1)]
  if (end - start === text.length) return [{ ...line, from: start, to: end }]
  return end <= start && isTyped(transaction)
    ? [{ ...line, from: end, to: end, number: numberOf(transaction) }]
    : []
}

/** What takes a line’s beginning out after the last words in it, which undo took, and puts it back before those that redo did. */
export function leftLinesMended(
  step: Transaction,
  { changes, newDoc }: MadeByStep,
  known: readonly LeftLine[],
): Mend {
  const mend: Mend = { changes: [], effects: [] }
  if (known.length === 0) return mend
  const [number, takesBack, isAlone] = [numberOf(step), takenBackBy(step), isOneRange(changes)]
  let shift = 0
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    const line = known.find((one) => {
      const { from, to, text } = one
      if (from === to) return fromA === toA && takesBack.includes(one.number) && (isAlone || to === fromA)
      const isOut = to === fromA && fromB === toB && newDoc.sliceString(fromB - text.length, fromB) === text
      return isOut && isRestBlank(newDoc, fromB)
    })
    if (!line) return
    const { text } = line
    const isOut = line.from < line.to
    const from = isOut ? fromB - text.length : fromB
    const at = from + shift
    mend.changes.push(isOut ? { from, to: fromB } : { from, insert: text })
    mend.effects.push(putLeftLine.of({ ...line, from: at, to: isOut ? at : at + text.length, number }))
    shift += isOut ? -text.length : text.length
  }, true)
  return mend
}

const isRestBlank = (doc: Text, at: number) => doc.sliceString(at, doc.lineAt(at).to).trim() === ''
