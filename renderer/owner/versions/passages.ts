import { ChangeSet } from '@codemirror/state'
import type { Segment } from '../../../server/domain/diff-segments.ts'
import type { TextReplacement } from '../../../server/domain/replacements.ts'
import type { NumberedSegment } from '../../feedback/folded-diff.ts'

/** One place where two texts differ. */
export interface ChangedPassage {
  /** In the younger text. */
  start: number
  end: number
  removed: string
  added: string
}

/** A comparison with its changes counted out; a removal and the addition in its stead are one. */
export function passagesOf(segments: readonly Segment[]): {
  segments: NumberedSegment[]
  passages: ChangedPassage[]
  /** The younger of the two texts. */
  after: string
} {
  const passages: ChangedPassage[] = []
  const numbered: NumberedSegment[] = []
  const after: string[] = []
  let at = 0
  let isOpen = false
  for (const { kind, text } of segments) {
    if (kind === 'same') {
      isOpen = false
      numbered.push({ kind, text })
    } else {
      if (!isOpen) passages.push({ start: at, end: at, removed: '', added: '' })
      isOpen = true
      const passage = passages.at(-1)!
      passage[kind] += text
      if (kind === 'added') passage.end += text.length
      numbered.push({ kind, text, change: passages.length - 1 })
    }
    if (kind === 'removed') continue
    at += text.length
    after.push(text)
  }
  return { segments: numbered, passages, after: after.join('') }
}

/**
 * How the older words of passages come back into the present text; null for each whose place has become another since, and
 * 'done' for each that reads there as it did before, as if somebody has brought it back already. `since` are the
 * differences between the text that the passages stand in and the present one.
 */
export function broughtBack(
  passages: readonly ChangedPassage[],
  since: readonly Segment[],
): (TextReplacement | 'done' | null)[] {
  const { changes, before, present } = changesOf(since)
  const lineEnd = present.includes('\r\n') ? '\r\n' : '\n'
  return passages.map(({ start, end, removed, added }) => {
    const from = changes.mapPos(start, start === end ? -1 : 1)
    const to = start === end ? from : changes.mapPos(end, -1)
    const text = removed.replace(/\r?\n/g, lineEnd)
    const isDone =
      added === ''
        ? standsNear(text, present, from) && !standsNear(removed, before, start)
        : removed === ''
          ? from === to
          : present.slice(from, to) !== added && present.startsWith(text, from)
    if (isDone) return 'done'
    const stands =
      added === '' ? standsBetween(before, start, present, from) : present.slice(from, to) === added
    return stands ? { start: from, end: to, text } : null
  })
}

/** The same places once that is written, with what takes it back. */
export function takenBack(replacements: readonly TextReplacement[], present: string): ChangedPassage[] {
  let moved = 0
  return replacements.map(({ start, end, text }) => {
    const from = start + moved
    moved += text.length - (end - start)
    return { start: from, end: from + text.length, added: text, removed: present.slice(start, end) }
  })
}

function changesOf(segments: readonly Segment[]) {
  const before: string[] = []
  const present: string[] = []
  const places: { from: number; to: number; insert: string }[] = []
  let at = 0
  for (const { kind, text } of segments) {
    if (kind !== 'added') before.push(text)
    if (kind !== 'removed') present.push(text)
    const last = places.at(-1)
    if (kind === 'removed') places.push({ from: at, to: at + text.length, insert: '' })
    if (kind === 'added') {
      if (last?.to === at) last.insert += text
      else places.push({ from: at, to: at, insert: text })
    } else at += text.length
  }
  return { changes: ChangeSet.of(places, at), before: before.join(''), present: present.join('') }
}

/** Whether a place between two words is known by one of them. */
function standsBetween(before: string, at: number, present: string, now: number): boolean {
  const word = /\S{1,40}\s*$/.exec(before.slice(Math.max(0, at - 80), at))?.[0]
  const next = /^\s*\S{1,40}/.exec(before.slice(at, at + 80))?.[0]
  if (word === undefined && next === undefined) return present.trim() === ''
  return (
    (word !== undefined && present.slice(0, now).endsWith(word)) ||
    (next !== undefined && present.startsWith(next, now))
  )
}

const standsNear = (words: string, text: string, at: number) =>
  text.slice(Math.max(0, at - words.length), at + words.length).includes(words)
