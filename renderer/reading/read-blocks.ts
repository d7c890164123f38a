import { cellsOf, isRow } from '../../server/domain/table-rows.ts'
import { mathsBlock } from '../../server/markdown/maths.ts'
import { asDrawn, fence, readDrawn, readWithFormulas } from '../editor/read-line.ts'
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
  const blocks = readBlocks(linesOf(shown), { cells: firstCells, words: readDrawn })
  return isCut ? [...blocks, { kind: 'paragraph', words: andMore }] : blocks
}

/** All of them, with formulas to be drawn. */
export const allBlocksIn = (source: string): PutBlock[] =>
  readBlocks(linesOf(source), { cells: (cells) => [...cells], words: readWithFormulas })

const linesOf = (source: string) => source.trimEnd().split(/\r?\n/)

/** How cells and words are shown: all of them as words, or the first as they are drawn. */
interface Reading {
  cells: typeof firstCells
  words: typeof readDrawn
}

function readBlocks(lines: readonly string[], reading: Reading): PutBlock[] {
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
    const formula = formulaAt(lines, at)
    if (line.trim() === '') at++
    else if (formula) {
      at += formula.lines
      blocks.push({ kind: 'paragraph', words: asDrawn(`$$${formula.tex}$$`) })
    } else if (fence.test(line)) {
      at++
      blocks.push({ kind: 'code', words: take((one) => !fence.test(one)).join('\n') })
      at++
    } else if (signs !== undefined) {
      at++
      blocks.push({ kind: 'heading', level: signs.length, words: headingWords(words, reading) })
    } else if (rule.test(line)) {
      at++
      blocks.push({ kind: 'rule' })
    } else if (quoted.test(line)) {
      const within = take((one) => quoted.test(one)).map((one) => one.replace(/^(?: {0,3}>[ \t]?)+/, ''))
      blocks.push({ kind: 'quote', blocks: readBlocks(within, reading) })
    } else if (isTable(lines, at)) {
      const [head, below, ...rows] = take((one) => one.trim() !== '' && (isRow(one) || areSides(one)))
      const cells = [head!, ...rows].map((row) => reading.cells(cellsOf(row)).map(reading.words))
      const sides = cellsOf(below!).map(sideOf).slice(0, cells[0]!.length)
      blocks.push({ kind: 'table', rows: cells, sides })
    } else if (isItem(line)) {
      const items = readItems(take((one) => isItem(one)).join('\n'), reading.words)
      if (items) blocks.push({ kind: 'list', items })
    } else
      blocks.push(
        paragraphOf(
          take((one) => one === line || !begins(one)),
          reading,
        ),
      )
  }
  return blocks
}

/** Nothing but a picture, perhaps with a title. */
export const picture = /^!\[([^[\]]*)\]\(<?([^()\s<>]+)>?(?:[ \t]+(?:"[^"]*"|'[^']*'))?\)$/

const headingWords = (words: string, reading: Reading) =>
  reading.words(words.trimEnd().replace(headingEnds, '').trimEnd())

const mathsFence = /^ {0,3}(`{3,}|~{3,})[ \t]*math\b/

/** The formula that stands on lines of its own from one on. */
function formulaAt(lines: readonly string[], at: number): { tex: string; lines: number } | null {
  const [, sign] = mathsFence.exec(lines[at]!) ?? []
  if (sign !== undefined) {
    let end = at + 1
    while (end < lines.length && !lines[end]!.trim().startsWith(sign)) end++
    return { tex: lines.slice(at + 1, end).join('\n'), lines: Math.min(end + 1, lines.length) - at }
  }
  if (!/^ {0,3}\$\$/.test(lines[at]!)) return null
  // No further than a dollar, at which it ends or is none.
  let end = at + 1
  if (!lines[at]!.replace('$$', '').includes('$'))
    while (end < lines.length && !lines[end++]!.includes('$')) continue
  const [all, tex] = mathsBlock.exec(lines.slice(at, end).join('\n')) ?? []
  return all === undefined ? null : { tex: tex!.trim(), lines: all.trimEnd().split('\n').length }
}

const begins = (line: string) =>
  line.trim() === '' || [fence, heading, quoted].some((sign) => sign.test(line)) || isItem(line)

const isTable = (lines: readonly string[], at: number) =>
  isRow(lines[at]!) &&
  areSides(lines[at + 1] ?? '') &&
  cellsOf(lines[at]!).length === cellsOf(lines[at + 1]!).length

function paragraphOf(lines: readonly string[], reading: Reading): PutBlock {
  const end = lines.findIndex((line, i) => i > 0 && underline.test(line))
  const words = reading.words((end < 0 ? lines : lines.slice(0, end)).map((line) => line.trim()).join(' '))
  const [all, alt, src] = lines.length === 1 ? (picture.exec(lines[0]!.trim()) ?? []) : []
  if (all !== undefined) return { kind: 'picture', words: alt!.trim() || 'a picture', src: src! }
  if (end < 0) return { kind: 'paragraph', words }
  return { kind: 'heading', level: lines[end]!.includes('=') ? 1 : 2, words }
}

function sideOf(cell: string): string {
  if (cell.endsWith(':')) return cell.startsWith(':') ? 'center' : 'right'
  return cell.startsWith(':') ? 'left' : ''
}
