import type { Mark } from '../../../server/contract/records/rendering.ts'
import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import { wordReplacements } from '../../../server/domain/change-set.ts'
import { storedName } from '../../editor/files/stored-name.ts'
import { findPassage, partOf, rangeOf } from '../../reading/points.ts'

/** A text as it would be if these were accepted, as far as their words stand in it and none is in another’s way. */
export function acceptedText(
  content: string,
  suggestions: readonly Pick<Suggestion, 'range' | 'original_text' | 'suggested_text'>[],
): string {
  const changes = suggestions
    .flatMap(({ range, original_text, suggested_text }) =>
      range && content.slice(range.start, range.end) === original_text
        ? wordReplacements(content, range.start, range.end, suggested_text)
        : [],
    )
    .sort((a, b) => a.from - b.from)
  let text = ''
  let at = 0
  for (const { from, to, insert } of changes) {
    if (from < at) continue
    text += content.slice(at, from) + insert.toString()
    at = to
  }
  return text + content.slice(at)
}

/** Puts another rendering in the place of a text; `fileUrl` says where a file of the document is. */
export function showRendered(element: Element, html: string, fileUrl: (name: string) => string): void {
  // Sanitised by the renderer. It loads nothing before it is on the page.
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const picture of body.querySelectorAll('img')) {
    const name = storedName(picture.getAttribute('src') ?? '')
    if (name !== null) picture.src = fileUrl(name)
  }
  element.replaceChildren(...body.childNodes)
}

/** A mark on the same words in another rendering. */
export function foundAgain(mark: Mark, original: Element, now: Element): Mark | null {
  const words = rangeOf(original, mark)?.toString() ?? ''
  const passage = findPassage(now, words, partOf(original, mark))
  return passage && { ...mark, ...passage }
}
