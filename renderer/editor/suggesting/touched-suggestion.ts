import type { ChangeSet, EditorState, Text } from '@codemirror/state'
import { sidesOf, type Sides } from '../../../server/domain/grown-words.ts'
import { toldBy } from '../../../server/domain/whole-ends.ts'
import { isAsSent, type Words } from './own-suggestions.ts'
import { documentText, toDocument, type Stretches, type WrittenSuggestion } from './stretches.ts'
import { suggestedPieces } from './suggested-pieces.ts'

/**
 * Whether a change may have put words in the place of what a suggestion is about. It doesn’t where it only puts something
 * in beside that, or brings less than is more, or takes out less than is less: there the same words may stand for
 * another reason, and no words stand anywhere.
 */
export function mayBring(changes: ChangeSet, { start, original }: WrittenSuggestion, words: string): boolean {
  const end = start + original.length
  let [isWithin, put, taken] = [false, 0, 0]
  changes.iterChangedRanges((from, to, fromB, toB) => {
    if (from > end || to < start) return
    isWithin ||= from < end && to > start
    put += toB - fromB
    taken += Math.min(to, end) - Math.max(from, start)
  }, true)
  const more = words.length - original.length
  return more > 0 ? put >= more : isWithin && taken >= -more
}

/** What a change puts in from a place of the new text on. */
export function putBehind(changes: ChangeSet, at: number): string {
  let put = ''
  changes.iterChanges((_from, _to, fromB, toB, inserted) => {
    if (fromB < at && toB > at) put = inserted.sliceString(at - fromB)
  }, true)
  return put
}

/** Where the words that a suggestion is about stand after a change; null where they don’t, or it is about none. */
export function placeNow(
  { start, original }: WrittenSuggestion,
  changes: ChangeSet,
  standsAt: (words: string, from: number) => boolean,
): number | null {
  if (original === '') return null
  const places = [changes.mapPos(start, 1), changes.mapPos(start, -1)]
  return places.find((from) => standsAt(original, from)) ?? null
}

/** What the document has on both sides of so much of it. */
export function sidesIn(doc: Text, stretches: Stretches, start: number, length: number): Sides {
  const [from, to] = [
    Math.max(0, start - toldBy),
    Math.min(start + length + toldBy, toDocument(stretches, doc.length)),
  ]
  return sidesOf(documentText(doc, stretches, from, to), { start: start - from, end: start - from + length })
}

/** Whether the server was sent less than the whole words that a suggestion is about. */
export const isPartSent = (state: EditorState, { key, original }: WrittenSuggestion, sent: Words) =>
  isAsSent(state, key, sent) && sent.original !== original

/** Whether a change has replaced all that a suggestion is about, or all around the place where it puts something in. */
export function isPlaceGone({ start, original }: WrittenSuggestion, changes: ChangeSet): boolean {
  const end = start + original.length
  const isAround =
    start === end
      ? (from: number, to: number) => from < start && to > start
      : (from: number, to: number) => from <= start && to >= end
  let isGone = false
  changes.iterChangedRanges((from, to) => (isGone ||= isAround(from, to)), true)
  return isGone
}

/** Whether a change has written between the words that a suggestion is about, or has taken out some. */
export function isWithin({ start, original }: WrittenSuggestion, changes: ChangeSet): boolean {
  let isWithin = false
  changes.iterChangedRanges((from, to) => (isWithin ||= from < start + original.length && to > start), true)
  return isWithin
}

/**
 * Whether, with what others have written in its words, a suggestion puts in other words, or puts them in for others: that
 * isn’t for it to say. What it only takes out may be less by now, or have others’ words between.
 */
export function saysOther(before: WrittenSuggestion, now: WrittenSuggestion | null): boolean {
  const said = ({ original, suggested }: WrittenSuggestion) =>
    suggestedPieces(original, suggested)
      .filter(({ insert }) => insert !== '')
      .map(({ from, to, insert }) => [original.slice(from, to), insert])
  return now !== null && before.suggested !== '' && !isEqual(said(before), said(now))
}
const isEqual = (one: string[][], other: string[][]) => JSON.stringify(one) === JSON.stringify(other)

/** How the words of a suggestion may read in the document once what was sent of it has been accepted. */
export function acceptedOf(
  { original }: WrittenSuggestion,
  sent: readonly { original: string; suggested: string }[],
): string[] {
  return sent.flatMap((words) => {
    const found: string[] = []
    for (let at = original.indexOf(words.original); at >= 0; at = original.indexOf(words.original, at + 1)) {
      const behind = original.slice(at + words.original.length)
      found.push(original.slice(0, at) + words.suggested + behind)
      if (at === original.length) break
    }
    return found
  })
}
