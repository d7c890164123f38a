import { StateEffect, type Text, type Transaction } from '@codemirror/state'
import type { Range } from '../../server/contract/records/anchors.ts'
import { takenBackBy } from './own-steps.ts'
import { moved, tidied, type Stretch, type Stretches } from './suggesting/stretches.ts'
import type { Mend } from './undo-gaps.ts'

/**
 * Words that somebody else wrote as they were written here, and that stand once since a merge. Nothing in the text tells
 * any more whose they are, so undo leaves them there, and redo puts them there no second time.
 */
export interface AlikeWords {
  words: Stretches
  left: readonly Left[]
}

/** What undo has left there. */
interface Left {
  from: number
  to: number
  text: string
  /** By which step. */
  number: number
}

const most = 200
/** Words that both wrote alike. */
export const putAlike = StateEffect.define<readonly Range[]>()
const leave = StateEffect.define<readonly Left[]>()

export const nothingAlike: AlikeWords = { words: [], left: [] }

const stretchOf = (from: number, to: number): Stretch => ({ from, to, kind: 'put in', key: 0 })

export function alikeAfter(known: AlikeWords, { changes, docChanged, effects }: Transaction): AlikeWords {
  let { words, left } = known
  if (docChanged && words.length > 0) words = moved(words, changes)
  if (docChanged && left.length > 0)
    left = left.map((one) => {
      const from = changes.mapPos(one.from, 1)
      return { ...one, from, to: one.from < one.to ? Math.max(from, changes.mapPos(one.to, -1)) : from }
    })
  for (const effect of effects) {
    const more = effect.is(putAlike)
      ? effect.value.map(({ start, end }) => stretchOf(start, end))
      : effect.is(leave)
        ? effect.value.map(({ from, to }) => stretchOf(from, to))
        : []
    if (more.length > 0) words = tidied([...words, ...more]).slice(-most)
    if (effect.is(leave)) left = [...left, ...effect.value].slice(-most)
  }
  return words === known.words && left === known.left ? known : { words, left }
}

/**
 * What puts words back that both wrote and a step of the history took out, and takes out such as stand there already.
 * @param made what the step has done with what was mended of it
 */
export function alikeMended(
  step: Transaction,
  { changes, startState, newDoc }: Pick<Transaction, 'changes' | 'newDoc' | 'startState'>,
  number: number,
  { words, left }: AlikeWords,
): Mend {
  const found: Mend = { changes: [], effects: [] }
  if (words.length + left.length === 0) return found
  const takesBack = takenBackBy(step)
  const standing = left.filter((one) => takesBack.includes(one.number))
  const stays: Left[] = []
  let shift = 0
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    for (const one of words) {
      const [from, to] = [Math.max(fromA, one.from), Math.min(toA, one.to)]
      if (from >= to) continue
      const text = startState.doc.sliceString(from, to)
      found.changes.push({ from: fromB, insert: text })
      stays.push({ from: fromB + shift, to: fromB + shift + text.length, text, number })
      shift += text.length
    }
    const came = newDoc.sliceString(fromB, toB)
    for (const { from, to, text } of standing) {
      const at = came.indexOf(text)
      if (at < 0 || (from === to && !standsAt(startState.doc, from, text))) continue
      found.changes.push({ from: fromB + at, to: fromB + at + text.length })
      shift -= text.length
    }
  })
  if (stays.length > 0) found.effects.push(leave.of(stays))
  return found
}

/** Whether words stand beside a place: somebody may have taken them out there and put them back. */
const standsAt = (doc: Text, at: number, text: string) =>
  doc.sliceString(Math.max(0, at - text.length), at) === text ||
  doc.sliceString(at, at + text.length) === text
