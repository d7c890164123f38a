import { textDiff } from '../../server/domain/diff/index.ts'
import type { Hunk } from '../../server/domain/hunk.ts'
import { brokenWithout, type Broken } from '../../server/markdown/broken-markup.ts'
import type { SourceRange } from '../../server/markdown/rendered.ts'
import { isInTable, wholeMarkup } from '../../server/markdown/whole-markup.ts'

/** What a suggestion says: the stretch of the source that it changes, and the words in its place. */
export interface MadeSuggestion {
  range: SourceRange
  words: string
  /** What it would break, so that it can’t be made, and what to do instead. */
  problem?: string | undefined
}

const problems: Record<Broken, string> = {
  table:
    'Left out, these words would break the table. Choose within one table cell, whole rows below its head, or the whole table.',
  footnote:
    'Left out, these words would break a footnote. Choose within the footnote, or within the text, but not in both.',
  'empty footnote':
    'This is all of the footnote. To leave it out, leave its number out where it stands in the text.',
  markup: 'Left out, these words would break the formatting around them. Choose fewer words, or more.',
}

/**
 * What is suggested by words in the place of a range: what is left out takes the markup along that would stand around
 * nothing, and a space of those it stood between; in a table what would end a cell or a row is written so that it
 * doesn’t. What would break the markup around it says so.
 */
export function suggestionOn(source: string, range: SourceRange): (words: string) => MadeSuggestion {
  let leftOut: MadeSuggestion | undefined
  const original = source.slice(range.start, range.end)
  const inTable = isInTable(source, range)
  return (words) => {
    if (words.trim() === '') return (leftOut ??= withoutWords(source, range))
    const tidy = withoutLeftSpaces(source, range, words)
    return { range, words: inTable ? withinCells(original, tidy) : tidy }
  }
}

function withoutWords(source: string, chosen: SourceRange): MadeSuggestion {
  const range = withItsSpace(source, wholeMarkup(source, chosen, true))
  const broken = brokenWithout(source, range)
  return { range, words: '', ...(broken && { problem: problems[broken] }) }
}

/** Signs before which there is no space, and after which. */
const closing = /^[.,;:!?…)\]}”’»]+(?:\s|$)/
const opening = /[([{“‘«]$/

/** How many of the spaces before a stretch go with it, or after it. */
function spacesOf(source: string, { start, end }: SourceRange): { before: number; after: number } {
  // Whole lines stand between no spaces.
  if (start === end || source[end - 1] === '\n') return { before: 0, after: 0 }
  const [left, right] = [spacesBefore(source, start), spacesAfter(source, end)]
  const lineBegins = start === 0 || source[start - 1] === '\n'
  const lineEnds = end === source.length || /[\r\n]/.test(source[end]!)
  if (left > 0 && lineEnds) return { before: left, after: 0 }
  if (right > 0 && (left > 0 || lineBegins || opening.test(source.slice(0, start).slice(-1))))
    return { before: 0, after: 1 }
  if (left > 0 && closing.test(source.slice(end, end + 8))) return { before: 1, after: 0 }
  return { before: 0, after: 0 }
}

function withItsSpace(source: string, range: SourceRange): SourceRange {
  const { before, after } = spacesOf(source, range)
  return { start: range.start - before, end: range.end + after }
}

/** Takes out spaces that stood around words which are left out, where whoever did so has left all of them. */
function withoutLeftSpaces(source: string, range: SourceRange, words: string): string {
  const original = source.slice(range.start, range.end)
  let tidy = words
  for (const hunk of textDiff(original, words).toReversed()) {
    const { fromA, toA, fromB, toB } = withoutSameEnds(original, words, hunk)
    const removed = original.slice(fromA, toA)
    if (removed.trim() === '' || !/^ *$/.test(words.slice(fromB, toB))) continue
    const start = range.start + fromA + (removed.length - removed.trimStart().length)
    const gone = { start, end: start + removed.trim().length }
    const { before, after } = spacesOf(source, gone)
    const there = spacesBefore(source, gone.start) + spacesAfter(source, gone.end)

    const from = fromB - spacesBefore(words, fromB)
    const to = toB + spacesAfter(words, toB)
    const outside =
      (from === 0 ? spacesBefore(source, range.start) : 0) +
      (to === words.length ? spacesAfter(source, range.end) : 0)
    const left = to - from
    if (left + outside < there) continue
    tidy = tidy.slice(0, from) + ' '.repeat(Math.max(0, left - before - after)) + tidy.slice(to)
  }
  return tidy
}

/** What is the same at both ends of a change is none of it. */
function withoutSameEnds(before: string, after: string, hunk: Hunk): Hunk {
  let { fromA, toA, fromB, toB } = hunk
  while (toA > fromA && toB > fromB && before[toA - 1] === after[toB - 1]) {
    toA--
    toB--
  }
  while (fromA < toA && fromB < toB && before[fromA] === after[fromB]) {
    fromA++
    fromB++
  }
  return { fromA, toA, fromB, toB }
}

const spacesBefore = (text: string, at: number) => {
  let from = at
  while (from > 0 && text[from - 1] === ' ') from--
  return at - from
}
const spacesAfter = (text: string, at: number) => {
  let to = at
  while (text[to] === ' ') to++
  return to - at
}

/** A `|` that isn’t written as a word’s, with the backslashes before it. */
const pipes = /(?<!\\)((?:\\\\)*)\|/g

const escaped = (text: string) => text.replace(pipes, '$1\\|')
const bordersIn = (text: string) => text.match(pipes)?.length ?? 0

/** The same words so that they stay in the cells they are written in. */
function withinCells(original: string, words: string): string {
  const line = original.includes('\n') ? words : words.replace(/\s*\n\s*/g, ' ')
  const borders = bordersIn(original)
  if (borders === bordersIn(line)) return line
  if (borders === 0) return escaped(line)
  // Of several cells those borders stay that were there.
  return textDiff(original, line)
    .toReversed()
    .reduce(
      (text, { fromB, toB }) => text.slice(0, fromB) + escaped(text.slice(fromB, toB)) + text.slice(toB),
      line,
    )
}
