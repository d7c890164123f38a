import { isShownByNext } from '../../server/domain/anchors/insertion-place.ts'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { eachCharacter, rangeOver } from './characters.ts'
import { areLines, holderOf } from './put-beside.ts'
import type { RenderedText } from './rendered-text.ts'

/** Beside which words something stands that takes nothing out. */
export interface InsertionPlace {
  place: Range
  side: 'before' | 'behind'
  /** Whether white space before it doesn’t show there, which is so at the end of a line. */
  isApart: boolean
  /** Outside of which elements it stands that begin or end there, as a selector. */
  outside: string
}

/** Where something is put in whose mark is the word before, or else the one behind. */
export function placeOfInsertion(
  { element }: RenderedText,
  word: Range,
  { anchor, suggested_text: words }: Suggestion,
): InsertionPlace {
  const { prefix = '', suffix = '' } = anchor ?? {}
  // Between white space and a word there is nothing but the beginning of what the word is in.
  const isFirst = /(?:^|\s)$/.test(prefix)
  if (isShownByNext(prefix, suffix)) {
    const outside = isFirst || suffix.trimStart()[0] !== word.toString().trimStart()[0] ? '*' : ''
    return { place: word, side: 'before', isApart: false, outside }
  }
  const next = isFirst && !areLines(words) ? characterAfter(element, word) : null
  const isLineStart = /\n[ \t]*$/.test(prefix)
  const isInLine = next && holderOf(next, 'before') === holderOf(word, 'behind')
  // What begins a word stands with it, also where others take out the one before.
  if (next && (isLineStart || (isInLine && !/^\s/.test(suffix))))
    return { place: next, side: 'before', isApart: false, outside: '*' }
  return {
    ...{ place: word, side: 'behind' },
    isApart: next !== null && !isLineStart,
    // Signs stand between the word and the place.
    outside: prefix.trimEnd().at(-1) !== word.toString().at(-1) || isFirst ? '*' : '',
  }
}

function characterAfter(root: Element, range: Range): Range | null {
  const rest = root.ownerDocument.createRange()
  rest.setStart(range.endContainer, range.endOffset)
  rest.setEndAfter(root.lastChild ?? root)
  const isNote = ({ startContainer: at }: Range) => at.parentElement?.closest('.footnotes') != null
  for (const character of eachCharacter(rest)) {
    const next = rangeOver([character], 0, 1)
    // Behind the text there are its notes, wherever their source is.
    return next && isNote(next) === isNote(range) ? next : null
  }
  return null
}
