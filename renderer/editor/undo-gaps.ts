import { StateEffect, type ChangeDesc, type ChangeSpec, type Transaction } from '@codemirror/state'
import type { Range } from '../../server/contract/records/anchors.ts'
import { separator } from '../../server/domain/separator.ts'
import { isByHistory, isTyped, numberOf, takenBackBy } from './own-steps.ts'

/** White space that keeps one’s own words and others’ apart while undo and redo take either away. */

/**
 * White space that was put between deleted words that came back and words that came to their place meanwhile. It goes
 * with the former, and is empty while they are away.
 */
export interface Gap {
  key: symbol
  from: number
  to: number
  text: string
  /** The words that came continue the one before the gap while the deleted ones are away. */
  isWithinWord: boolean
  /** By which step it went: others may be away at the same place. */
  number: number
}

/** What a step of the history is followed by: the effects tell what stands where after it. */
export interface Mend {
  changes: ChangeSpec[]
  effects: StateEffect<unknown>[]
}

const mostGaps = 200
/** A gap that was opened or closed by a mend. */
export const putGap = StateEffect.define<Gap>()
/** Where others’ words came behind one’s own, with white space between. */
export const newGap = StateEffect.define<Range>()

/** Where gaps are after a change, with those that it makes. */
export function gapsAfter(known: readonly Gap[], transaction: Transaction): readonly Gap[] {
  let gaps = known
  if (transaction.docChanged && gaps.length > 0) gaps = gaps.flatMap((gap) => movedGap(gap, transaction))
  for (const effect of transaction.effects) {
    const gap = effect.is(putGap) ? effect.value : effect.is(newGap) ? gapAt(effect.value, transaction) : null
    if (gap) gaps = [...gaps.filter(({ key }) => key !== gap.key), gap].slice(-mostGaps)
  }
  return gaps
}

const gapAt = ({ start, end }: Range, { newDoc }: Transaction): Gap => ({
  ...{ key: Symbol(), from: start, to: end, text: newDoc.sliceString(start, end) },
  ...{ isWithinWord: false, number: 0 },
})

/** Where a gap is after a change, unless that was one of a part of it. It may go with words here, and come back with them. */
export function movedGap<Place extends Pick<Gap, 'from' | 'to' | 'text'>>(
  gap: Place,
  transaction: Transaction,
): Place[] {
  const { changes, newDoc } = transaction
  const from = changes.mapPos(gap.from, 1)
  const to = gap.from === gap.to ? from : changes.mapPos(gap.to, -1)
  const start = from - gap.text.length
  const comesBack = gap.from === gap.to && isByHistory(transaction) && changes.mapPos(gap.from, -1) < start
  if (comesBack && newDoc.sliceString(start, from) === gap.text) return [{ ...gap, from: start, to: from }]
  const isGone = to <= from && isTyped(transaction)
  if (isGone) return [{ ...gap, from: to, to, ...(gap.from < gap.to && { number: numberOf(transaction) }) }]
  return to - from === gap.to - gap.from ? [{ ...gap, from, to }] : []
}

/**
 * What closes the gaps behind words that a step of the history took away again, and opens those behind words that it
 * brought back.
 */
export function gapsMended(
  step: Transaction,
  { changes, newDoc }: Pick<Transaction, 'changes' | 'newDoc'>,
  gaps: readonly Gap[],
): Mend {
  const found: Mend = { changes: [], effects: [] }
  if (gaps.length === 0) return found
  const [number, takesBack, isAlone] = [numberOf(step), takenBackBy(step), isOneRange(changes)]
  let shift = 0
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    for (const gap of gaps) {
      const isOpen = gap.from < gap.to
      if (
        isOpen &&
        fromA === toA &&
        gap.to === fromA &&
        isGlued(newDoc.sliceString(Math.max(fromB, toB - 2), toB), newDoc.sliceString(toB, toB + 2))
      ) {
        const length = gap.to - gap.from
        found.changes.push({ from: fromB - length, to: fromB }, { from: toB, insert: gap.text })
        found.effects.push(putGap.of({ ...gap, from: toB + shift - length, to: toB + shift }))
        continue
      }
      const isBack = takesBack.includes(gap.number)
      const isThere = gap.from === toA || (!isOpen && isBack && isAlone)
      if (!isThere || isOpen === (fromA === toA)) continue
      const before = newDoc.sliceString(Math.max(0, toB - 2), toB)
      const end = toB + gap.to - gap.from
      const isGluedNow = isGlued(before, newDoc.sliceString(end, end + 2))
      if (isOpen && fromB === toB && newDoc.sliceString(toB, end) === gap.text) {
        if (isGluedNow && !gap.isWithinWord) continue
        found.changes.push({ from: toB, to: end })
        found.effects.push(putGap.of({ ...gap, from: toB + shift, to: toB + shift, number }))
        shift -= gap.text.length
      } else if (!isOpen && isBack && (isGluedNow || isLineGone(gap, before))) {
        found.changes.push({ from: toB, insert: gap.text })
        found.effects.push(putGap.of({ ...gap, from: toB + shift, to: toB + shift + gap.text.length }))
        shift += gap.text.length
      }
    }
  }, true)
  return found
}

/** Whether all that goes or comes back is in one place: then that needs no telling. */
export function isOneRange(changes: ChangeDesc): boolean {
  let count = 0
  changes.iterChangedRanges(() => count++, true)
  return count === 1
}

/** Whether a line has come back without the end that it had. */
const isLineGone = ({ text }: Gap, before: string) => text.includes('\n') && /[^\n]$/.test(before)

/** Whether the words at the ends of two texts that meet become one. */
export const isGlued = (before: string, after: string) => separator(before, after) !== ''

/** Whether white space lies between. */
export const isApart = (before: string, after: string) => /\s$/.test(before) || /^\s/.test(after)
