import type { Mark } from '../../server/contract/records/rendering.ts'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { withoutCrowds } from '../../server/markdown/crowded-marks.ts'
import { piecesOf } from '../editor/suggesting/suggested-pieces.ts'
import { nameOfAuthor } from '../ui/author.ts'
import { colourOf } from '../ui/person-colour.ts'
import { charactersIn, rangeOver } from './characters.ts'
import { placeOfInsertion } from './place-of-insertion.ts'
import { putBeside } from './put-beside.ts'
import { isInSigns, shownPieces, shownWords, type ShownPiece } from './shown-pieces.ts'
import type { RenderedText } from './rendered-text.ts'
import { markTaken, unmarkTaken } from './taken-words.ts'
import './suggestions-in-text.css'

export const putInClass = 'put-in'
/** Stands for a paragraph that begins there. */
const newParagraph = '¶'
type PutPiece = Pick<ShownPiece, 'side' | 'insert' | 'words'>
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
  const put = (
    place: Range,
    { side, insert, words }: PutPiece,
    where: { outside?: boolean; after?: string } = {},
  ) => {
    if (words.trim() === '') return
    const element = putIn(pane.element.ownerDocument, suggestion.id, by, words, colour)
    putBeside(pane, element, place, { side, words: insert, closed, ...where })
    drawn.put.push(element)
  }
  if (suggestion.original_text.trim() === '') {
    const { prefix = '', suffix = '' } = suggestion.anchor ?? {}
    if (isInSigns(prefix, suffix)) return drawn
    const { place, side, isApart, outside } = placeOfInsertion(pane, range, suggestion)
    const insert = suggestion.suggested_text
    if (isNewParagraph(suggestion)) {
      put(place, { side, insert: newParagraph, words: newParagraph }, { outside })
      for (const element of drawn.put) element.setAttribute('aria-description', `New paragraph. ${by}`)
      return drawn
    }
    const words = shownWords('', insert, side === 'before')
    // Behind what replaces the words before, and in the order in which they came.
    put(
      place,
      { side, insert, words: isApart ? ` ${words.trimEnd()}` : words },
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
    if (taken) drawn.taken.push(taken)
    if (place) put(place, piece)
  }
  for (const taken of drawn.taken) pane.followed.add(taken)
  // Once all is put in, which the words that go aren’t around.
  markTaken(pane, drawn.taken, suggestion.id, by)
  return drawn
}

const blankLine = /\n[ \t]*\n/

/** Whether it does nothing but part a paragraph in two. */
const isNewParagraph = ({ original_text, suggested_text }: Suggestion) =>
  suggested_text.trim() === '' && blankLine.test(suggested_text) && !blankLine.test(original_text)

/** Takes away what was drawn; what it stood in is one text again. */
export function undraw(pane: RenderedText, id: string, { taken, put }: Drawn): void {
  for (const range of taken) pane.followed.delete(range)
  unmarkTaken(pane, id)
  for (const element of put) {
    const parent = element.parentNode
    element.remove()
    parent?.normalize()
  }
}

function putIn(page: Document, id: string, by: string, words: string, colour: number): HTMLElement {
  const element = page.createElement('ins')
  element.className = `${putInClass} ${colourOf(colour)}`
  element.dataset.suggestion = id
  // An insertion may not have a name of its own.
  element.setAttribute('aria-description', by)
  element.title = by
  // In a tree of its own they are found in the page, but are none of its text: not counted, selected or copied with it.
  const said = page.createElement('span')
  said.attachShadow({ mode: 'open' }).append(withoutCrowds(words))
  element.append(said)
  return element
}
