import {
  applyChanges,
  changesFromJson,
  completeChanges,
  hunksFromJson,
  type ChangesJson,
  type LoggedChanges,
} from './change-set.ts'
import { contentHash, isHashOf } from './content-hash.ts'
import type { Hunk } from './hunk.ts'
import { holdsLargePartOf, largePartsOf } from './large-part.ts'
import { letterHunks } from './same-letters.ts'
import type { Range } from '../contract/records/anchors.ts'
import type { ReplayedEntry } from './replay.ts'

/** What stands in the place of each character that was forgotten, so that every place stays where it is. */
export const forgottenMark = '█'

interface AskedLog {
  passage: string
  /** All of the log, from its first entry on. */
  entries: readonly ReplayedEntry[]
  /** The text of a keyframe of that revision; null where there is none. */
  keyframeAt: (revision: number) => string | null
}

export interface RedactedLog {
  /** How often the passage came into the text. */
  found: number
  /** Whether all of its letters still stand in today’s text, together or apart. Then nothing is redacted. */
  stands: boolean
  /** The revisions that a large part of the passage came into the text with, and is left in it. */
  alike: number[]
  entries: { revision: number; hash: number | null; changes: string }[]
  keyframes: { revision: number; text: string }[]
}

/** One revision, as far as its text is known. */
interface Step {
  entry: ReplayedEntry
  /** What the entry did to the text before; null where that isn’t known. */
  hunks: readonly Hunk[] | null
  /** The same without the letters that it kept of what it replaced. */
  letters: readonly Hunk[] | null
  lengthBefore: number
  isKnown: boolean
  /** Where the passage has come into the text with this entry. */
  found: Range[]
  /** What is, was or will be a part of the passage; later without what still stands today. */
  parts: Range[]
}

/**
 * Takes a passage out of all of a log: each character that was ever a part of it is marked in every revision that it
 * stands in, also where it was typed letter by letter or only a part of it was left, and however the log’s changes cut it.
 * What still stands in today’s text stays as it is, so today’s text is the same; every length and every place is, too.
 */
export function redactLog(asked: AskedLog): RedactedLog {
  const { passage } = asked
  const steps = findParts(asked)
  const found = steps.reduce((sum, step) => sum + step.found.length, 0)
  const none = { found, stands: false, alike: [], entries: [], keyframes: [] }
  const standing = leaveStanding(steps)
  const stands = steps.some((step, i) => step.found.some((range) => isWhole(range, standing[i]!, passage)))
  return stands ? { ...none, stands } : { ...none, ...rewrite(asked, steps) }
}

/** So many pairs of letters are compared in all of a log; past that, only the ends of what was replaced are. */
const mostCompared = 50_000_000

/** Finds the passage in each text as it comes about, and follows its characters forwards, and then backwards. */
function findParts({ entries, keyframeAt, passage }: AskedLog): Step[] {
  const steps: Step[] = []
  const budget = { left: mostCompared }
  let text: string | null = ''
  for (const entry of entries) {
    const before: string | null = entry.base === (steps.at(-1)?.entry.revision ?? 0) ? text : null
    const next: { text: string | null; hunks: readonly Hunk[] | null } = textAfter(entry, before, keyframeAt)
    text = next.text
    const { hunks } = next
    const lengthBefore = before?.length ?? 0
    const letters = hunks && letterHunks(hunks, before ?? '', text ?? '', budget)
    const found = text === null ? [] : findNew(text, hunks, passage)
    const lastStep = steps.at(-1)
    const moved: Range[] = []
    if (lastStep && hunks && before !== null && text !== null) {
      const [removed, added] = [hunks.map(beforeIt), hunks.map(afterIt)]
      if (found.length > 0) lastStep.parts = joined([...lastStep.parts, ...largeIn(before, removed, passage)])
      if (meet(lastStep.parts, removed).length > 0) moved.push(...largeIn(text, added, passage))
    }
    const last = lastStep?.parts ?? []
    const parts = joined([...(letters ? forwards(last, letters, lengthBefore) : []), ...found, ...moved])
    steps.push({ entry, hunks, letters, lengthBefore, isKnown: text !== null, found, parts })
  }
  for (let i = steps.length - 1; i > 0; i--) {
    const { letters, parts, lengthBefore } = steps[i]!
    const before = steps[i - 1]!
    if (letters) before.parts = joined([...before.parts, ...backwards(parts, letters, lengthBefore)])
  }
  return steps
}

const beforeIt = ({ fromA, toA }: Hunk) => ({ start: fromA, end: toA, by: 0 })
const afterIt = ({ fromB, toB }: Hunk) => ({ start: fromB, end: toB, by: 0 })

/** Large parts of the passage in what one change took out or put in, as where it was moved while it was written on. */
function largeIn(text: string, ranges: readonly Range[], passage: string): Range[] {
  const find = largePartsOf(passage)
  return ranges.flatMap(({ start: by, end: to }) =>
    find(text.slice(by, to)).map(({ start, end }) => ({ start: start + by, end: end + by })),
  )
}

function textAfter(
  entry: ReplayedEntry,
  before: string | null,
  keyframeAt: AskedLog['keyframeAt'],
): { text: string | null; hunks: readonly Hunk[] | null } {
  if (entry.hash === null) return { text: null, hunks: null }
  const kept = keyframeAt(entry.revision)
  const whole = kept !== null && isHashOf(entry.hash, kept) ? kept : null
  try {
    const logged = JSON.parse(entry.changes) as LoggedChanges
    const { hunks, length, newLength } = hunksFromJson(logged)
    if (before === null || length !== before.length || newLength !== entry.length)
      return { text: whole, hunks: null }
    const text = whole ?? applyChanges(before, changesFromJson(completeChanges(logged, '')))
    return text.length === entry.length ? { text, hunks } : { text: null, hunks: null }
  } catch {
    return { text: whole, hunks: null }
  }
}

/** Where the passage stands that stood nowhere before these hunks. */
function findNew(text: string, hunks: readonly Hunk[] | null, passage: string): Range[] {
  const windows = hunks?.map(({ fromB, toB }) => [fromB - passage.length + 1, toB + passage.length - 1]) ?? [
    [0, text.length],
  ]
  const found = new Map<number, Range>()
  for (const [from, to] of windows) {
    const start = Math.max(0, from!)
    const window = text.slice(start, Math.max(start, to!))
    for (let at = window.indexOf(passage); at >= 0; at = window.indexOf(passage, at + 1))
      found.set(start + at, { start: start + at, end: start + at + passage.length })
  }
  return [...found.values()].toSorted((a, b) => a.start - b.start)
}

/**
 * Takes out of all parts what still stands in today’s text, and answers it, revision by revision. What a replacement
 * happens to say again doesn’t stand: only what it left alone does.
 */
function leaveStanding(steps: readonly Step[]): Range[][] {
  const standing: Range[][] = []
  let now: Range[] = steps.at(-1)?.parts ?? []
  for (let i = steps.length - 1; i >= 0; i--) {
    const { hunks, lengthBefore } = steps[i]!
    standing[i] = now
    steps[i]!.parts = without(steps[i]!.parts, now)
    now = hunks ? backwards(now, hunks, lengthBefore) : []
  }
  return standing
}

/** Whether all of an occurrence still stands but for line breaks, which are never marked. */
const isWhole = ({ start }: Range, standing: readonly Range[], passage: string) =>
  [...passage.split('').entries()].every(
    ([i, unit]) => isBreak(unit) || standing.some((one) => one.start <= start + i && start + i < one.end),
  )
const isBreak = (unit: string | undefined) => unit === '\n' || unit === '\r'

function rewrite({ keyframeAt, passage }: AskedLog, steps: readonly Step[]) {
  const entries: RedactedLog['entries'] = []
  const keyframes: RedactedLog['keyframes'] = []
  const alike: number[] = []
  const isAlike = holdsLargePartOf(passage)
  let text: string | null = ''
  for (const step of steps) {
    const { entry, hunks, isKnown, parts } = step
    if (!isKnown) {
      text = null
      entries.push(...redactWords(entry, passage))
      continue
    }
    const kept = keyframeAt(entry.revision)
    const logged = JSON.parse(entry.changes) as LoggedChanges
    const after: string =
      kept !== null && isHashOf(entry.hash, kept)
        ? kept
        : applyChanges(text!, changesFromJson(completeChanges(logged, '')))
    text = after
    const redacted = parts.length === 0 ? after : mark(after, parts)
    if (windowsOf(redacted, hunks, passage.length).some(isAlike)) alike.push(entry.revision)
    if (parts.length === 0) {
      if (hunks === null) entries.push(...redactWords(entry, passage))
      continue
    }
    const changes = hunks === null ? redactLines(entry.changes, passage) : said(logged, redacted)
    entries.push({ revision: entry.revision, hash: contentHash(redacted), changes })
    if (kept !== null) keyframes.push({ revision: entry.revision, text: redacted })
  }
  return { entries, keyframes, alike }
}

/** What has come about in a text with these hunks, and so much around it. */
const windowsOf = (text: string, hunks: readonly Hunk[] | null, around: number): string[] =>
  hunks?.map(({ fromB, toB }) => text.slice(Math.max(0, fromB - around), toB + around)) ?? [text]

/** The same changes, with their words as they are in the text after them. */
function said(logged: LoggedChanges, after: string): string {
  let at = 0
  const parts = logged.map((part): ChangesJson[number] | [number, number] => {
    if (typeof part === 'number') {
      at += part
      return part
    }
    if (typeof part[1] === 'number') {
      at += part[1]
      return part
    }
    const [count, ...lines] = part as [number, ...string[]]
    const size = lines.join('\n').length
    const words = after.slice(at, at + size)
    at += size
    return lines.length === 0 ? [count] : [count, ...words.split('\n')]
  })
  return JSON.stringify(parts)
}

/** What a damaged log, or one with gaps, says in words is looked through entry by entry. */
function redactWords({ revision, hash, changes }: ReplayedEntry, passage: string): RedactedLog['entries'] {
  const redacted = redactLines(changes, passage)
  return redacted === changes ? [] : [{ revision, hash, changes: redacted }]
}
function redactLines(changes: string, passage: string): string {
  try {
    const logged = JSON.parse(changes) as LoggedChanges
    const parts = logged.map((part) => {
      if (typeof part === 'number' || typeof part[1] === 'number') return part
      const [count, ...lines] = part as [number, ...string[]]
      return lines.length === 0 ? part : [count, ...redactText(lines.join('\n'), passage).split('\n')]
    })
    return JSON.stringify(parts)
  } catch {
    return changes
  }
}

/** A text with the passage marked wherever it stands in it. */
export const redactText = (text: string, passage: string): string =>
  text.includes(passage) ? mark(text, joined(findNew(text, null, passage))) : text

function mark(text: string, parts: readonly Range[]): string {
  let marked = ''
  let at = 0
  for (const { start, end } of parts) {
    marked += text.slice(at, start) + text.slice(start, end).replace(/[^\r\n]/g, forgottenMark)
    at = end
  }
  return marked + text.slice(at)
}

/** Ranges in order, those that touch made one. */
function joined(ranges: readonly Range[]): Range[] {
  const all: Range[] = []
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1)
    if (start >= end) continue
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else all.push({ start, end })
  }
  return all
}

function without(ranges: readonly Range[], others: readonly Range[]): Range[] {
  return others.reduce<Range[]>(
    (left, { start, end }) =>
      left.flatMap((one) => [
        ...(one.start < Math.min(start, one.end)
          ? [{ start: one.start, end: Math.min(start, one.end) }]
          : []),
        ...(Math.max(end, one.start) < one.end ? [{ start: Math.max(end, one.start), end: one.end }] : []),
      ]),
    [...ranges],
  )
}

/** Of the text before, what the hunks keep, and by how much it moves. */
function keptStretches(hunks: readonly Hunk[], length: number) {
  const stretches: { start: number; end: number; by: number }[] = []
  let [at, by] = [0, 0]
  for (const { fromA, toA, toB } of hunks) {
    if (at < fromA) stretches.push({ start: at, end: fromA, by })
    at = toA
    by = toB - toA
  }
  if (at < length) stretches.push({ start: at, end: length, by })
  return stretches
}

function forwards(ranges: readonly Range[], hunks: readonly Hunk[], length: number): Range[] {
  if (ranges.length === 0) return []
  return meet(
    ranges,
    keptStretches(hunks, length).map(({ start, end, by }) => ({ start, end, by })),
  )
}
function backwards(ranges: readonly Range[], hunks: readonly Hunk[], length: number): Range[] {
  if (ranges.length === 0) return []
  return meet(
    ranges,
    keptStretches(hunks, length).map(({ start, end, by }) => ({ start: start + by, end: end + by, by: -by })),
  )
}
/** What of the ranges is in the stretches, moved as those say. */
function meet(ranges: readonly Range[], stretches: readonly (Range & { by: number })[]): Range[] {
  const met: Range[] = []
  let i = 0
  for (const { start, end, by } of stretches) {
    while (i > 0 && ranges[i - 1]!.end > start) i--
    for (; i < ranges.length && ranges[i]!.start < end; i++) {
      const [from, to] = [Math.max(start, ranges[i]!.start), Math.min(end, ranges[i]!.end)]
      if (from < to) met.push({ start: from + by, end: to + by })
    }
  }
  return joined(met)
}
