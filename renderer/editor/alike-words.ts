import { ChangeSet, StateEffect, type ChangeDesc, type Text, type Transaction } from '@codemirror/state'
import type { Range } from '../../server/contract/records/anchors.ts'
import type { AlikeWords } from '../../server/contract/records/changes.ts'
import { follow } from '../../server/domain/recent-changes.ts'
import { isByHistory, numberOf, takenBackBy, tellAlike } from './own-steps.ts'
import type { Mend } from './undo-gaps.ts'

/**
 * Words that others wrote as they were written here, and that stand once since a merge. While any of them stands by
 * them undo leaves them there and only says that they aren’t stood by here any more; redo puts them there no second time.
 */
export interface KnownAlike {
  words: readonly Alike[]
  left: readonly Left[]
}

interface Alike {
  from: number
  to: number
  /** How many others stand by it. */
  others: number
}

/** What undo has left there; or has taken out, since nobody else stood by it, and then it is no stretch. */
interface Left {
  from: number
  to: number
  text: string
  /** By which step. */
  number: number
}

const most = 200
/** Words that others wrote alike. */
export const putAlike = StateEffect.define<readonly AlikeWords[]>()
/** Words that were put back. */
const stay = StateEffect.define<readonly Alike[]>()
const leave = StateEffect.define<readonly Left[]>()

export const nothingAlike: KnownAlike = { words: [], left: [] }

export function alikeAfter(known: KnownAlike, transaction: Transaction): KnownAlike {
  const { changes, docChanged, effects } = transaction
  let { words, left } = known
  const out = docChanged && isByHistory(transaction) ? takenOut(transaction, words) : []
  const followed = <One extends { from: number; to: number }>(one: One): One => {
    const from = changes.mapPos(one.from, 1)
    return { ...one, from, to: one.from < one.to ? Math.max(from, changes.mapPos(one.to, -1)) : from }
  }
  if (docChanged && words.length > 0) words = whatStays(words.map(followed), changes)
  if (docChanged && left.length > 0) left = left.map(followed)
  const back = docChanged && isByHistory(transaction) ? comeBack(transaction, left) : []
  if (back.length > 0) words = [...words, ...back].sort((one, other) => one.from - other.from)
  const number = numberOf(transaction)
  left = leftToo(
    left,
    out.map(({ at, text }) => ({ from: at, to: at, text, number })),
  )
  for (const effect of effects) {
    if (effect.is(putAlike)) words = effect.value.reduce(counted, words)
    if (effect.is(stay))
      for (const { from, to, others } of effect.value)
        words = [...words.flatMap((one) => outside(one, from, to)), { from, to, others }]
    if (effect.is(leave)) left = leftToo(left, effect.value)
  }
  if (words.length > most) words = words.slice(-most)
  return words === known.words && left === known.left ? known : { words, left }
}

/** What a step of the history brings back that was taken out since nobody stood by it: that may be taken out again. */
function comeBack(step: Transaction, left: readonly Left[]): Alike[] {
  const known = left.filter(({ number }) => takenBackBy(step).includes(number))
  const back: Alike[] = []
  step.changes.iterChangedRanges((_fromA, _toA, start, end) => {
    for (const { text } of known) {
      const at = step.newDoc.sliceString(start, end).indexOf(text)
      if (at >= 0) back.push({ from: start + at, to: start + at + text.length, others: 0 })
    }
  })
  return back
}

/** Where words have stayed after all is known better than where they would have gone. */
function leftToo(known: readonly Left[], more: readonly Left[]): readonly Left[] {
  if (more.length === 0) return known
  const isSame = (one: Left) => more.some(({ number, text }) => number === one.number && text === one.text)
  return [...known.filter((one) => !isSame(one)), ...more].slice(-most)
}

/** What is put in between is none of them. */
function whatStays(words: readonly Alike[], changes: ChangeDesc): Alike[] {
  let all = [...words]
  changes.iterChangedRanges(
    (_fromA, _toA, from, to) => (all = all.flatMap((one) => outside(one, from, to))),
    true,
  )
  return all.filter((one) => one.from < one.to)
}

/** What of a place is before and behind another. */
const outside = <One extends { from: number; to: number }>(one: One, from: number, to: number): One[] =>
  one.to <= from || one.from >= to
    ? [one]
    : [
        { ...one, to: Math.max(one.from, from) },
        { ...one, from: Math.min(one.to, to) },
      ]

/** The same once somebody else stands by some of them, or doesn’t any more. */
function counted(words: readonly Alike[], { start, end, stands }: AlikeWords): Alike[] {
  const now: Alike[] = []
  let rest = [{ from: start, to: end }]
  for (const { from, to, others } of words) {
    const [first, last] = [Math.max(from, start), Math.min(to, end)]
    if (first >= last) {
      now.push({ from, to, others })
      continue
    }
    const parts = [
      { from, to: first, others },
      { from: first, to: last, others: Math.max(0, others + (stands ? 1 : -1)) },
      { from: last, to, others },
    ]
    now.push(...parts.filter((part) => part.from < part.to))
    rest = rest.flatMap((one) => outside(one, first, last))
  }
  if (stands) now.push(...rest.filter((one) => one.from < one.to).map((one) => ({ ...one, others: 1 })))
  return now.sort((one, other) => one.from - other.from)
}

type Made = Pick<Transaction, 'changes' | 'newDoc' | 'startState'>

/**
 * What puts words back that others stand by and a step of the history took out, and has them once that it brings back
 * while they stand there.
 * @param made what the step has done with what was mended of it
 */
export function alikeMended(
  step: Transaction,
  made: Made,
  number: number,
  { words, left }: KnownAlike,
): Mend {
  const takesBack = takenBackBy(step)
  const known = left.filter((one) => takesBack.includes(one.number))
  if (words.length + known.length === 0) return { changes: [], effects: [] }
  const out = takenOut(made, words).filter(({ others }) => others > 0)
  const twice = known.flatMap((one) => standingTwice(made, one, words))
  if (out.length + twice.length === 0) return { changes: [], effects: [] }
  const changes = [
    ...out.map(({ at, text }) => ({ from: at, insert: text })),
    ...twice.map(({ gone }) => ({ from: gone.start, to: gone.end })),
  ]
  const over = ChangeSet.of(changes, made.newDoc.length)
  let last = { at: -1, to: 0 }
  const stays = out.map(({ at, text, others }): Left & Alike => {
    const from = last.at === at ? last.to : over.mapPos(at, -1)
    last = { at, to: from + text.length }
    return { from, to: last.to, text, number, others }
  })
  const again = twice.map(({ kept, others }) => ({ ...follow(kept, [over]), others }))
  const standing = again.map(({ start: from, end: to, others }) => ({ from, to, others }))
  const told = [
    ...stays.map(({ from, to }) => ({ start: from, end: to, stands: false })),
    ...again.map(({ start, end }) => ({ start, end, stands: true })),
  ]
  return { changes, effects: [stay.of([...stays, ...standing]), leave.of(stays), tellAlike.of(told)] }
}

/**
 * What a step takes out of words that others wrote alike, and where it was. What it brings back instead takes their
 * place: nobody else may bring that back.
 */
function takenOut({ changes, startState }: Made, words: readonly Alike[]) {
  const out: { at: number; text: string; others: number }[] = []
  changes.iterChangedRanges((fromA, toA, at, toB) => {
    for (const { others, ...one } of words) {
      const [from, to] = [Math.max(fromA, one.from), Math.min(toA, one.to)]
      if (from < to)
        out.push({ at, text: startState.doc.sliceString(from, to), others: at < toB ? 0 : others })
    }
  })
  return out
}

/**
 * Where words stand that a step brings back and that were there. Beside one another those that come stay, so that the
 * history knows them.
 */
function standingTwice({ changes, startState: { doc }, newDoc }: Made, left: Left, words: readonly Alike[]) {
  const known = words.find(({ from, to }) => from < left.to && to > left.from)
  const place = known ? left : besideIt(doc, left)
  if (!place) return []
  const isWhole = doc.sliceString(place.from, place.to) === left.text
  const stands = follow({ start: place.from, end: place.to }, [changes])
  const others = known?.others ?? 1
  const twice: { gone: Range; kept: Range; others: number }[] = []
  changes.iterChangedRanges((_fromA, _toA, start, end) => {
    const at = newDoc.sliceString(start, end).indexOf(left.text)
    if (at < 0 || twice.length > 0) return
    const came = { start: start + at, end: start + at + left.text.length }
    const isBeside = isWhole && (stands.end === start || stands.start === end)
    twice.push(isBeside ? { gone: stands, kept: came, others } : { gone: came, kept: stands, others })
  })
  return twice
}

/** Where somebody else has put words back beside their place. */
function besideIt(doc: Text, { from, to, text }: Left): { from: number; to: number } | null {
  const places = [
    { from: from - text.length, to: from },
    { from: to, to: to + text.length },
    { from, to: from + text.length },
  ]
  return places.find((one) => one.from >= 0 && doc.sliceString(one.from, one.to) === text) ?? null
}
