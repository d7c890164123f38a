/** Enough of a text to tell a place from others; where the two don't agree for so long, less has to do. */
const lengths = [64, 32, 16, 8, 4]

/**
 * Where in `other` stands what stands at `at` in `one`, where both say much the same: at the same words, of several the
 * nearest to `near`, which is the same part of the text unless more is known. Where `other` doesn't say so it is there.
 */
export function counterpart(one: string, other: string, at: number, near = partOf(one, at) * other.length) {
  const expected = Math.min(other.length, Math.max(0, Math.round(near)))
  for (const length of lengths) {
    const words = one.slice(at, at + length)
    if (words.length < length / 2) continue
    const found = nearest(other, words, expected)
    if (found >= 0) return found
  }
  return expected
}

const partOf = (text: string, at: number) => at / Math.max(1, text.length)

/** Where `words` stand nearest to a place; -1 where they don't. */
export function nearest(text: string, words: string, place: number): number {
  if (words === '') return -1
  const before = text.lastIndexOf(words, place)
  const after = text.indexOf(words, place)
  if (before < 0 || after < 0) return Math.max(before, after)
  return place - before <= after - place ? before : after
}
