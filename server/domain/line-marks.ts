import type { Range } from '../contract/records/anchors.ts'
import { beginsLine } from './whole-lines.ts'

/** How lines of markdown begin, as far as that tells which of them are of one piece. */

interface MarkedLine {
  quotes: string
  indent: string
  /** The mark of an item, with its box. */
  item: string
  heading: string
  isBlank: boolean
  /** Whether it can be of no paragraph: what comes behind it begins anew. */
  isParting: boolean
}

const quoted = /^(?: {0,3}>[ \t]?)*/
const itemsMark = /^(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/
const headingMark = /^#{1,6}[ \t]+/
const parting = /^(?:#{1,6}(?:\s|$)|`{3}|~{3}|=+\s*$|(?:[-*_][ \t]*){3,}$|(?=.*\|)[\s|:-]+$)/
/** The line below a table’s head. */
const headsEnd = /^(?=.*\|)(?=.*-)[\s|:-]+$/
const fence = /^ {0,3}(?:`{3}|~{3})/

function markedLine(text: string): MarkedLine {
  const quotes = quoted.exec(text)![0]
  const inner = text.slice(quotes.length)
  const indent = /^[ \t]*/.exec(inner)![0]
  const words = inner.slice(indent.length)
  const isParting = parting.test(words)
  const item = isParting ? '' : (itemsMark.exec(words)?.[0] ?? '')
  const heading = headingMark.exec(words)?.[0] ?? ''
  return { quotes, indent, item, heading, isBlank: words.trim() === '', isParting }
}

const linesOf = (text: string): MarkedLine[] => text.split('\n').map(markedLine)

/** How a line begins that is left of several, and whether it isn’t of one paragraph with what stands before all of them. */
export interface Beginning {
  mark: string
  isParted: boolean
}

/**
 * How words begin that are all that is left of a line when it is taken out with those before it: as the line did, or
 * as the outermost item did that it was of. So they are no part of what stands before these lines.
 * @param start where the lines begin that are taken out
 * @param at where the line does
 */
export function beginningOfLeft(base: string, start: number, at: number): Beginning {
  const lineEnd = base.indexOf('\n', at)
  const line = markedLine(base.slice(at, lineEnd < 0 ? base.length : lineEnd))
  const above = base.slice(beginsLine(base, start) ? start : start + 1, at)
  const lines = linesOf(above).slice(0, -1)
  if (isInCode(base, at)) {
    const isOfTaken = above.split('\n').some((one) => fence.test(one))
    return isOfTaken ? { mark: '', isParted: true } : { mark: line.indent, isParted: false }
  }
  const isBlankAbove = lines.some(({ isBlank }) => isBlank)
  if (line.heading !== '') return { mark: line.quotes + line.heading, isParted: isBlankAbove }
  let found = line
  let isApart = false
  for (const one of lines.toReversed()) {
    if (one.isParting) return { mark: markOf(found), isParted: true }
    if (one.isBlank) isApart = true
    else if (found.item === '' && isApart && found.indent === '') break
    else if (one.item !== '' && (found.item === '' || one.indent.length < found.indent.length)) found = one
  }
  return { mark: markOf(found), isParted: isBlankAbove }
}

const markOf = ({ quotes, indent, item }: MarkedLine) => quotes + indent + item

/** Whether words begin with a mark that tells what kind of line they are. */
export function isMarked(words: string): boolean {
  const { quotes, item, isParting } = markedLine(words.split('\n', 1)[0]!)
  return isParting || quotes + item !== ''
}

/** Whether words would go on with the paragraph that a text ends in if they are put in there as a line that begins so. */
export function goesOnWithLast(text: string, mark: string): boolean {
  const last = markedLine(text.slice(text.lastIndexOf('\n', text.length - 2) + 1).trimEnd())
  return isPlain(last) && /^\s*(?!1[.)])\d/.test(mark)
}

const isPlain = ({ isBlank, isParting, item, heading }: MarkedLine) =>
  !isBlank && !isParting && item + heading === ''

/**
 * Whether what is left of a line would be one with what stands behind, where what parted the two is taken out, or the
 * rows of a table lose its head.
 * @param start where the lines begin that are taken out
 */
export function isPartedBehind(
  base: string,
  { start, line, end }: { start: number; line: Range; end: number },
  behind: string | null,
): boolean {
  if (behind !== null && /^[ \t]*(?:\n|$)/.test(behind)) return false
  const below = linesOf(base.slice(line.end, end)).slice(0, -1)
  if (below.some(({ isBlank }) => isBlank)) return true
  if (behind === null) return false
  const next = behind.split('\n', 1)[0]!
  if (base.slice(line.start, line.end).includes('|'))
    return [...base.slice(start, line.start).split('\n'), next].some((one) => headsEnd.test(one))
  return isPlain(markedLine(next)) && below.some((one) => one.isParting || one.item + one.heading !== '')
}

function isInCode(base: string, at: number): boolean {
  let isIn = false
  for (const line of base.slice(0, at).split('\n')) if (fence.test(line)) isIn = !isIn
  return isIn
}
