import type { EditorState, Line } from '@codemirror/state'
import { isAsWritten, leadLength } from './line-start.ts'
import { listLine } from './list-lines.ts'

interface Chosen {
  from: number
  to: number
}

/**
 * What goes of lines that are chosen up to the words of another. The marks before these are of the words that stay, so a
 * heading below a paragraph that is deleted is one still; and what is typed over the lines doesn’t run into it. Null
 * where the choice stands: where it begins within words, which then go on with those below, or where both lines begin
 * in the same way and one of them is chosen in part.
 * @param below how long the marks are that stay there, behind which somebody goes on writing
 */
export function wholeLines(
  state: EditorState,
  { from, to }: Chosen,
  inserted: string,
): (Chosen & { below: number }) | null {
  const { doc } = state
  const [first, last] = [doc.lineAt(from), doc.lineAt(to)]
  if (first.number === last.number) return null
  const [lead, below] = [leadLength(state, first), leadLength(state, last)]
  const upToWords = () => ({ from, to: from + wordsEnd(doc.sliceString(from, last.from)), below: 0 })
  // As a triple click chooses them: they keep their end, or a paragraph would run into the one below.
  const isFromWords = from <= first.from + lead
  if (isFromWords && to === last.from && inserted !== '' && !inserted.endsWith('\n')) return upToWords()
  if (isAsWritten(state, last) || !isFromWords || to > last.from + below) return null
  if (isAlike(first.text.slice(0, lead), last.text.slice(0, below)) || isPartOf(last, first)) return null
  if (inserted === '') return { from: first.from, to: last.from, below }
  if (inserted.endsWith('\n')) return { from, to: last.from, below: 0 }
  return upToWords()
}

/** Whether two lines begin in the same way, whatever the numbers of their items. */
const isAlike = (one: string, other: string) => numberless(one) === numberless(other)
const numberless = (lead: string) => lead.replace(/\d+/, '1')

/** Whether a line below an item’s is a part of that item. */
function isPartOf(line: Line, above: Line): boolean {
  const [below, item] = [listLine(line), listLine(above)]
  return item.item !== null && below.indent > item.indent
}

/** Where the last line begins to end that has words, of whole lines. */
function wordsEnd(text: string): number {
  let end = text.length
  while (end > 0 && /[\n \t>]/.test(text[end - 1]!)) end--
  const lineEnd = text.indexOf('\n', end)
  return lineEnd < 0 ? text.length : lineEnd
}
