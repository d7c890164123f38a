import { rowsIn } from '../../server/domain/table-rows.ts'
import { fence, readDrawn } from '../editor/read-line.ts'
import { andMore, firstLines } from './first-lines.ts'
import { holderAtEdge, holderOf, putBeside } from './put-beside.ts'
import { makeBlocks, placeOfLines, putBlockClass, putNextTo, type FileUrl } from './put-blocks.ts'
import { codeLines, putCodeLines } from './put-code.ts'
import { itemsIn, notesIn, putItems } from './put-items.ts'
import { putInClass } from './put-in.ts'
import { putRows } from './put-rows.ts'
import { blocksIn } from './read-blocks.ts'
import type { RenderedText } from './rendered-text.ts'

/** Links, code and summaries may get words; formulas and pictures have none of their own. */
export const closed = '.maths, .img, svg'

interface PutLines {
  place: Range
  side: 'before' | 'behind'
  /** Their source. */
  insert: string
  /** The line of the source that ends there, or begins, as far as it is known. */
  line: string
  fileUrl: FileUrl
}

/** Puts lines where they will stand, the first of them where they are many; false where that can’t be told. */
export function putLines(
  pane: RenderedText,
  { place, side, insert, line, fileUrl }: PutLines,
  drawIn: (words: string, says?: string) => HTMLElement,
): boolean {
  const { shown, isCut } = firstLines(insert)
  const holder = holderOf(place, side)
  const row = holder?.closest('tr')
  const rows = row && rowsIn(shown)?.map((cells) => cells.map(readDrawn))
  if (rows) return (putRows(row, side, isCut ? [...rows, [andMore]] : rows, drawIn), true)
  const code = holder?.closest('pre')
  if (code && isLineOf(code, line)) {
    const words = codeLines(isCut ? `${shown}\n${andMore}` : shown)
    return (putCodeLines(code, drawIn(words), place, side), true)
  }
  const item = holderAtEdge(place, side)?.closest('li')
  const items = item && (item.closest('.footnotes') ? notesIn(shown) : itemsIn(shown))
  if (items) {
    if (isCut) items.push({ ...items[0]!, box: null, words: andMore })
    return (putItems(item, side, items, line, drawIn), true)
  }
  return putBlocks(pane, { place, side, insert, fileUrl }, drawIn)
}

/** Whether a line of the source is one of some code’s: what stands beside the sign that begins or ends code isn’t in it. */
const isLineOf = (code: Element, line: string): boolean =>
  !fence.test(line.trimStart()) && code.textContent.includes(line.split(/\r?\n/)[0]!.replace(/^[\s>]+/, ''))

function putBlocks(
  pane: RenderedText,
  { place, side, insert, fileUrl }: Omit<PutLines, 'line'>,
  drawIn: (words: string, says?: string) => HTMLElement,
): boolean {
  const lines = placeOfLines(place, side, insert)
  if (!lines) return false
  const blocks = blocksIn(lines.source)
  const [first] = blocks
  if (first === undefined) return false
  const isPlain = blocks.length === 1 && first.kind === 'paragraph'
  if (lines.goesOn && isPlain) {
    const element = drawIn(side === 'behind' ? ` ${first.words}` : `${first.words} `)
    const { words } = first
    putBeside(pane, element, place, { side, words, closed, outside: '*', after: `.${putInClass}` })
    return true
  }
  const whole = isPlain
    ? drawIn(first.words)
    : makeBlocks(pane.element.ownerDocument, blocks, drawIn, fileUrl)
  whole.classList.add('lines')
  const after = `.${putInClass}, .${putBlockClass}`
  if (lines.beside) putNextTo(lines.beside, whole, lines.side)
  else putBeside(pane, whole, place, { side, words: insert, closed, after })
  return true
}
