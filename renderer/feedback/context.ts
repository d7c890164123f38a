import type { Anchor } from '../../server/contract/records/anchors.ts'

// Anchors hold this much on either side; less means that the text began or ended there.
const FULL = 32

/** The words just before an anchor, on its line, from a whole word on. */
export function wordsBefore({ prefix }: Pick<Anchor, 'prefix'>): string {
  const line = prefix.slice(prefix.lastIndexOf('\n') + 1)
  if (line.length < prefix.length || prefix.length < FULL) return line
  const word = line.search(/(?<=\s)\S/u)
  return word < 0 ? line : `… ${line.slice(word)}`
}

/** The words just after an anchor, on its line, up to a whole word. */
export function wordsAfter({ suffix }: Pick<Anchor, 'suffix'>): string {
  const line = suffix.split('\n', 1)[0]!
  if (line.length < suffix.length || suffix.length < FULL) return line
  const word = line.search(/(?<=\S)\s\S*$/u)
  return word < 0 ? line : `${line.slice(0, word)} …`
}
