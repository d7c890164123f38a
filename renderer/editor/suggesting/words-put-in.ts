import type { Anchor } from '../../../server/contract/records/anchors.ts'
import { leadOf } from '../line-start.ts'

/** Words, and where in a text they are to be put in. */
export interface Put {
  at: number
  words: string
}

/** A loop: to look for `\n+$` begins anew at each of many line ends inside. */
function withoutLineEndsBehind(text: string): string {
  let end = text.length
  while (text[end - 1] === '\n') end--
  return text.slice(0, end)
}

const lineEndsAround = (words: string) => ({
  before: /^\n*/.exec(words)![0].length,
  after: words.length - withoutLineEndsBehind(words).length,
})

/** What words were among those that were around them. */
interface Was {
  /** How far they stood from these: 0 in a line, 1 in lines and 2 in paragraphs of their own. */
  apart: 0 | 1 | 2
  isCell: boolean
}

export function whatWas(words: string, { prefix, suffix }: Anchor): Was {
  const edges = lineEndsAround(words)
  const isBlank = (text: string) => /^\n*$/.test(text)
  const before = isBlank(prefix) ? 2 : lineEndsAround(prefix).after + edges.before
  const after = isBlank(suffix) ? 2 : lineEndsAround(suffix).before + edges.after
  return {
    apart: Math.min(2, before, after) as 0 | 1 | 2,
    isCell: /\|[^\n]*$/.test(prefix) && /^[^\n]*\|/.test(suffix),
  }
}

/**
 * What to put in where of words that may stand at a place, as what they were.
 * @param isCode whether signs there are no marks
 */
export function putAlone(text: string, { at, words }: Put, was: Was, isCode: boolean): Put {
  const alone = withoutLineEndsBehind(words.replace(/^\n+/, ''))
  const line = lineAt(text, at)
  const isBefore = at === line.from && !isCode
  const isKeptOut = isBefore && (row.test(line.text) ? !was.isCell : wordless.test(line.text))
  const apart = was.apart === 0 && isKeptOut ? 2 : was.apart
  if (apart === 0 || alone === '') {
    const marks = row.exec(line.text)?.[0] ?? leadOf(line.text)
    const behind = isCode ? at : Math.max(at, line.from + marks.length)
    return { at: behind, words: besideWords(text, { at: behind, words }) }
  }
  const place = borderAt(text, at, apart)
  const [before, after] = [text.slice(0, place), text.slice(place)]
  const missing = (other: string, there: number, [above, below]: readonly [string, string]) =>
    /^\n*$/.test(other) ? 0 : Math.max(0, (apart === 2 || !isOneBlock(above, below) ? 2 : 1) - there)
  const lines = alone.split('\n')
  const above = before.trimEnd().split('\n').at(-1)!
  const below = after.replace(/^\n+/, '').split('\n')[0]!
  const lead = missing(before, lineEndsAround(before).after, [above, lines[0]!])
  const trail = missing(after, lineEndsAround(after).before, [lines.at(-1)!, below])
  return { at: place, words: '\n'.repeat(lead) + alone + '\n'.repeat(trail) }
}

function lineAt(text: string, at: number): { from: number; text: string } {
  const from = text.slice(0, at).lastIndexOf('\n') + 1
  return { from, text: text.slice(from).split('\n', 1)[0]! }
}

/** A line that has no words, and isn’t to be given any. */
const wordless = /^[\s>]*(?:`{3,}|~{3,}|\$\$|<|([-*_=])(?:[ \t]*\1)+[ \t]*$)/

/** Where a line begins or ends, or for 2 a paragraph. */
function borderAt(text: string, at: number, apart: 1 | 2): number {
  const border = '\n'.repeat(apart)
  const around = text.slice(Math.max(0, at - border.length + 1), at + border.length - 1)
  const isBorder = text.slice(0, at).endsWith(border) || text.startsWith(border, at) || around === border
  if (at === 0 || isBorder) return at
  const next = text.indexOf(border, at)
  return next < 0 ? withoutLineEndsBehind(text).length : next
}

const item = /^[\s>]*(?:[-*+]|\d{1,9}[.)])\s/
const row = /^[\s>]*\|[ \t]*/

/** Whether the lower line of two goes on with what the upper one is part of, as an item does with a list. */
const isOneBlock = (above: string, below: string) =>
  row.test(above) === row.test(below) &&
  (item.test(above) === item.test(below) || (item.test(below) && /^\s/.test(above)))

const isInWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)

/** What keeps two words apart that come to stand beside each other. */
export const glue = (one: string, other: string) =>
  isInWord([...one.slice(-2)].at(-1)) && isInWord([...other.slice(0, 2)][0]) ? ' ' : ''

function besideWords(text: string, { at, words }: Put): string {
  const before = text.slice(0, at)
  // Behind a space or a mark another space would mean something else, or nothing.
  const own = /(?:^|\s)$/.test(before) ? words.replace(/^[ \t]+(?=\S)/, '') : words
  return glue(before, own) + own + glue(own, text.slice(at))
}
