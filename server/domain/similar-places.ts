import type { Range } from '../contract/records/anchors.ts'

/** In larger texts nothing is looked for that is only like what was asked for. */
const mostSearched = 1_000_000
/** As many words of what was asked for are looked at. */
const mostWanted = 2_000
const mostLines = 3

/** Places that differ only in white space, case, or the kind of quotes and dashes; else lines that have most of the words. */
export function similarPlaces(
  content: string,
  { find, start, end }: Range & { find: string },
  most: number,
): { count: number; places: Range[] } {
  if (end - start > mostSearched) return { count: 0, places: [] }
  const text = fold(content.slice(start, end))
  const words = fold(find).folded.trim()
  const places: Range[] = []
  let count = 0
  const next = (from: number) => (words === '' ? -1 : text.folded.indexOf(words, from))
  for (let at = next(0); at >= 0; at = next(at + words.length)) {
    count++
    const last = at + words.length - 1
    if (places.length < most)
      places.push({ start: start + text.offsets[at]!, end: start + text.offsets[last]! + 1 })
  }
  if (count > 0) return { count, places }
  const lines = linesLike(content, find, { start, end })
  return { count: lines.length, places: lines }
}

/** A text with one kind of space, quote and dash, in small letters, and where each of its characters stands. */
function fold(text: string): { folded: string; offsets: number[] } {
  let folded = ''
  const offsets: number[] = []
  let wasSpace = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!
    const isSpace = /\s/.test(sign)
    if (isSpace && wasSpace) continue
    wasSpace = isSpace
    const lower = sign.toLowerCase()
    folded += isSpace ? ' ' : (alike[sign] ?? (lower.length === 1 ? lower : sign))
    offsets.push(at)
  }
  return { folded, offsets }
}
const alike: Record<string, string> = {
  ...Object.fromEntries([...'“”„«»″'].map((sign) => [sign, '"'])),
  ...Object.fromEntries([...'‘’‚‹›′'].map((sign) => [sign, "'"])),
  ...Object.fromEntries([...'‐‑‒–—−'].map((sign) => [sign, '-'])),
}

function linesLike(content: string, find: string, { start, end }: Range): Range[] {
  const wanted = new Set(wordsOf(find).slice(0, mostWanted))
  if (wanted.size === 0) return []
  const scored: { place: Range; score: number }[] = []
  for (let at = start; at < end;) {
    const next = content.indexOf('\n', at)
    const stop = next < 0 || next > end ? end : next
    const score = new Set(wordsOf(content.slice(at, stop)).filter((word) => wanted.has(word))).size
    if (score * 2 > wanted.size) scored.push({ place: { start: at, end: stop }, score })
    at = stop + 1
  }
  return scored
    .sort((one, other) => other.score - one.score)
    .slice(0, mostLines)
    .map(({ place }) => place)
}
const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
