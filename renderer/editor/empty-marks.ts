import { StateEffect, type Text, type Transaction } from '@codemirror/state'
import { isByHistory, isTyped } from './own-steps.ts'
import type { Mend } from './undo-gaps.ts'

/**
 * Marks of bold and the like, and of links, that others have put around what was written here: they go with the last of
 * the words between them when these are undone, since they say something of nothing then, and come back with the words.
 */

interface Place {
  from: number
  to: number
}

/** Marks that went with the words between them. */
interface Away {
  at: number
  before: string
  words: string
  after: string
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
      if (to - from <= longest && /[*_~`[\]]/.test(newDoc.sliceString(from, to))) came.push({ from, to })
    })
    if (came.length > 0) marks = [...marks, ...came].slice(-most)
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

/** What takes others’ marks out from around nothing after a step of the history, and puts them back around what has come back. */
export function marksMended(
  { changes, newDoc, startState }: Pick<Transaction, 'changes' | 'newDoc' | 'startState'>,
  { marks, away }: OthersMarks,
): Mend {
  const found: Mend = { changes: [], effects: [] }
  if (marks.length === 0 && away.length === 0) return found
  const now = marks.map(({ from, to }) => ({ from: changes.mapPos(from, 1), to: changes.mapPos(to, -1) }))
  const isMark = (from: number, to: number) => {
    for (let at = from; at < to; at++) if (!now.some((one) => one.from <= at && at < one.to)) return false
    return true
  }
  const put: Place[] = []
  const [back, gone]: [Away[], Away[]] = [[], []]
  let shift = 0
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    if (fromA < toA && fromB === toB) {
      const { from, to } = around(newDoc, toB, isMark)
      if (from === to) return
      const [before, after] = [newDoc.sliceString(from, toB), newDoc.sliceString(toB, to)]
      gone.push({ at: from + shift, before, words: startState.doc.sliceString(fromA, toA), after })
      found.changes.push({ from, to })
      shift -= to - from
    } else if (fromA === toA) {
      const came = newDoc.sliceString(fromB, toB)
      const one = away.findLast(({ at, words }) => at === fromA && came.includes(words))
      if (!one) return
      const { before, words, after } = one
      const from = fromB + came.indexOf(words)
      const to = from + words.length
      found.changes.push({ from, insert: before }, { from: to, insert: after })
      const [begin, end] = [from + shift, to + shift + before.length]
      back.push(one)
      put.push({ from: begin, to: begin + before.length }, { from: end, to: end + after.length })
      shift += before.length + after.length
    }
  })
  if (found.changes.length > 0) found.effects.push(moved.of({ marks: put, back, gone }))
  return found
}

const areSame = (one: Away, other: Away) =>
  one.before === other.before && one.words === other.words && one.after === other.after

/** The marks that stand around a place with nothing between them. */
function around(doc: Text, at: number, isMark: (from: number, to: number) => boolean): Place {
  const place = { from: at, to: at }
  const behind = doc.sliceString(at, at + longest)
  for (;;) {
    const sign = place.from > 0 ? doc.sliceString(place.from - 1, place.from) : ''
    const pair = closing(sign, behind.slice(place.to - at))
    const next = { from: place.from - 1, to: place.to + pair.length }
    if (pair === '' || !isMark(next.from, place.from) || !isMark(place.to, next.to)) return place
    place.from = next.from
    place.to = next.to
  }
}

/** What ends there what a sign begins. */
function closing(sign: string, behind: string): string {
  if (sign === '[') return /^\]\([^()\s]*\)/.exec(behind)?.[0] ?? ''
  return /^[*_~`]$/.test(sign) && behind.startsWith(sign) ? sign : ''
}
