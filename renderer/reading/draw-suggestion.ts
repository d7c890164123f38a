import { breakChange, isBreak, signOf, type BreakChange } from '../../server/domain/break-change.ts'
import type { Mark } from '../../server/contract/records/rendering.ts'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { settingChange } from '../../server/domain/setting-change.ts'
import { taskTick } from '../../server/domain/task-tick.ts'
import { withoutCrowds } from '../../server/markdown/crowded-marks.ts'
import { rowsIn } from '../editor/read-row.ts'
import { piecesOf } from '../editor/suggesting/suggested-pieces.ts'
import { nameOfAuthor } from '../ui/author.ts'
import { colourOf } from '../ui/person-colour.ts'
import { charactersIn, rangeOver } from './characters.ts'
import { placeOfInsertion } from './place-of-insertion.ts'
import { areLines, holder, holderAtEdge, holderOf, putBeside } from './put-beside.ts'
import { itemsIn, putItemClass, putItems } from './put-items.ts'
import { putRowClass, putRows } from './put-rows.ts'
import {
  changedLooks,
  isInSigns,
  lineBefore,
  shownPieces,
  shownWords,
  type ShownPiece,
} from './shown-pieces.ts'
import type { Look } from './looks-of-words.ts'
import type { RenderedText } from './rendered-text.ts'
import { markTaken, unmarkTaken } from './taken-words.ts'
import './suggestions-in-text.css'

export const putInClass = 'put-in'
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
}

/** Draws what a suggestion puts in at its mark, and finds what it takes out there. */
export function drawSuggestion(
  pane: RenderedText,
  mark: Mark,
  suggestion: Suggestion,
  colour: number,
): Drawn {
  const range = pane.rangeOf(mark)
  const drawn: Drawn = { taken: [], put: [] }
  const by = `Suggested by ${nameOfAuthor(suggestion) || 'somebody'}`
  if (!range) return drawn
  const drawIn = (words: string, ends?: BreakChange) => {
    const element = putIn(pane.element.ownerDocument, { id: suggestion.id, by, words, colour, ends })
    drawn.put.push(element)
    return element
  }
  const put = (
    place: Range,
    { side, insert, words, ends, line = '', leaves = [], takes = [], isSetting = false }: PutPiece,
    where: { outside?: string; after?: string } = {},
  ) => {
    if (words.trim() === '') return
    const row = areLines(insert) ? holderOf(place, side)?.closest('tr') : null
    const rows = row && rowsIn(insert)
    const item = areLines(insert) ? holderAtEdge(place, side)?.closest('li') : null
    const items = item && itemsIn(insert)
    if (row && rows) putRows(row, side, rows, drawIn)
    else if (item && items) putItems(item, side, items, line, drawIn)
    else {
      const element = drawIn(words, ends)
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
  }
  const { original_text: original, suggested_text: suggested } = suggestion
  const { prefix = '', suffix = '' } = suggestion.anchor ?? {}
  // The box isn’t drawn anew: the card says it.
  if (taskTick(prefix, { original, suggested }, suffix)) return drawn
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
  const pieces = shownPieces(suggestion, piecesOf(suggestion), shown).map((piece) => ({
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

/** What is put in looks as it will once it is in the text, whatever it has to stand in by then. */
function lookAs(element: HTMLElement, takes: readonly Look[], leaves: readonly Look[]): void {
  element.classList.add(...takes)
  const line = leaves.length > 0 && element.closest(leaves.join()) ? element.closest(holder) : null
  const style = line && element.ownerDocument.defaultView?.getComputedStyle(line)
  if (!style) return
  element.style.fontWeight = style.fontWeight
  element.style.fontStyle = style.fontStyle
}

const isInFormula = ({ startContainer }: Range) => startContainer.parentElement?.closest('.maths') != null

/** Takes away what was drawn; what it stood in is one text again. */
export function undraw(pane: RenderedText, id: string, { taken, put }: Drawn): void {
  for (const range of taken) pane.followed.delete(range)
  unmarkTaken(pane, id)
  for (const element of put) {
    const whole = element.closest(`.${putRowClass}, .${putItemClass}`) ?? element
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
  ends: BreakChange | undefined
}

function putIn(page: Document, { id, by, words, colour, ends }: PutIn): HTMLElement {
  const goes = ends?.does === 'joins'
  const element = page.createElement(goes ? 'del' : 'ins')
  element.className = `${putInClass} ${colourOf(colour)}${goes ? ' goes' : ''}`
  element.dataset.suggestion = id
  // Neither an insertion nor a deletion may have a name of its own.
  element.setAttribute('aria-description', ends ? `${said(ends)}. ${by}` : by)
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
