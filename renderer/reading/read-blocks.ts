import { cellsOf, isRow } from '../../server/domain/table-rows.ts'
import { fence, readLine } from '../editor/read-line.ts'
import { andMore, firstCells, firstLines } from './first-lines.ts'
import { isItem, readItems, type PutItem } from './put-items.ts'

/** What lines of source show as, each with words as people read them. */
export type PutBlock =
  | { kind: 'paragraph' | 'code'; words: string }
  | { kind: 'heading'; level: number; words: string }
  | { kind: 'rule' }
  | { kind: 'picture'; words: string; src: string }
  | { kind: 'table'; rows: string[][]; sides: string[] }
  | { kind: 'quote'; blocks: PutBlock[] }
  | { kind: 'list'; items: PutItem[] }

const heading = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/s
const headingEnds = /(?:^|[ \t])#+$/
const underline = /^ {0,3}(=+|-+)[ \t]*$/
const rule = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/
const quoted = /^ {0,3}>[ \t]?/
const sides = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$/
const areSides = (line: string) => sides.test(line.trim())

/** The blocks that lines are, as far as they are shown in the text; quotes within quotes are one. */
export function blocksIn(source: string): PutBlock[] {
  const { shown, isCut } = firstLines(source)
  const blocks = readBlocks(linesOf(shown), firstCells)
  return isCut ? [...blocks, { kind: 'paragraph', words: andMore }] : blocks
}

/** All of them. */
export const allBlocksIn = (source: string): PutBlock[] => readBlocks(linesOf(source), (cells) => [...cells])

const linesOf = (source: string) => source.trimEnd().split(/\r?\n/)

function readBlocks(lines: readonly string[], shownCells: typeof firstCells): PutBlock[] {
  const blocks: PutBlock[] = []
  let at = 0
  /** The lines from here on that are such, without what makes them so. */
  const take = (is: (line: string) => boolean) => {
    const from = at
    while (at < lines.length && is(lines[at]!)) at++
    return lines.slice(from, at)
  }
  while (at < lines.length) {
    const line = lines[at]!
    const [, signs, words = ''] = heading.exec(line) ?? []
    if (line.trim() === '') at++
    else if (fence.test(line)) {
      at++
      blocks.push({ kind: 'code', words: take((one) => !fence.test(one)).join('\n') })
      at++
    } else if (signs !== undefined) {
      at++
      blocks.push({ kind: 'heading', level: signs.length, words: headingWords(words) })
    } else if (rule.test(line)) {
      at++
      blocks.push({ kind: 'rule' })
    } else if (quoted.test(line)) {
      const within = take((one) => quoted.test(one)).map((one) => one.replace(/^(?: {0,3}>[ \t]?)+/, ''))
      blocks.push({ kind: 'quote', blocks: readBlocks(within, shownCells) })
    } else if (isTable(lines, at)) {
      const [head, below, ...rows] = take((one) => one.trim() !== '' && (isRow(one) || areSides(one)))
      const cells = [head!, ...rows].map((row) => shownCells(cellsOf(row)).map(readLine))
      const sides = cellsOf(below!).map(sideOf).slice(0, cells[0]!.length)
      blocks.push({ kind: 'table', rows: cells, sides })
    } else if (isItem(line)) {
      const items = readItems(take((one) => isItem(one)).join('\n'))
      if (items) blocks.push({ kind: 'list', items })
    } else blocks.push(paragraphOf(take((one) => one === line || !begins(one))))
  }
  return blocks
}

/** Nothing but a picture, perhaps with a title. */
const picture = /^!\[([^[\]]*)\]\(<?([^()\s<>]+)>?(?:[ \t]+(?:"[^"]*"|'[^']*'))?\)$/

const headingWords = (words: string) => readLine(words.trimEnd().replace(headingEnds, '').trimEnd())

const begins = (line: string) =>
  line.trim() === '' || [fence, heading, quoted].some((sign) => sign.test(line)) || isItem(line)

const isTable = (lines: readonly string[], at: number) =>
  isRow(lines[at]!) &&
  areSides(lines[at + 1] ?? '') &&
  cellsOf(lines[at]!).length === cellsOf(lines[at + 1]!).length

function paragraphOf(lines: readonly string[]): PutBlock {
  const end = lines.findIndex((line, i) => i > 0 && underline.test(line))
  const words = readLine((end < 0 ? lines : lines.slice(0, end)).map((line) => line.trim()).join(' '))
  const [all, alt, src] = lines.length === 1 ? (picture.exec(lines[0]!.trim()) ?? []) : []
  if (all !== undefined) return { kind: 'picture', words: alt!.trim() || 'a picture', src: src! }
  if (end < 0) return { kind: 'paragraph', words }
  return { kind: 'heading', level: lines[end]!.includes('=') ? 1 : 2, words }
}

function sideOf(cell: string): string {
  if (cell.endsWith(':')) return cell.startsWith(':') ? 'center' : 'right'
  return cell.startsWith(':') ? 'left' : ''
}
