import { breakChange, isBreak, signOf, type BreakChange } from '../../server/domain/break-change.ts'
import type { Mark } from '../../server/contract/records/rendering.ts'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { columnChange } from '../../server/domain/column-change.ts'
import { madeHeading } from '../../server/domain/made-heading.ts'
import { settingChange } from '../../server/domain/setting-change.ts'
import { taskTick } from '../../server/domain/task-tick.ts'
import { withoutCrowds } from '../../server/markdown/crowded-marks.ts'
import { fence, readLine } from '../editor/read-line.ts'
import { rowsIn } from '../editor/read-row.ts'
import { piecesOf } from '../editor/suggesting/suggested-pieces.ts'
import { nameOfAuthor } from '../ui/author.ts'
import { colourOf } from '../ui/person-colour.ts'
import { charactersIn, rangeOver } from './characters.ts'
import { placeOfInsertion } from './place-of-insertion.ts'
import { areLines, holder, holderAtEdge, holderOf, outermost, putBeside } from './put-beside.ts'
import { makeBlocks, placeOfLines, putBlockClass, putNextTo } from './put-blocks.ts'
import { codeLines, putCodeLines } from './put-code.ts'
import { putCellClass, putColumns } from './put-columns.ts'
import { itemsIn, notesIn, putItemClass, putItems } from './put-items.ts'
import { putRowClass, putRows } from './put-rows.ts'
import { blocksIn } from './read-blocks.ts'
import {
  changedLooks,
  isInName,
  isInSigns,
  lineBefore,
  shownPieces,
  shownWords,
  type ShownPiece,
} from './shown-pieces.ts'
import { looksThatGo, type Look } from './looks-of-words.ts'
import { isElement } from './points.ts'
import type { RenderedText } from './rendered-text.ts'
import { markTaken, unmarkTaken } from './taken-words.ts'
import './suggestions-in-text.css'

export const putInClass = 'put-in'
const goesPlainClass = 'goes-plain'
type PutPiece = Pick<ShownPiece, 'side' | 'insert' | 'words' | 'ends'> &
  Partial<Pick<ShownPiece, 'line' | 'leaves' | 'takes' | 'isSetting'>>
/** Links, code and summaries may get words; formulas and pictures have none of their own. */
const closed = '.maths, .img, svg'

/** What a suggestion has come to in the text. */
export interface Drawn {
  /** The words that it takes out. */
  taken: Range[]
  /** What it puts in, which is drawn only and isn’t part of the page’s text. */
  put: HTMLElement[]
  /** What words stand in that will stand in it no longer. */
  plain: Element[]
}

/** Draws what a suggestion puts in at its mark, and finds what it takes out there. */
export function drawSuggestion(
  pane: RenderedText,
  mark: Mark,
  suggestion: Suggestion,
  colour: number,
): Drawn {
  const range = pane.rangeOf(mark)
  const drawn: Drawn = { taken: [], put: [], plain: [] }
  const by = `Suggested by ${nameOfAuthor(suggestion) || 'somebody'}`
  if (!range) return drawn
  const page = pane.element.ownerDocument
  const drawIn = (words: string, says = '', goes = false) => {
    const element = putIn(page, { id: suggestion.id, by, words, colour, says, goes })
    drawn.put.push(element)
    return element
  }
  /** Puts lines where they will stand; false where that can’t be told. */
  const putLines = (place: Range, side: 'before' | 'behind', insert: string, line: string): boolean => {
    const holder = holderOf(place, side)
    const row = holder?.closest('tr')
    const rows = row && rowsIn(insert)
    if (rows) return (putRows(row, side, rows, drawIn), true)
    const code = holder?.closest('pre')
    // What stands beside the sign that begins or ends code isn’t in it.
    if (code && !fence.test(line.trimStart()))
      return (putCodeLines(code, drawIn(codeLines(insert)), place, side), true)
    const item = holderAtEdge(place, side)?.closest('li')
    const items = item && (item.closest('.footnotes') ? notesIn(insert) : itemsIn(insert))
    if (items) return (putItems(item, side, items, line, drawIn), true)
    const lines = placeOfLines(place, side, insert)
    if (!lines) return false
    const blocks = blocksIn(lines.source)
    const [first] = blocks
    if (first === undefined) return false
    if (lines.goesOn && first.kind === 'paragraph' && blocks.length === 1) {
      const element = drawIn(side === 'behind' ? ` ${first.words}` : `${first.words} `)
      putBeside(pane, element, place, {
        side,
        words: first.words,
        closed,
        outside: '*',
        after: `.${putInClass}`,
      })
      return true
    }
    const isPlain = blocks.length === 1 && first.kind === 'paragraph'
    const whole = isPlain ? drawIn(first.words) : makeBlocks(page, blocks, drawIn)
    whole.classList.add('lines')
    if (lines.beside) putNextTo(lines.beside, whole, side)
    else
      putBeside(pane, whole, place, {
        side,
        words: insert,
        closed,
        after: `.${putInClass}, .${putBlockClass}`,
      })
    return true
  }
  const put = (
    place: Range,
    { side, insert, words: read, ends, line = '', leaves = [], takes = [], isSetting = false }: PutPiece,
    where: { outside?: string; after?: string } = {},
  ) => {
    if (read.trim() === '') return
    const isRaw =
      !ends && !isSetting && isInCode(place, side, leaves, where.outside) && !anyFence.test(insert)
    const words = isRaw ? insert : read
    // Lines of code may begin further in.
    const isOfCode =
      holderOf(place, side)?.matches('pre') && insert.trimEnd() !== '' && /\n[ \t]*$/.test(insert)
    if (!ends && !isSetting && (areLines(insert) || isOfCode) && putLines(place, side, insert, line)) return
    const element = drawIn(words, ends ? said(ends) : '', ends?.does === 'joins')
    putBeside(pane, element, place, {
      side,
      words: insert,
      closed,
      outside: isSetting ? '*' : leaves.join(),
      ...where,
    })
    lookAs(element, takes, leaves)
    element.classList.toggle('setting', isSetting)
  }
  const { original_text: original, suggested_text: suggested } = suggestion
  const { prefix = '', suffix = '' } = suggestion.anchor ?? {}
  // The box isn’t drawn anew: the card says it.
  if (taskTick(prefix, { original, suggested }, suffix)) return drawn
  if (isInName(prefix, suffix)) return drawn
  const columns = columnChange(original, suggested)
  const table = columns?.does === 'in' ? holderOf(range, 'before')?.closest('table') : null
  if (columns && table) {
    const { at, rows } = columns
    putColumns(
      table,
      at,
      rows.map((cells) => cells.map(readLine)),
      drawIn,
    )
    return drawn
  }
  if (madeHeading(prefix, original, suggested, suffix)) return drawn
  const setting = settingChange(prefix, original, suggested, suffix)
  if (setting) {
    const { of, words } = setting
    put(range, { side: of === 'language' ? 'before' : 'behind', insert: words, words, isSetting: true })
    return drawn
  }
  if (original.trim() === '' || isBreak(original)) {
    if (isInSigns(prefix, suffix)) return drawn
    const { place, side, isApart, outside } = placeOfInsertion(pane, range, suggestion)
    const insert = suggestion.suggested_text
    const ends = breakChange(suggestion.original_text, insert)
    if (ends) {
      put(place, { side, insert: signOf(ends), words: signOf(ends), ends }, { outside })
      return drawn
    }
    const words = shownWords('', insert, side === 'before')
    // Behind what replaces the words before, and in the order in which they came.
    const line = side === 'before' ? suffix : lineBefore(prefix)
    const { takes } = changedLooks(new Set(), insert, 0, insert)
    put(
      place,
      { side, insert, takes, line, words: isApart ? ` ${words.trimEnd()}` : words },
      { outside, after: `.${putInClass}` },
    )
    return drawn
  }
  // All before the first is put in: it may part the text that the others stand in.
  const characters = charactersIn(range)
  const shown = characters.map(({ node, offset }) => node.data[offset]).join('')
  const changed = piecesOf(suggestion)
  const looks = looksThatGo(original, suggested, changed)
  if (looks.some(({ goes }) => goes)) drawn.plain.push(...goPlain(range, looks))
  const pieces = shownPieces(suggestion, changed, shown).map((piece) => ({
    piece,
    place: rangeOver(characters, piece.at, piece.at + 1),
    taken: piece.from < piece.to ? rangeOver(characters, piece.from, piece.to) : null,
  }))
  for (const { piece, place, taken } of pieces) {
    // Of a formula a part shows nowhere by itself: only the card tells what changes in it.
    if (place && isInFormula(place) && !suggestion.original_text.includes('$')) continue
    if (taken) drawn.taken.push(taken)
    if (place) put(place, piece)
  }
  for (const taken of drawn.taken) pane.followed.add(taken)
  // Once all is put in, which the words that go aren’t around.
  markTaken(pane, drawn.taken, suggestion.id, by)
  return drawn
}

/** Has what words stand in look like none, where the source says that they will stand in it no longer. */
function goPlain(range: Range, looks: ReturnType<typeof looksThatGo>): Element[] {
  const { commonAncestorContainer: root } = range
  const around = isElement(root) ? root : root.parentElement!
  // A single word may be all of what it stands in.
  const within = outermost(around, 'strong, em, del, a, code')?.parentElement ?? around
  const plain = [...new Set(looks.map(({ look }) => look))].flatMap((look) => {
    const of = looks.filter((one) => one.look === look)
    const found = [...within.querySelectorAll(`${look}:not(.img, .footnote-ref, .${putInClass})`)].filter(
      (one) => range.intersectsNode(one),
    )
    return found.length === of.length ? found.filter((_, i) => of[i]!.goes) : []
  })
  for (const element of plain) element.classList.add(goesPlainClass)
  return plain
}

/** What is put in looks as it will once it is in the text, whatever it has to stand in by then. */
function lookAs(element: HTMLElement, takes: readonly Look[], leaves: readonly Look[]): void {
  element.classList.add(...takes)
  const line = leaves.length > 0 && element.closest(leaves.join()) ? element.closest(holder) : null
  const style = line && element.ownerDocument.defaultView?.getComputedStyle(line)
  if (!style) return
  element.style.fontWeight = style.fontWeight
  element.style.fontStyle = style.fontStyle
}

const anyFence = new RegExp(fence.source, 'm')

/** Whether what is put in there is code, whose signs are its own. */
function isInCode(place: Range, side: 'before' | 'behind', leaves: readonly Look[], outside = ''): boolean {
  const at = side === 'before' ? place.startContainer : place.endContainer
  const code = (isElement(at) ? at : at.parentElement)?.closest('pre, code')
  return !!code && (code.closest('pre') !== null || (outside !== '*' && !leaves.includes('code')))
}

const isInFormula = ({ startContainer }: Range) => startContainer.parentElement?.closest('.maths') != null

/** Takes away what was drawn; what it stood in is one text again. */
export function undraw(pane: RenderedText, id: string, { taken, put, plain }: Drawn): void {
  for (const range of taken) pane.followed.delete(range)
  unmarkTaken(pane, id)
  for (const element of plain) element.classList.remove(goesPlainClass)
  for (const element of put) {
    const whole =
      element.closest(`.${putRowClass}, .${putItemClass}, .${putBlockClass}, .${putCellClass}`) ?? element
    const parent = whole.parentNode
    whole.remove()
    parent?.normalize()
  }
}

interface PutIn {
  id: string
  by: string
  words: string
  colour: number
  /** What they are or do, where they don’t say so themselves. */
  says: string
  /** What they stand for is to go. */
  goes: boolean
}

function putIn(page: Document, { id, by, words, colour, says, goes }: PutIn): HTMLElement {
  const element = page.createElement(goes ? 'del' : 'ins')
  element.className = `${putInClass} ${colourOf(colour)}${goes ? ' goes' : ''}`
  element.dataset.suggestion = id
  // Neither an insertion nor a deletion may have a name of its own.
  element.setAttribute('aria-description', says === '' ? by : `${says}. ${by}`)
  element.title = by
  // In a tree of its own they are found in the page, but are none of its text: not counted, selected or copied with it.
  const shown = page.createElement('span')
  shown.attachShadow({ mode: 'open' }).append(pause(page), withoutCrowds(words), pause(page))
  element.append(shown)
  return element
}

/** Names of headings and cells are made of their words, which would run together with those that go. */
function pause(page: Document): HTMLElement {
  const element = page.createElement('span')
  element.style.position = 'absolute'
  element.textContent = ' '
  return element
}

const said = ({ does, what }: BreakChange) =>
  does === 'joins' ? `Joined with the next ${what}` : `New ${what}`
