import type { Anchor, Range } from '../../contract/records/anchors.ts'
import type { TextChange } from '../change-map.ts'
import type { Readable } from '../pieced-text.ts'
import { placeWithin } from './place-within.ts'

/** What is to be put in at a place. */
export interface PutIn {
  anchor: Anchor
  range: Range
  suggested_text: string
  /** As its author put them, where a decision has put others. */
  lineEnds?: LineEnds | null | undefined
}

/** Where lines are to be put in now, and as what: only the line ends around them may be others. */
export interface PutInNow {
  range: Range
  suggested_text: string
  lineEnds: LineEnds | null
}

/** The line ends before lines, and behind them. */
export interface LineEnds {
  before: string
  behind: string
}

/** How many of them there are. */
export interface Apart {
  before: number
  behind: number
}

/** Two line ends keep paragraphs apart. */
export const PARAGRAPHS = 2
/** So far line ends and the end of a line are looked for. */
const NEAR = 2_000
const BLANK_LINE = /\n[^\S\n]*\n/

/**
 * What becomes of lines that are to be put in where a decision takes out the text on both sides, or brings that back.
 * They stand at the cut then, apart from what is beside them as they were to be apart before; so a paragraph that was to
 * follow one that has gone stands before the next. Back where they were, they are as their author put them. Null of
 * anything else: words within a line say nothing without it.
 * @param isFound whether it is known otherwise where its place is now
 */
export function linesAfterDecision(
  putIn: PutIn,
  change: TextChange<Readable>,
  isFound: boolean,
): PutInNow | null {
  const { core, ends } = linesOf(putIn.suggested_text)
  if (core === '') return null
  const apart = countOf(ends)
  const own = putIn.lineEnds ?? ends
  const { before, after, map } = change
  const { start } = putIn.range
  const written = (at: number, need: Apart, like: string): PutInNow => {
    const eol = (putIn.suggested_text + like).includes('\r\n') ? '\r\n' : '\n'
    const there = apartAt(after, at)
    const missing = (wanted: number, standing: number) => eol.repeat(Math.max(0, wanted - standing))
    const suggested_text = missing(need.before, there.before) + core + missing(need.behind, there.behind)
    return { range: { start: at, end: at }, suggested_text, lineEnds: own }
  }

  const cut = map.hunks.find(({ fromA, toA }) => fromA < start && toA > start)
  if (cut) {
    const isOwnLine =
      (apart.before > 0 && isAtEnd(before, start)) || (apart.behind > 0 && isAtStart(before, start))
    // Where other words came, what stands around the place may say where among them it is.
    if (!isOwnLine || (cut.fromB < cut.toB && isFound)) return null
    const there = apartAt(before, start)
    const need = { before: there.before + apart.before, behind: there.behind + apart.behind }
    // And as far as what stands beside the cut was from what is taken out.
    const left = blankBefore(before, cut.fromA)
    const right = blankBehind(before, cut.toA)
    if (BLANK_LINE.test(left + before.slice(cut.fromA, start))) need.before = PARAGRAPHS
    if (BLANK_LINE.test(before.slice(start, cut.toA) + right)) need.behind = PARAGRAPHS
    const at = lineEdge(after, cut.toB)
    return at === null ? null : written(at, need, before.slice(cut.fromA, cut.toA))
  }

  if (!putIn.lineEnds || (!isAtStart(before, start) && !isAtEnd(before, start))) return null
  const put = map.hunks.find(
    ({ fromA, toA, fromB, toB }) =>
      fromB < toB && fromA <= start && (start <= toA || isOneLine(before.slice(toA, start))),
  )
  const at = put && placeWithin(put, putIn.anchor, after)
  if (at === undefined || (!isAtStart(after, at) && !isAtEnd(after, at))) return null
  return { range: { start: at, end: at }, suggested_text: own.before + core + own.behind, lineEnds: null }
}

/** The place itself where a line begins or ends there; else the end of the line, which goes on across it. */
function lineEdge(text: Readable, at: number): number | null {
  if (isAtStart(text, at) || isAtEnd(text, at)) return at
  const rest = text.slice(at, at + NEAR).search(/\r?\n/)
  const end = rest < 0 ? Math.min(text.length, at + NEAR) : at + rest
  return isAtEnd(text, end) ? end : null
}

/** The words, and the line ends around them. Not by a pattern, which could take the square of their number. */
export function linesOf(suggested: string): { core: string; ends: LineEnds } {
  const words = suggested.trim()
  if (words === '') return { core: '', ends: { before: '', behind: '' } }
  const from = suggested.lastIndexOf('\n', suggested.indexOf(words)) + 1
  const first = suggested.indexOf('\n', from + suggested.slice(from).trimEnd().length)
  const to = first < 0 ? suggested.length : first - Number(suggested[first - 1] === '\r')
  return {
    core: suggested.slice(from, to),
    ends: { before: suggested.slice(0, from), behind: suggested.slice(to) },
  }
}

export const endsOf = (suggested: string): LineEnds => linesOf(suggested).ends

/** The same words with other line ends around them. */
export const withEnds = (suggested: string, { before, behind }: LineEnds): string =>
  before + linesOf(suggested).core + behind

/** Whether it is lines of their own, which have line ends around them. */
export function isOfLines(suggested: string): boolean {
  const { before, behind } = endsOf(suggested)
  return before !== '' || behind !== ''
}

export const countOf = ({ before, behind }: LineEnds): Apart => ({
  before: count(before),
  behind: count(behind),
})

const count = (lineEnds: string) => lineEnds.split('\n').length - 1

const isOneLine = (words: string) => words.length < NEAR && !words.includes('\n')

function blankBefore(text: Readable, at: number): string {
  const left = text.slice(Math.max(0, at - NEAR), at)
  return left.slice(left.trimEnd().length)
}

function blankBehind(text: Readable, at: number): string {
  const right = text.slice(at, at + NEAR)
  return right.slice(0, right.length - right.trimStart().length)
}

/** Where nothing but white space is left of the text, it is as if there were enough. */
export function apartAt(text: Readable, at: number): Apart {
  const [before, behind] = [blankBefore(text, at), blankBehind(text, at)]
  return {
    before: before.length === at ? PARAGRAPHS : count(before),
    behind: at + behind.length === text.length ? PARAGRAPHS : count(behind),
  }
}

export const isAtStart = (text: Readable, at: number) =>
  at === 0 || /[\n\uFEFF]$/.test(text.slice(at - 1, at))
export const isAtEnd = (text: Readable, at: number) =>
  at === text.length || /^\r?\n/.test(text.slice(at, at + 2))
