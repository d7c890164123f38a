import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import { proseDiff } from '../../../server/domain/diff-segments.ts'
import { ofWholeGraphemes } from '../../../server/domain/whole-graphemes.ts'

/** What a suggestion takes out of its original words, and puts in there. */
export interface Piece {
  from: number
  to: number
  insert: string
}

/** What comparing may take, as many suggestions are compared at once; the pieces of very long ones are coarser. */
const budget = 2_000_000

/**
 * What a suggestion changes, word by word: pieces in order, which don't touch. Replacing them gives what is suggested.
 * None begins or ends within a grapheme of either text.
 */
export function suggestedPieces(original: string, suggested: string): Piece[] {
  if (original === suggested) return []
  const hunks = proseDiff(original, suggested, { left: budget })
  const pieces = ofWholeGraphemes(original, suggested, hunks).map(({ fromA, toA, fromB, toB }) => ({
    from: fromA,
    to: toA,
    insert: suggested.slice(fromB, toB),
  }))
  return pieces.flatMap((piece, i) => {
    const [after, before] = [pieces[i - 1]?.to ?? -1, pieces[i + 1]?.from ?? original.length + 1]
    return renumbered(original, piece, after) ?? wholeLines(original, piece, before)
  })
}

/**
 * Of `- a word` that becomes `- a word`, `- one word`, what is put in may as well be taken for `word`, `- one ` as for
 * the line: only the latter is what people see.
 */
function wholeLines(original: string, piece: Piece, before: number): Piece {
  const { from, to, insert } = piece
  const ends = insert.indexOf('\n')
  if (from < to || ends < 0) return piece
  const isLineEnd = (at: number) => at === original.length || original[at] === '\n'
  const [begin, rest] = [insert.slice(0, ends), insert.slice(ends)]
  const at = from + ends
  if (
    ends > 0 &&
    insert[ends - 1] !== '\r' &&
    at < before &&
    original.startsWith(begin, from) &&
    isLineEnd(at)
  )
    return { from: at, to: at, insert: rest + begin }
  return piece
}

const numbered = /^([ \t]*)(\d{1,9})([.)][ \t]+)$/

/**
 * Of `2. Two` that becomes `2. New`, `3. Two`, what is put in may as well be taken for `New` and the `3. ` as for a line
 * before that and another number: only the latter tells that the item has that. Null where nothing is to be told so.
 */
function renumbered(original: string, { from, to, insert }: Piece, after: number): Piece[] | null {
  const start = original.lastIndexOf('\n', from - 1)
  const line = insert.lastIndexOf('\n')
  if (from < to || line < 0 || start <= after || original[start - 1] === '\r') return null
  const [mark, indent, before, end] = numbered.exec(original.slice(start + 1, from)) ?? []
  const now = numbered.exec(insert.slice(line + 1))
  if (mark === undefined || !now || now[1] !== indent || now[3] !== end || now[2] === before) return null
  const number = start + 1 + indent!.length
  return [
    { from: start, to: start, insert: `\n${mark}${insert.slice(0, line)}` },
    { from: number, to: number + before!.length, insert: now[2]! },
  ]
}

/** What a suggestion changes within the words it stands on. */
export function piecesOf({ original_text, suggested_text, range }: Suggestion): Piece[] {
  const length = range ? range.end - range.start : original_text.length
  if (length === original_text.length) return suggestedPieces(original_text, suggested_text)
  return [{ from: 0, to: length, insert: suggested_text }]
}
