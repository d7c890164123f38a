import type { SyntaxNode } from '@lezer/common'
import { emphasisOf, nodeOf, type Emphasis, type InlineMark } from './emphasis.ts'
import { markdownLanguage } from './markdown-language.ts'
import { readersLine, type ReadersLine } from './readers-line.ts'

/** Where in a line marks mean something: not every place between two letters is one. */

export interface LineRange {
  from: number
  to: number
}

/** Words of a line that have a mark. */
export interface MarkedWords extends Emphasis {
  mark: InlineMark
}

/** What stands before a line’s words, and is no part of them. */
export const blockPrefix = /^\s*(?:>\s?)*(?:(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?|#{1,6}\s+)?/

const longestLine = 10_000
const names = new Map(Object.entries(nodeOf).map(([mark, name]) => [name as string, mark as InlineMark]))

function eachInline(line: string, visit: (node: SyntaxNode, offset: number) => void): void {
  const offset = blockPrefix.exec(line)![0].length
  if (line.length > longestLine) return
  markdownLanguage.parser.parse(line.slice(offset)).iterate({ enter: ({ node }) => visit(node, offset) })
}

/** All words of a line that have one of the marks the commands make. */
export function markedWords(line: string): MarkedWords[] {
  const found: MarkedWords[] = []
  eachInline(line, (node, offset) => {
    const mark = names.get(node.name)
    const emphasis = mark && emphasisOf(node, offset)
    if (emphasis && line.slice(emphasis.open.from, emphasis.open.to) === mark)
      found.push({ mark, ...emphasis })
  })
  return found
}

const emphasisNames = /^(?:Emphasis|StrongEmphasis|Strikethrough)$/
const partsOf = /^(?:Emphasis|StrongEmphasis|Strikethrough|Link)$/
const wholes = /^(?:InlineCode|Image|Autolink|URL|HTMLTag|Escape|Entity|LinkLabel|LinkTitle)$/

/**
 * A stretch cut where it would cross the border of something else with marks, and widened to the whole of what can’t be
 * marked in part, such as code.
 */
export function cutAtBorders(line: string, stretch: LineRange, mark: InlineMark): LineRange[] {
  let pieces = [stretch]
  eachInline(line, (node, offset) => {
    const from = node.from + offset
    const to = node.to + offset
    if (
      node.name === nodeOf[mark] &&
      line.startsWith(mark, from) &&
      !line.startsWith(mark[0]!, from + mark.length)
    )
      return
    if (wholes.test(node.name) && !(mark === '`' && node.name === 'InlineCode')) {
      pieces = pieces.map((one) =>
        one.from < to && one.to > from && !(one.from <= from && one.to >= to)
          ? { from: Math.min(one.from, from), to: Math.max(one.to, to) }
          : one,
      )
    } else if (partsOf.test(node.name)) {
      const marks = node.getChildren('LinkMark')
      const inner =
        node.name === 'Link'
          ? { from: marks[0]!.to + offset, to: (marks[1] ?? marks[0]!).from + offset }
          : { from: node.firstChild!.to + offset, to: node.lastChild!.from + offset }
      pieces = pieces.flatMap((one) => {
        if (one.to <= from || one.from >= to) return [one]
        if (one.from <= from && one.to >= to) return [one]
        if (one.from >= inner.from && one.to <= inner.to) return [one]
        return [
          { from: one.from, to: Math.min(one.to, from) },
          { from: Math.max(one.from, inner.from), to: Math.min(one.to, inner.to) },
          { from: Math.max(one.from, to), to: one.to },
        ].filter((piece) => piece.to > piece.from)
      })
    }
  })
  return pieces
}

const isSpace = (sign: string) => sign === '' || /^\s$/u.test(sign)
/** What markdown takes for punctuation, symbols among it. */
const isSign = (sign: string) => /^[\p{P}\p{S}]$/u.test(sign)
const signBefore = (text: string, at: number) => {
  const low = text.charCodeAt(at - 1)
  const size = low >= 0xdc00 && low <= 0xdfff ? 2 : 1
  return at === 0 ? '' : text.slice(Math.max(0, at - size), at)
}
const signAfter = (text: string, at: number) =>
  at >= text.length ? '' : String.fromCodePoint(text.codePointAt(at)!)

/** Whether marks around words can begin and end there, by what stands on either side of them. */
function canStand(text: string, { from, to }: LineRange, mark: InlineMark): boolean {
  const first = signAfter(text, from)
  const last = signBefore(text, to)
  if (isSpace(first) || isSpace(last) || to <= from) return false
  if (mark === '`') return true
  const before = signBefore(text, from)
  const after = signAfter(text, to)
  return (
    (!isSign(first) || isSpace(before) || isSign(before)) &&
    (!isSign(last) || isSpace(after) || isSign(after))
  )
}

/** The marks of a line that mean something: what its reader doesn’t see. */
export function marksOf(line: string): LineRange[] {
  const marks: LineRange[] = []
  eachInline(line, (node, offset) => {
    const found = emphasisNames.test(node.name) ? emphasisOf(node, offset) : null
    if (found) marks.push(found.open, found.close)
  })
  return marks
}

/** The marks of a text that mean something, in their pairs. */
export function pairsIn(text: string): Emphasis[] {
  const found: Emphasis[] = []
  markdownLanguage.parser.parse(text).iterate({
    enter: ({ node }) => {
      const pair = emphasisNames.test(node.name) ? emphasisOf(node) : null
      if (pair) found.push(pair)
    },
  })
  return found
}

export const signsOf = ({ from, to }: LineRange): number[] =>
  Array.from({ length: to - from }, (_, i) => from + i)

/** Whether all of these signs of a text belong to marks that mean something. */
export function areMarks(text: string, signs: readonly number[]): boolean {
  const left = new Set(signs)
  for (const { open, close } of pairsIn(text))
    for (const at of [...signsOf(open), ...signsOf(close)]) left.delete(at)
  return left.size === 0
}

/** Where a place is among what is left without these marks. */
export const placeWithout = (marks: readonly LineRange[], at: number): number =>
  marks.reduce((left, { from, to }) => left - Math.max(0, Math.min(at, to) - from), at)

export function without(text: string, marks: readonly LineRange[]): string {
  let result = ''
  let at = 0
  for (const one of marks.toSorted((a, b) => a.from - b.from)) {
    result += text.slice(at, one.from)
    at = one.to
  }
  return result + text.slice(at)
}

export const withMarks = (line: string, { from, to }: LineRange, mark: string) =>
  line.slice(0, from) + mark + line.slice(from, to) + mark + line.slice(to)

/** Whether marks put around these words give just them the look, and all others mean what they meant. */
export function standsAt(line: string, stretch: LineRange, mark: InlineMark): boolean {
  if (!canStand(line, stretch, mark)) return false
  const marked = withMarks(line, stretch, mark)
  if (marked.length > longestLine) return true
  if (mark === '`')
    return markedWords(marked).some(
      (one) => one.mark === mark && one.open.from === stretch.from && one.close.to === stretch.to + 2,
    )
  const before = marksOf(line)
  const after = marksOf(marked)
  const from = placeWithout(before, stretch.from)
  const to = placeWithout(before, stretch.to)
  return (
    without(line, before) === without(marked, after) &&
    looksAlike(line, marked) &&
    markedWords(marked).some(
      (one) =>
        one.mark === mark &&
        placeWithout(after, one.open.to) === from &&
        placeWithout(after, one.close.from) === to,
    )
  )
}

const sizeOf = ({ look, from, to }: ReadersLine['looks'][number]) => `${look} ${from} ${to}`
/** Whether readers see the same words, of which some have one look more. */
function looksAlike(line: string, marked: string): boolean {
  const offset = blockPrefix.exec(line)![0].length
  const before = readersLine(line.slice(offset))
  const after = readersLine(marked.slice(offset))
  const looks = new Set(after.looks.map(sizeOf))
  return (
    before.words === after.words &&
    after.looks.length === before.looks.length + 1 &&
    before.looks.every((one) => looks.has(sizeOf(one)))
  )
}

const lookOf = { '**': 'strong', '*': 'em', '~~': 'del', '`': 'code' }
/** How often readers see what a mark looks like. */
export function readersLooks(line: string, mark: InlineMark): number {
  if (mark === '`') return Infinity
  const { looks } = readersLine(line.slice(blockPrefix.exec(line)![0].length))
  return looks.filter(({ look }) => look === lookOf[mark]).length
}

const pairs: Record<string, string> = {
  '"': '"',
  "'": "'",
  '(': ')',
  '[': ']',
  '“': '”',
  '‘': '’',
  '„': '“',
  '«': '»',
}
/** Whether one of two quotation marks or brackets would have the mark and the other not. */
function partsPair(text: string, whole: LineRange, { from, to }: LineRange): boolean {
  const kept = text.slice(from, to)
  const opens = pairs[kept[0] ?? '']
  if (opens && text.slice(to, whole.to).includes(opens) && !kept.slice(1).includes(opens)) return true
  const closes = kept.at(-1) ?? ''
  const opener = text
    .slice(whole.from, from)
    .split('')
    .find((sign) => pairs[sign] === closes)
  return opener !== undefined && !kept.slice(0, -1).includes(opener)
}

const mostLeftOut = 12

/**
 * Where marks around a stretch of a line mean something: around all of it or, where punctuation at its ends forbids
 * that, around all but some of that. Null where there is no such place.
 */
export function placeFor(line: string, stretch: LineRange, mark: InlineMark): LineRange | null {
  const ends = (at: number, next: (at: number) => number, sign: (at: number) => string) => {
    const found = [at]
    while (found.length <= mostLeftOut && !isLetter(sign(at)) && sign(at) !== '') found.push((at = next(at)))
    return found
  }
  const text = line.slice(stretch.from, stretch.to)
  const from = stretch.from + text.length - text.trimStart().length
  const to = stretch.to - text.length + text.trimEnd().length
  if (to <= from) return null
  const whole = { from, to }
  const starts = ends(
    from,
    (at) => at + signAfter(line, at).length,
    (at) => (at < to ? signAfter(line, at) : ''),
  )
  const stops = ends(
    to,
    (at) => at - signBefore(line, at).length,
    (at) => (at > from ? signBefore(line, at) : ''),
  )
  return (
    starts
      .flatMap((start, i) => stops.map((stop, j) => ({ from: start, to: stop, leftOut: i + j })))
      .filter((place) => canStand(line, place, mark))
      .map((place) => ({ ...place, leftOut: place.leftOut + (partsPair(line, whole, place) ? 1.5 : 0) }))
      .sort((a, b) => a.leftOut - b.leftOut)
      .slice(0, 20)
      .find((place) => standsAt(line, place, mark)) ?? null
  )
}

/** What emphasis is about: everything but white space and punctuation. */
export const isLetter = (sign: string) => !isSpace(sign) && !isSign(sign)
