/** So many characters in a row of a passage are a large part of it, however long it is. */
const most = 64
/** Fewer are in many words that have nothing to do with it. */
const least = 4

/**
 * Tells of a text whether half of a passage, or a long stretch of it, stands in it in a row; upper or lower case and
 * white space don’t count.
 */
export function holdsLargePartOf(passage: string): (text: string) => boolean {
  const words = plain(passage)
  const size = Math.min(most, Math.max(least, Math.ceil(words.length / 2)))
  const parts = new Set<string>()
  for (let at = 0; at + size <= words.length; at++) parts.add(words.slice(at, at + size))
  return (text) => {
    const other = plain(text)
    for (let at = 0; at + size <= other.length; at++) if (parts.has(other.slice(at, at + size))) return true
    return false
  }
}

const plain = (text: string) => text.toLowerCase().replace(/\s+/g, '')
