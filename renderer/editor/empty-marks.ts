import { ChangeSet, StateEffect, type Text, type Transaction } from '@codemirror/state'
import { areKnown, emptiedMarks, type Emptied, type Place } from './emptied-marks.ts'
import { isByHistory, isTyped, numberOf, takenBackBy } from './own-steps.ts'
import type { Mend } from './undo-gaps.ts'

/**
 * Marks of bold and the like, and of links, that others have put around what was written here: they go with the last of
 * the words between them when these are undone, since they say something of nothing then, and come back with the words.
 */

/** Marks that went with the words among which they stood, and where. */
interface Away {
  at: number
  words: string
  marks: readonly { offset: number; text: string }[]
  /** By which step. */
  number: number
}

export interface OthersMarks {
  /** What others have put in, if there are marks in it. */
  marks: readonly Place[]
  away: readonly Away[]
}

const most = 200
const longest = 2000
const moved = StateEffect.define<{ marks: readonly Place[]; back: readonly Away[]; gone: readonly Away[] }>()

export const noMarks: OthersMarks = { marks: [], away: [] }

export function marksAfter(
  known: OthersMarks,
  transaction: Transaction,
  isFromElsewhere: boolean,
): OthersMarks {
  let { marks, away } = known
  const { changes, effects, newDoc } = transaction
  if (transaction.docChanged && marks.length > 0) {
    const left = isTyped(transaction) && !isByHistory(transaction) ? withoutEmpty(marks, transaction) : marks
    marks = left
      .map(({ from, to }) => ({ from: changes.mapPos(from, 1), to: changes.mapPos(to, -1) }))
      .filter(({ from, to }) => from < to)
  }
  if (transaction.docChanged && away.length > 0)
    away = away.map((one) => ({ ...one, at: changes.mapPos(one.at, 1) }))
  if (isFromElsewhere) {
    const came: Place[] = []
    changes.iterChangedRanges((_fromA, _toA, from, to) => {
      if (from === to || to - from > longest) return
      const start = addressBefore(newDoc, { from, to }, marks)
      if (start < from || /[*_~`[\]\\]/.test(newDoc.sliceString(from, to))) came.push({ from: start, to })
    })
    if (came.length > 0) {
      const isApart = ({ from, to }: Place) => !came.some((one) => one.from <= from && to <= one.to)
      marks = [...marks.filter(isApart), ...came].slice(-most)
    }
  }
  for (const effect of effects)
    if (effect.is(moved)) {
      const { marks: put, back, gone } = effect.value
      marks = [...marks, ...put].slice(-most)
      const isBack = (one: Away) => back.some((other) => areSame(one, other))
      away = [...away.filter((one) => !isBack(one)), ...gone].slice(-most)
    }
  return marks === known.marks && away === known.away ? known : { marks, away }
}

/** Where others have begun the link’s address that comes on here: it is typed in several pieces. Else where the piece begins. */
function addressBefore(doc: Text, { from, to }: Place, marks: readonly Place[]): number {
  const before = doc.sliceString(Math.max(0, from - longest), from)
  const begun = /\](?:\([^()\s]*)?$/.exec(before)?.[0] ?? ''
  if (begun === ']' && doc.sliceString(from, Math.min(from + 1, to)) !== '(') return from
  return areKnown(marks, from - begun.length, from) ? from - begun.length : from
}

/** Without those between which something is written while nothing is: they were so before. */
function withoutEmpty(marks: readonly Place[], { changes }: Transaction): readonly Place[] {
  const places: number[] = []
  changes.iterChangedRanges((from, to) => {
    if (from === to) places.push(from)
  })
  const isBetween = (at: number) =>
    marks.some(({ from, to }) => from < at && at < to) ||
    (marks.some(({ to }) => to === at) && marks.some(({ from }) => from === at))
  const empty = places.filter(isBetween)
  return empty.length === 0
    ? marks
    : marks.filter(({ from, to }) => !empty.some((at) => from <= at && at <= to))
}

/**
 * What takes others’ marks out from around nothing after a step of the history, and puts them back among what has come back.
 * @param made what the step has done with what was mended of it
 */
export function marksMended(
  step: Pick<Transaction, 'effects' | 'startState'>,
  { changes, newDoc, startState }: Pick<Transaction, 'changes' | 'newDoc' | 'startState'>,
  { marks, away }: OthersMarks,
): Mend {
  const found: Mend = { changes: [], effects: [] }
  if (marks.length === 0 && away.length === 0) return found
  const takesBack = takenBackBy(step)
  const [out, back]: [Place[], Away[]] = [[], []]
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    if (fromA < toA && fromB === toB) out.push({ from: fromA, to: toA })
    if (fromA < toA) return
    const came = newDoc.sliceString(fromB, toB)
    const isBack = ({ at, words, number }: Away) =>
      at === fromA && takesBack.includes(number) && came.includes(words)
    const one = away.find(isBack)
    if (!one) return
    back.push(one)
    const from = fromB + came.indexOf(one.words)
    found.changes.push(...one.marks.map(({ offset, text }) => ({ from: from + offset, insert: text })))
  })
  const emptied = emptiedMarks(startState.doc, out, marks)
  const place = (at: number, side: -1 | 1) => changes.mapPos(at, side)
  for (const { from, to } of emptied.flatMap((one) => one.marks))
    found.changes.push({ from: place(from, 1), to: place(to, -1) })
  if (found.changes.length === 0) return found
  const mend = ChangeSet.of(found.changes, newDoc.length)
  const put: Place[] = []
  mend.iterChangedRanges((_fromA, _toA, from, to) => put.push({ from, to }), true)
  const gone = emptied.map((one) => ({
    ...{ ...awayWith(startState.doc, one), number: numberOf(step) },
    at: mend.mapPos(place(one.from, 1), 1),
  }))
  found.effects.push(moved.of({ marks: put.filter(({ from, to }) => from < to), back, gone }))
  return found
}

function awayWith(doc: Text, { from, to, marks }: Emptied): Pick<Away, 'words' | 'marks'> {
  let [words, at] = ['', from]
  const went = marks.map((mark) => {
    words += doc.sliceString(at, mark.from)
    at = mark.to
    return { offset: words.length, text: doc.sliceString(mark.from, mark.to) }
  })
  return { words: words + doc.sliceString(at, to), marks: went }
}

const areSame = (one: Away, other: Away) => one.number === other.number && one.words === other.words
