import type { Mark } from '../../server/contract/records/rendering.ts'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { withoutCrowds } from '../../server/markdown/crowded-marks.ts'
import { piecesOf } from '../editor/suggesting/suggested-pieces.ts'
import { nameOfAuthor } from '../ui/author.ts'
import { colourOf } from '../ui/person-colour.ts'
import { isText, textNodes, white } from './points.ts'
import { areLines, putBeside } from './put-beside.ts'
import { shownPieces, shownWords, type ShownPiece } from './shown-pieces.ts'
import type { RenderedText } from './rendered-text.ts'
import { markTaken, unmarkTaken } from './taken-words.ts'
import './suggestions-in-text.css'

export const putInClass = 'put-in'
/** Links, code and summaries may get words; formulas and pictures have none of their own. */
const closed = '.maths, .img, svg'

/** What a suggestion has come to in the text. */
export interface Drawn {
  /** The words that it takes out. */
  taken: Range[]
  /** What says so of them. */
  takenBy: HTMLElement[]
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
  const drawn: Drawn = { taken: [], takenBy: [], put: [] }
  const by = `Suggested by ${nameOfAuthor(suggestion) || 'somebody'}`
  if (!range) return drawn
  const put = (place: Range, { side, insert, words }: Pick<ShownPiece, 'side' | 'insert' | 'words'>) => {
    if (words.trim() === '') return
    const element = putIn(pane.element.ownerDocument, suggestion.id, by, words, colour)
    putBeside(element, place, { side, words: insert, closed })
    drawn.put.push(element)
  }
  if (suggestion.original_text === '') {
    const { place, side } = placeOf(pane, range, suggestion)
    const insert = suggestion.suggested_text
    put(place, { side, insert, words: shownWords('', insert, side === 'before') })
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
  drawn.takenBy.push(...markTaken(pane, drawn.taken, by))
  return drawn
}

/** Takes away what was drawn; what it stood in is one text again. */
export function undraw(pane: RenderedText, { taken, takenBy, put }: Drawn): void {
  for (const range of taken) pane.followed.delete(range)
  unmarkTaken(pane, takenBy)
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

/** Beside which words something is put in that takes nothing out. Its mark is the word before, or else the one behind. */
function placeOf(pane: RenderedText, word: Range, { anchor, suggested_text: words }: Suggestion) {
  const prefix = anchor?.prefix ?? ''
  if (!/\S/.test(prefix)) return { place: word, side: 'before' as const }
  const next = /\s$/.test(prefix) && !areLines(words) ? characterAfter(pane.element, word) : null
  // What begins a word stands with it, also where others take out the one before. Signs don’t show, and tell nothing of it.
  const [first = ''] = anchor?.suffix ?? ''
  const opens = /\n[ \t]*$/.test(prefix) || (/[\p{L}\p{N}]/u.test(first) && next?.toString() === first)
  return next && opens ? { place: next, side: 'before' as const } : { place: word, side: 'behind' as const }
}

function characterAfter(root: Element, range: Range): Range | null {
  const rest = root.ownerDocument.createRange()
  rest.setStart(range.endContainer, range.endOffset)
  rest.setEndAfter(root.lastChild ?? root)
  for (const character of eachCharacter(rest)) return rangeOver([character], 0, 1)
  return null
}

interface Character {
  node: Text
  offset: number
}

const charactersIn = (range: Range): Character[] => [...eachCharacter(range)]

/** Those that aren’t white space, as marks count them. */
function* eachCharacter(range: Range): Generator<Character> {
  const { startContainer, startOffset, endContainer, endOffset } = range
  const root = range.commonAncestorContainer
  for (const node of isText(root) ? [root] : textNodes(root)) {
    if (!range.intersectsNode(node)) continue
    const end = node === endContainer ? endOffset : node.data.length
    for (let offset = node === startContainer ? startOffset : 0; offset < end; offset++)
      if (!white.test(node.data[offset]!)) yield { node, offset }
  }
}

function rangeOver(characters: readonly Character[], from: number, to: number): Range | null {
  const [first, last] = [characters[from], characters[to - 1]]
  if (!first || !last) return null
  const range = first.node.ownerDocument.createRange()
  range.setStart(first.node, first.offset)
  range.setEnd(last.node, last.offset + 1)
  return range
}
