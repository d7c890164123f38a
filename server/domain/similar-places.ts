import type { Range } from '../contract/records/anchors.ts'
import { nearestWords } from './nearest-words.ts'

/** In larger texts nothing is looked for that is only like what was asked for. */
const mostSearched = 1_000_000
/** As many words of what was asked for are looked at. */
const mostWanted = 2_000
/** Of places that are only near, so many are shown. */
const mostNear = 3
/**
 * Places that differ only in white space, case, or the kind of quotes and dashes; else the words that need the fewest
 * other letters, or those of lines that have most of the words.
 */
export function similarPlaces(
  content: string,
  { find, start, end }: Range & { find: string },
  most: number,
): { count: number; places: Range[] } {
  if (end - start > mostSearched) return { count: 0, places: [] }
  const text = fold(content.slice(start, end))
  const words = fold(find).folded.trim()
  if (words === '') return { count: 0, places: [] }
  const inContent = (from: number, to: number) => ({
    start: start + text.offsets[from]!,
    end: start + text.offsets[to - 1]! + 1,
  })
  const places: Range[] = []
  let count = 0
  const next = (from: number) => text.folded.indexOf(words, from)
  for (let at = next(0); at >= 0; at = next(at + words.length)) {
    count++
    if (places.length < most) places.push(inContent(at, at + words.length))
  }
  if (count > 0) return { count, places }
  const nearest = nearestWords(text.folded, words, mostNear).map((one) => inContent(one.start, one.end))
  const others = nearest.length > 0 ? nearest : linesLike(content, find, { start, end })
  return { count: others.length, places: others }
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

/** Lines that have most of the words, each from the first of these to the last. */
function linesLike(content: string, find: string, { start, end }: Range): Range[] {
  const wanted = new Set(wordsOf(find).slice(0, mostWanted))
  if (wanted.size === 0) return []
  const scored: { place: Range; score: number }[] = []
  for (let at = start; at < end;) {
    const next = content.indexOf('\n', at)
    const stop = next < 0 || next > end ? end : next
    const line = content.slice(at, stop)
    const among = [...line.matchAll(word)].filter(([one]) => wanted.has(one.toLowerCase()))
    const score = new Set(among.map(([one]) => one.toLowerCase())).size
    const [first, last] = [among[0], among.at(-1)]
    if (first && last && score * 2 > wanted.size)
      scored.push({
        place: { start: at + first.index, end: at + last.index + last[0].length },
        score,
      })
    at = stop + 1
  }
  return scored
    .sort((one, other) => other.score - one.score)
    .slice(0, mostNear)
    .map(({ place }) => place)
}
const word = /[\p{L}\p{N}]+/gu
const wordsOf = (text: string) => text.toLowerCase().match(word) ?? []
