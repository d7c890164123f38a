import { leavesNote } from '../../server/markdown/footnotes.ts'
import { storedName } from '../editor/files/stored-name.ts'
import { isElement, offsetOf } from './points.ts'
import { beyond, holderAtEdge, linesEnded, outermost } from './put-beside.ts'
import { makeItems } from './put-items.ts'
import type { PutBlock } from './read-blocks.ts'

/** Headings, tables and other blocks that aren’t in the text. */
export const putBlockClass = 'put-block'
const putClasses = `.put-in, .${putBlockClass}`

/** What `draw` makes holds words; `says` is what they are, where neither they nor what they stand in say so. */
type Draw = (words: string, says?: string) => HTMLElement

/** Where a file of the document is. */
export type FileUrl = (name: string) => string

/** Where lines stand beside words: what they come before or behind, or null where only the words themselves tell. */
export interface LinesPlace {
  beside: Element | null
  side: 'before' | 'behind'
  /** The lines, without the signs of what they stand in. */
  source: string
  /** They go on with the paragraph beside them. */
  goesOn: boolean
}

const signs: Record<string, RegExp> = { BLOCKQUOTE: /^ {0,3}>[ \t]?/, LI: /^(?: {2,4}|\t)/ }
const standsAlone = 'p, h1, h2, h3, h4, h5, h6, pre, blockquote, ul, ol, table, .table'
const begins = /^(?:#{1,6}(?:\s|$)|(?:[-+*]|\d{1,9}[.)])(?:\s|$)|`{3}|~{3}|>|\||[-=*_]{3,}\s*$)/

/** Where lines stand that are put in beside a range; null where its words don’t begin or end a line. */
export function placeOfLines(range: Range, side: 'before' | 'behind', insert: string): LinesPlace | null {
  const holder = holderAtEdge(range, side)
  if (!holder) return null
  const note = holder.closest('.footnotes > ol > li')
  if (note && leavesNote(insert)) return { ...placeOfNote(note), source: insert, goesOn: false }
  const root = note?.parentElement ?? holder.closest('.b') ?? holder
  const around: Element[] = []
  for (let at: Element | null = holder; at && at !== root; at = at.parentElement)
    if (signs[at.tagName]) around.unshift(at)
  let lines = insert.trimEnd().split(/\r?\n/)
  const first = lines.findIndex((line) => /[^\s>]/.test(line))
  // As far in as their own signs say.
  const outer = around.find((one) => {
    const sign = signs[one.tagName]!
    if (!sign.test(lines[first] ?? '')) return true
    lines = lines.map((line) => line.replace(sign, ''))
    return false
  })
  const source = lines.join('\n').replace(/^(?:[ \t>]*\n)+/, '')
  const isNext = side === 'behind' ? /^\r?\n(?!\r?\n)/.test(insert) && first <= 1 : linesEnded(insert) < 2
  const isParagraph = holder.matches('p, li, dd') && !lines.slice(first).some((line) => line.trim() === '')
  const goesOn = isNext && isParagraph && !begins.test(source.trimStart())
  const whole = outermost(holder, 'table, .table') ?? holder
  const until = outer && (outer.matches('li') ? outer.parentElement! : outer)
  let beside = whole
  // What stands behind a place within a list can’t stand behind all of the list.
  while (until?.contains(beside.parentElement) && beyond(beside, side).every(hasNoText))
    beside = beside.parentElement!
  return { beside: beside.matches(standsAlone) ? beside : null, side, source, goesOn }
}

/** Where the source of a footnote stands in the text, which shows elsewhere. */
function placeOfNote(note: Element): Pick<LinesPlace, 'beside' | 'side'> {
  const at = offsetOf(note.querySelector('[data-b]')!)
  const blocks = [...note.closest('.footnotes')!.parentElement!.querySelectorAll(':scope > [data-b]')]
  const last = blocks.findLast((block) => offsetOf(block) < at)
  const block = last ?? blocks[0]!
  return last
    ? { beside: block.lastElementChild ?? block, side: 'behind' }
    : { beside: block.firstElementChild ?? block, side: 'before' }
}

const hasNoText = ({ textContent }: Node) => textContent?.trim() === ''

/** Puts something beside an element, behind what is put there already. */
export function putNextTo(element: Element, put: Element, side: 'before' | 'behind'): void {
  if (side === 'before') return element.before(put)
  let last = element
  for (
    let next = last.nextSibling;
    next && isElement(next) && next.matches(putClasses);
    next = next.nextSibling
  )
    last = next
  last.after(put)
}

/** What blocks will be, marked as put in. */
export function makeBlocks(
  page: Document,
  blocks: readonly PutBlock[],
  draw: Draw,
  fileUrl: FileUrl,
): HTMLElement {
  const whole = page.createElement('div')
  whole.className = putBlockClass
  whole.append(...blocks.map((block) => makeBlock(page, block, draw, fileUrl)))
  return whole
}

function makeBlock(page: Document, block: PutBlock, draw: Draw, fileUrl: FileUrl): HTMLElement {
  const make = (name: string, ...within: HTMLElement[]) => {
    const element = page.createElement(name)
    element.append(...within)
    return element
  }
  switch (block.kind) {
    case 'heading':
      return make(`h${block.level}`, draw(block.words))
    case 'code':
      return make('pre', draw(block.words, 'New code'))
    case 'rule': {
      const sign = make('div', draw('⁂', 'New divider'))
      sign.className = 'put-rule'
      return sign
    }
    case 'quote':
      return make('blockquote', ...block.blocks.map((one) => makeBlock(page, one, draw, fileUrl)))
    case 'list': {
      const { number } = block.items[0]!
      const list = make(number === null ? 'ul' : 'ol', ...makeItems(page, block.items, draw, number))
      if (number !== null) (list as HTMLOListElement).start = number
      return list
    }
    case 'table': {
      const table = make(
        'table',
        makeHead(),
        make('tbody', ...block.rows.slice(1).map((row) => makeRow(row, 'td'))),
      )
      const around = make('div', table)
      around.className = 'table'
      // As those of the text, so that it is scrolled by keys, too.
      around.role = 'region'
      around.ariaLabel = 'New table'
      around.tabIndex = 0
      return around
    }
    case 'picture': {
      const name = storedName(block.src)
      // Of one that isn’t the document’s the page shows what is said of it, in a frame.
      const shown = draw(name === null ? block.words : '', 'New picture')
      shown.classList.add('lines', 'put-picture')
      if (name === null) shown.firstElementChild!.classList.add('img')
      else {
        const image = page.createElement('img')
        image.src = fileUrl(name)
        image.alt = block.words
        shown.append(image)
      }
      return shown
    }
    case 'paragraph': {
      // No `p`, which a selection across it would have lines of.
      const words = draw(block.words)
      words.classList.add('lines')
      return words
    }
  }
  function makeHead() {
    return make('thead', ...(block.kind === 'table' ? [makeRow(block.rows[0]!, 'th')] : []))
  }
  function makeRow(cells: readonly string[], name: 'th' | 'td') {
    const sides = block.kind === 'table' ? block.sides : []
    return make(
      'tr',
      // As many as the head has: more won’t be shown.
      ...sides.map((side, i) => {
        const cell = make(name, ...(cells[i] ? [draw(cells[i])] : []))
        if (name === 'th') cell.setAttribute('scope', 'col')
        if (side !== '') cell.setAttribute('align', side)
        return cell
      }),
    )
  }
}
