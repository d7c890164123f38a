import type { Text } from '@codemirror/state'
import { standsBefore, type Turn } from '../../../server/domain/order-at-place.ts'
import { writtenOf, type Own } from './own-suggestions.ts'
import { toEditor, type Stretch } from './stretches.ts'

/** The turn at its place of what the editor has by a key, with what it puts in; what the server isn’t known to have comes last. */
export type TurnOf = (key: number, words: string) => number

/** What of a change a suggestion has put in, for which words that was, and its key if it is one’s own. */
export interface Accepted extends Turn {
  length: number
  key: number | undefined
}

/** In which order suggestions were made, one’s own and others’. */
export interface Order {
  turnOf: TurnOf
  /** Of which suggestions a change was that has just put words in at a place, in order; none where that isn’t known. */
  acceptedAt: (at: number, insert: string) => readonly Accepted[]
}

/** What one’s own suggestions put in at a place of the document, in the order in which it stands there. */
export function putInAt({ stretches }: Pick<Own, 'stretches'>, place: number): Stretch[] {
  const first = toEditor(stretches, place)
  const behind = toEditor(stretches, place, 1)
  return stretches.filter(({ from, to, kind }) => kind === 'put in' && from >= first && to <= behind)
}

/** The words that one’s own suggestion is for, and when it was made. */
export function turnAt(doc: Text, own: Own, key: number, place: number, turnOf: TurnOf): Turn {
  const written = own.detached.has(key) ? null : writtenOf(doc, own, key)
  const start = written?.start ?? place
  return { start, end: start + (written?.original.length ?? 0), turn: turnOf(key, written?.suggested ?? '') }
}

/**
 * Where in the editor stands what another suggestion puts in at a place of the document, among what one’s own put in
 * there, as accepting all of them has it; and on which side of it goes what is typed there: what goes on with words of
 * one’s own before it stays with these.
 */
export function besideOwn(
  doc: Text,
  own: Own,
  place: number,
  other: Turn,
  turnOf: TurnOf,
): { at: number; side: -1 | 1 } {
  const before = putInAt(own, place).findLast(({ key }) =>
    standsBefore(turnAt(doc, own, key, place, turnOf), other),
  )
  return { at: before?.to ?? toEditor(own.stretches, place), side: before ? 1 : -1 }
}
