import type { ChangeSet } from '@codemirror/state'
import type { Range } from '../contract/records/anchors.ts'
import { without as rangeWithout } from './known-parts.ts'

/** Words that were taken out here, of which somebody else had taken out some before. */
export interface TakenWords {
  words: string
  /** Which of them the other took. */
  taken: readonly Range[]
  /** What stands in their place. */
  at: Range
  /** By which steps of one’s own, where that is known. */
  numbers: readonly number[] | null
  /** Where it isn’t: with which one it became known, so that it was by one before that. */
  since?: number
}

/** The same where `at` is followed through a change; what is put in beside it counts as standing there, too. */
export const followTaken = <Words extends TakenWords>(
  one: Words,
  changes: Pick<ChangeSet, 'mapPos'>,
): Words => ({
  ...one,
  at: { start: changes.mapPos(one.at.start, -1), end: changes.mapPos(one.at.end, 1) },
})

/** More of them, of which a part may be of those that are known already, and stand with these by now. */
export function withTaken<Words extends TakenWords>(
  known: readonly Words[],
  more: readonly Words[],
): Words[] {
  const all = [...known]
  for (const one of more) {
    const index = all.findIndex(
      (other) =>
        other.at.start <= one.at.end &&
        one.at.start <= other.at.end &&
        areOfOne(other, one) &&
        partOf(other, one),
    )
    const part = index < 0 ? null : partOf(all[index]!, one)
    if (part) all[index] = { ...all[index]!, taken: [...all[index]!.taken, ...part] }
    else all.push(one)
  }
  return all
}

const areOfOne = (one: TakenWords, other: TakenWords) =>
  !one.numbers || !other.numbers || one.numbers.some((number) => other.numbers!.includes(number))

/** Where in words that have been taken in part others of them stand that are taken now. */
function partOf({ words, taken }: TakenWords, more: TakenWords): Range[] | null {
  for (let at = words.indexOf(more.words); at >= 0; at = words.indexOf(more.words, at + 1)) {
    const part = more.taken.map((one) => shifted(one, at))
    if (!part.some((one) => taken.some((other) => meet(one, other)))) return part
  }
  return null
}

/**
 * What of a text that comes back is the other’s to bring back, apart from what is known to be, and what is left of the
 * words for another time. Null where it is none of them.
 */
export function foundIn(
  text: string,
  one: TakenWords,
  known: readonly Range[],
): { ranges: Range[]; left: TakenWords | null } | null {
  const { words, taken } = one
  const found = partsIn(text, words, taken)
  const sorted = known.toSorted((a, b) => a.start - b.start)
  const ranges = found.flatMap(({ of, by }) =>
    taken.flatMap((one) => {
      const both = { start: Math.max(one.start, of.start), end: Math.min(one.end, of.end) }
      return both.start < both.end ? rangeWithout(shifted(both, by), sorted) : []
    }),
  )
  if (ranges.length === 0) return null
  return {
    ranges,
    left: without(
      one,
      found.map(({ of }) => of),
    ),
  }
}

interface Part {
  /** Of the words. */
  of: Range
  /** How much further it stands in the text. */
  by: number
}

/** Which of some words stand in a text that comes back, which may be a part of them, or have more. */
export function partsIn(text: string, words: string, taken: readonly Range[]): Part[] {
  const at = text.indexOf(words)
  if (at >= 0) return [{ of: { start: 0, end: words.length }, by: at }]
  return (
    piecesOf(words, text) ??
    taken.flatMap((of) => {
      const at = text.indexOf(words.slice(of.start, of.end))
      return at < 0 ? wordsIn(text, words, of) : [{ of, by: at - of.start }]
    })
  )
}

/** The words of a part that stand in a text as whole words in the same order: others, and the white space between, may not. */
function wordsIn(text: string, words: string, { start, end }: Range): Part[] {
  const found: Part[] = []
  let rest = [...text.matchAll(/\S+/g)]
  for (const { 0: word, index } of words.slice(start, end).matchAll(/\S+/g)) {
    const place = rest.findIndex((one) => one[0] === word)
    if (place < 0) continue
    const from = start + index
    found.push({ of: { start: from, end: from + word.length }, by: rest[place]!.index - from })
    rest = rest.slice(place + 1)
  }
  return found
}

/** The pieces of words that are all of a text, in order, as where others of them were taken out before; null if they aren’t. */
function piecesOf(words: string, text: string): Part[] | null {
  const pieces: Part[] = []
  let at = words.indexOf(text)
  if (at >= 0) return [{ of: { start: at, end: at + text.length }, by: -at }]
  for (let i = 0; i < text.length; i++) {
    const last = pieces.at(-1)
    at = words.indexOf(text[i]!, last?.of.end ?? 0)
    if (at < 0) return null
    if (last?.of.end === at) last.of.end++
    else pieces.push({ of: { start: at, end: at + 1 }, by: i - at })
  }
  return pieces
}

/** Words without parts that don’t meet; null where none are left that are taken. */
function without(all: TakenWords, parts: readonly Range[]): TakenWords | null {
  let { words, taken } = all
  for (const { start, end } of parts.toSorted((a, b) => b.start - a.start)) {
    const place = (at: number) => at - Math.max(0, Math.min(at, end) - start)
    words = words.slice(0, start) + words.slice(end)
    taken = taken
      .map((one) => ({ start: place(one.start), end: place(one.end) }))
      .filter((one) => one.start < one.end)
  }
  return taken.length > 0 ? { ...all, words, taken } : null
}

const meet = (a: Range, b: Range) => a.start < b.end && b.start < a.end

const shifted = ({ start, end }: Range, by: number): Range => ({ start: start + by, end: end + by })
