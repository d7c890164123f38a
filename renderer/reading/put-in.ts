import { colourOf } from '../ui/person-colour.ts'
import type { FileUrl } from './put-blocks.ts'
import { drawnParts } from './drawn-parts.ts'

export const putInClass = 'put-in'

interface PutIn {
  id: string
  by: string
  words: string
  colour: number
  /** What they are or do, where they don’t say so themselves. */
  says: string
  /** What they stand for is to go. */
  goes: boolean
  fileUrl: FileUrl
}

/** What holds words that aren’t in the text, with the formulas and pictures among them; all else in them is text. */
export function putIn(page: Document, { id, by, words, colour, says, goes, fileUrl }: PutIn): HTMLElement {
  const element = page.createElement(goes ? 'del' : 'ins')
  element.className = `${putInClass} ${colourOf(colour)}${goes ? ' goes' : ''}`
  element.dataset.suggestion = id
  // Neither an insertion nor a deletion may have a name of its own.
  element.setAttribute('aria-description', says === '' ? by : `${says}. ${by}`)
  element.title = by
  // In a tree of its own they are found in the page, but are none of its text: not counted, selected or copied with it.
  const shown = page.createElement('span')
  shown.attachShadow({ mode: 'open' }).append(pause(page), ...drawnParts(page, words, fileUrl), pause(page))
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
