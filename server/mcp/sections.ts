import type { Range } from '../contract/records/anchors.ts'
import { Mistake } from './refusal.ts'

export interface Heading {
  level: number
  text: string
  /** Where its line begins. */
  start: number
}

/** The headings of a markdown text, as far as one can tell them line by line. */
export function headingsOf(content: string): Heading[] {
  const headings: Heading[] = []
  let fence: string | undefined
  let before = { text: '', start: 0 }
  for (let start = 0; start < content.length;) {
    const end = lineEnd(content, start)
    const line = content.slice(start, end).replace(/\r?\n$/, '')
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined
    } else if (mark) fence = mark
    else {
      const [, signs, text] = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/.exec(line) ?? []
      if (signs) headings.push({ level: signs.length, text: text ?? '', start })
      else if (/^ {0,3}(=+|--+)[ \t]*$/.test(line) && /^ {0,3}[^\s>*+-]/.test(before.text))
        headings.push({ level: line.includes('=') ? 1 : 2, text: before.text.trim(), start: before.start })
    }
    before = { text: fence === undefined && !mark ? line : '', start }
    start = end
  }
  return headings
}

/** Where the line that begins at `start` ends, its break included. */
const lineEnd = (content: string, start: number) => {
  const at = content.indexOf('\n', start)
  return at < 0 ? content.length : at + 1
}

const plain = (text: string) => text.replace(/[*_`]/g, '').replace(/\s+/g, ' ').trim().toLowerCase()

/**
 * What stands under a heading, and the heading itself, up to the next one that is as high or higher.
 * @throws Mistake that names the headings there are
 */
export function sectionOf(content: string, wanted: string): Range {
  const [, signs = '', name = ''] = /^\s*(#{0,6})\s*([^]*)$/.exec(wanted)!
  const headings = headingsOf(content)
  const found = headings.filter(
    ({ text, level }) => plain(text) === plain(name) && (signs === '' || signs.length === level),
  )
  const [heading, ...others] = found
  if (!heading || others.length > 0)
    throw new Mistake(
      `${found.length === 0 ? `There is no heading “${wanted}”.` : `There are ${found.length} headings “${wanted}”.`} ${
        headings.length === 0
          ? 'The text has no headings.'
          : `These are there:\n${outlineOf(content, headings)}\n`
      }${found.length > 1 ? 'Name the place by its words alone, or with “lines”.' : 'Nothing was changed.'}`,
    )
  const next = headings.find(({ start, level }) => start > heading.start && level <= heading.level)
  return { start: heading.start, end: next?.start ?? content.length }
}

const mostHeadings = 60

export function outlineOf(content: string, headings = headingsOf(content)): string {
  const lines = new LineNumbers(content)
  const shown = headings
    .slice(0, mostHeadings)
    .map(({ level, text, start }) => `${'#'.repeat(level)} ${text} (line ${lines.at(start)})`)
  if (headings.length > mostHeadings) shown.push(`… and ${headings.length - mostHeadings} more`)
  return shown.join('\n')
}

/** In which line a place is; asked for one place after the other, it reads the text once. */
export class LineNumbers {
  readonly #content: string
  #offset = 0
  #line = 1

  constructor(content: string) {
    this.#content = content
  }

  at(offset: number): number {
    if (offset < this.#offset) {
      this.#offset = 0
      this.#line = 1
    }
    for (let at = this.#content.indexOf('\n', this.#offset); at >= 0 && at < offset;) {
      this.#line++
      this.#offset = at + 1
      at = this.#content.indexOf('\n', this.#offset)
    }
    return this.#line
  }
}

/**
 * Lines such as “10-40”, “7” or “41-”, the first of which is 1.
 * @throws Mistake
 */
export function linesOf(content: string, wanted: string): Range {
  const [, first, dash, last] = /^\s*(\d+)\s*(-?)\s*(\d*)\s*$/.exec(wanted) ?? []
  const from = Number(first)
  const to = dash ? (last ? Number(last) : Infinity) : from
  const total = countLines(content)
  if (first === undefined || from < 1 || to < from || from > total)
    throw new Mistake(
      `“lines” must be such as “10-40”, “7” or “41-”; the text has ${total} lines. You sent “${wanted}”.`,
    )
  const start = offsetOfLine(content, from, 0, 1)
  return { start, end: to >= total ? content.length : offsetOfLine(content, to + 1, start, from) }
}

function offsetOfLine(content: string, line: number, offset: number, at: number): number {
  for (; at < line; at++) offset = content.indexOf('\n', offset) + 1
  return offset
}

export function countLines(content: string): number {
  let lines = 1
  for (let at = content.indexOf('\n'); at >= 0; at = content.indexOf('\n', at + 1)) lines++
  return content.endsWith('\n') && content.length > 1 ? lines - 1 : lines
}
