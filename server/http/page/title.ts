import { limits } from '../../contract/limits.ts'
import { withoutCrowds } from '../../markdown/crowded-marks.ts'
import { markup, type Html } from './markup.ts'

/** What a document is called where its title is blank. */
export const shownTitle = (title: string) => withoutCrowds(title.trim()) || 'Untitled'

/** The title above the text, unless the text opens with it itself. */
export function titleBlock(
  title: string,
  headings: readonly { level: number; text: string }[],
): Html | false {
  const first = headings[0]
  // A heading much longer than any title is none, and normalizing one may take the square of its length.
  const comparable = first?.level === 1 && first.text.length <= 4 * limits.titleLength
  if (comparable && fold(first.text) === fold(withoutCrowds(title))) return false
  return markup`<h1 class="title" dir="auto">${shownTitle(title)}</h1>`
}

const fold = (text: string) => text.normalize('NFC').replace(/\s+/gu, ' ').trim().toLowerCase()
