import { withoutQuotes } from '../domain/byline.ts'
import { shownName } from '../domain/shown-name.ts'

/** Words on one line, as much of them as helps. */
export function brief(text: string, most = 160): string {
  const line = text
    .slice(0, most * 4)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return line.length <= most && text.length <= most * 4 ? line : `${line.slice(0, most).toWellFormed()}…`
}

/**
 * Others' words between quotes, on one line and as much of them as helps. Nothing in them ends the quotes, or passes for
 * an id, which stands in brackets.
 */
export const cited = (text: string, most?: number) =>
  `“${withoutQuotes(shownName(brief(text, most)))
    .replaceAll('[', '(')
    .replaceAll(']', ')')}”`

export const counted = (count: number, thing: string) => `${count} ${thing}${count === 1 ? '' : 's'}`
