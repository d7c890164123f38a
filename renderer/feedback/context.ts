import type { Anchor } from '../../server/contract/records/anchors.ts'
import { withoutFirstWord, withoutLastWord } from '../../server/domain/cut-at-word.ts'

// Our anchors hold this much on either side; less means that the text began or ended there, or that a program’s anchor has
// less, which may be cut within a word.
export const FULL = 32

/** The words just before an anchor, on its line, from a whole word on. */
export function wordsBefore({ prefix, start }: Pick<Anchor, 'prefix' | 'start'>): string {
  const line = prefix.slice(prefix.lastIndexOf('\n') + 1)
  const begins = prefix.length < FULL && (start === prefix.length || !/^[\p{L}\p{M}\p{N}]/u.test(line))
  if (line.length < prefix.length || begins) return line
  return `… ${withoutFirstWord(line)}`
}

/** The words just after an anchor, on its line, up to a whole word. */
export function wordsAfter({ suffix }: Pick<Anchor, 'suffix'>): string {
  const line = suffix.split('\n', 1)[0]!
  const ends = suffix.length < FULL && !/[\p{L}\p{M}\p{N}]$/u.test(line)
  if (line.length < suffix.length || ends) return line
  return `${withoutLastWord(line)} …`
}
