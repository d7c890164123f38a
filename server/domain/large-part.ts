import type { Range } from '../contract/records/anchors.ts'
import { splitsPair } from './common-ends.ts'

/** So many characters in a row of a passage are a large part of it, however long it is. */
const most = 64
/** Fewer are in many words that have nothing to do with it. */
const least = 4

/**
 * Tells of a text whether half of a passage, or a long stretch of it, stands in it in a row; upper or lower case and
 * white space don’t count.
 */
export function holdsLargePartOf(passage: string): (text: string) => boolean {
  const { parts, size } = partsOf(plain(passage))
  return (text) => {
    const other = plain(text)
    for (let at = 0; at + size <= other.length; at++) if (parts.has(other.slice(at, at + size))) return true
    return false
  }
}

/** Where as large a part of a passage stands in a text, to the letter; the ranges may overlap. */
export function largePartsOf(passage: string): (text: string) => Range[] {
  const { parts, size } = partsOf(passage)
  return (text) => {
    const found: Range[] = []
    for (let at = 0; at + size <= text.length; at++) {
      const end = at + size
      if (!parts.has(text.slice(at, end))) continue
      found.push({ start: splitsPair(text, at) ? at + 1 : at, end: splitsPair(text, end) ? end - 1 : end })
    }
    return found
  }
}

function partsOf(words: string): { parts: ReadonlySet<string>; size: number } {
  const size = Math.min(most, Math.max(least, Math.ceil(words.length / 2)))
  const parts = new Set<string>()
  for (let at = 0; at + size <= words.length; at++) parts.add(words.slice(at, at + size))
  return { parts, size }
}

const plain = (text: string) => text.toLowerCase().replace(/\s+/g, '')
