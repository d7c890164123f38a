import { breakChange, isBreak, signOf, type BreakChange } from '../../server/domain/break-change.ts'
import type { Mark } from '../../server/contract/records/rendering.ts'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { isDivider } from '../../server/domain/anchors/insertion-place.ts'
import { columnChange } from '../../server/domain/column-change.ts'
import { madeHeading } from '../../server/domain/made-heading.ts'
import { settingChange } from '../../server/domain/setting-change.ts'
import { taskTick } from '../../server/domain/task-tick.ts'
import { spaceBehind } from '../../server/domain/white-space.ts'
import { fence, readDrawn } from '../editor/read-line.ts'
import { piecesOf } from '../editor/suggesting/suggested-pieces.ts'
import { nameOfAuthor } from '../ui/author.ts'
import { charactersIn, rangeOver } from './characters.ts'
import { andMore, firstLines, firstRows } from './first-lines.ts'
import { placeOfInsertion } from './place-of-insertion.ts'
import { areLines, holder, holderAtEdge, holderOf, linesEnded, outermost, putBeside } from './put-beside.ts'
import { putBlockClass, type FileUrl } from './put-blocks.ts'
import { putCellClass, putColumns } from './put-columns.ts'
import { putIn, putInClass } from './put-in.ts'
import { putItemClass } from './put-items.ts'
import { closed, putLines } from './put-lines.ts'
import { putRowClass } from './put-rows.ts'
import {
  changedLooks,
  isInName,
  isInSigns,
  lineBefore,
  shownPieces,
  shownWords,
  type ShownPiece,
} from './shown-pieces.ts'
import { elementsOf, looksThatGo, type Look } from './looks-of-words.ts'
import { isElement } from './points.ts'
import type { RenderedText } from './rendered-text.ts'
import { markTaken, unmarkTaken } from './taken-words.ts'
import './suggestions-in-text.css'

const goesPlainClass = 'goes-plain'
type PutPiece = Pick<ShownPiece, 'side' | 'insert' | 'words' | 'ends'> &
  Partial<Pick<ShownPiece, 'line' | 'lead' | 'leaves' | 'takes' | 'isSetting'>>

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
  fileUrl: FileUrl,
): Drawn {
  const range = pane.rangeOf(mark)
  const drawn: Drawn = { taken: [], put: [], plain: [] }
  const by = `Suggested by ${nameOfAuthor(suggestion) || 'somebody'}`
  if (!range) return drawn
  const page = pane.element.ownerDocument
  const drawIn = (words: string, says = '', goes = false) => {
    const element = putIn(page, { id: suggestion.id, by, words, colour, says, goes, fileUrl })
    drawn.put.push(element)
    return element
  }
  const put = (
    place: Range,
    {
      side,
      insert,
      words: read,
      ends,
      line = '',
      lead = '',
      leaves = [],
      takes = [],
      isSetting = false,
    }: PutPiece,
    where: { outside?: string; after?: string } = {},
  ) => {
    if (read.trim() === '') return
    const isRaw =
      !ends && !isSetting && isInCode(place, side, leaves, where.outside) && !anyFence.test(insert)
    const words = isRaw ? firstOfCode(insert) : read
    // Lines of code may begin further in.
    const isOfCode =
      holderOf(place, side)?.matches('pre') && insert.trimEnd() !== '' && /\n[ \t]*$/.test(insert)
    if (
      !ends &&
      !isSetting &&
      (areLines(insert) || isOfCode) &&
      putLines(pane, { place, side, insert: lead + insert, line, fileUrl }, drawIn)
    )
      return
    const isWithin = !ends && !isSetting && !isRaw && holderAtEdge(place, side) === null
    const shown = isWithin ? withEnds(insert, words) : words
    const says = ends ?? (shown.includes(paragraphSign) ? newParagraph : null)
    const element = drawIn(shown, says ? said(says) : '', ends?.does === 'joins')
    putBeside(pane, element, place, {
      side,
      words: insert,
      closed,
      outside: isSetting ? '*' : elementsOf(leaves),
      ...where,
    })
    lookAs(element, takes, leaves)
    element.classList.toggle('setting', isSetting)
  }
  const { original_text: original, suggested_text: suggested } = suggestion
  const { prefix = '', suffix = '' } = suggestion.anchor ?? {}
  // The box isn’t drawn anew: the card says it.
  if (taskTick(prefix, { original, suggested }, suffix)) return drawn
  if (isInName(prefix, suffix) || isInSigns(prefix, suffix)) return drawn
  if (suggested.trim() === '' && isDivider(original)) return drawn
  const columns = columnChange(original, suggested)
  const table = columns?.does === 'in' ? holderOf(range, 'before')?.closest('table') : null
  if (columns && table) {
    const rows = firstRows(columns.rows).map((cells) => cells.map(readDrawn))
    putColumns(table, columns.at, rows, drawIn)
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
    // What has ended there already parts it from the words before, as at the end of a text.
    const lead = side === 'behind' ? '\n'.repeat(linesEnded(prefix)) : ''
    put(
      place,
      { side, insert, takes, line, lead, words: isApart ? ` ${words.trimEnd()}` : words },
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

function firstOfCode(insert: string): string {
  const { shown, isCut } = firstLines(insert)
  return isCut ? `${shown}${andMore}` : shown
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

const newParagraph: BreakChange = { does: 'splits', what: 'paragraph' }
const paragraphSign = signOf(newParagraph)

/** What is put in within a line, with signs where its first line is to begin or its last one to end that. */
function withEnds(insert: string, words: string): string {
  const [lead] = /^\s*(?:(?:[-+*]|\d{1,9}[.)])\s+)?/.exec(insert)!
  const [begins, ends] = [lead, spaceBehind(insert)].map((white) => {
    const found = breakChange('', white)
    return found !== null && found.what !== 'line'
  })
  const shown = begins ? `${paragraphSign}\n${words.trimStart()}` : words
  return ends ? `${shown.trimEnd()}${paragraphSign}` : shown
}

const said = ({ does, what }: BreakChange) =>
  does === 'joins' ? `Joined with the next ${what}` : `New ${what}`
