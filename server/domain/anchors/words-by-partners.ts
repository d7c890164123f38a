import type { Range } from '../../contract/records/anchors.ts'
import type { PassagePairs } from './passage-pairs.ts'

/** So many words on each side tell whose words are at a place, */
const BESIDE = 8
/** if they stood this near to them. */
const NEAR = 14
const LONG_WORD = 8
/** What is so far from words isn't around them. */
const APART = 24
/** So much of others around a place says that it is theirs. */
const CERTAIN = 40
/** With less of the words' weight, partners say little of them. */
const FEW = 0.3
/** So much of the words' weight has to have a partner, */
const LEAST = 0.34
/** and so much stand around these that stood around the words. */
const ENOUGH = 15
/** Partners this much further apart than the words were aren't one stretch. */
const SPREAD = 8
/** So much may be within a place besides the words. */
const BESIDES = 24

/** What the partners of some words say. */
interface Partners {
  /** From the first to the last of them; null where there are none, or others lie between. */
  place: Range | null
  /** How much the words weigh, how much of them has a partner, */
  words: number
  paired: number
  /** and how much stands around those that stood around the words. */
  around: number
}

/**
 * Where words are, given where other rules find them, by the partners that each word of a text has in the other: there,
 * if most of the partners are; else where the partners are, if these are one stretch among others that stood around it.
 */
export function placeWords(range: Range, place: Range | null, pairs: PassagePairs): Range | null {
  const { a, b, was } = pairs
  const first = a.firstEndingAfter(range.start)
  const last = a.firstStartingAt(range.end)
  const region = a.regions[a.region[first] ?? -1]
  if (first >= last || !region || region.start > range.start || region.end < range.end) return place
  const partners = partnersOf(range, first, last, pairs)
  const isKnown = partners.paired >= LEAST * partners.words && partners.around >= ENOUGH
  const own = isKnown ? partners.place : null
  if (!place) return own
  let [inside, others] = [0, 0]
  const end = b.firstStartingAt(place.end)
  for (let j = b.firstEndingAfter(place.start); j < end; j++) {
    const i = was[j]!
    if (i < 0) continue
    const weight = Math.min(LONG_WORD, b.ends[j]! - b.starts[j]!)
    if (i >= first && i < last) inside += weight
    else others += weight
  }
  if (partners.paired < FEW * partners.words) return others > inside ? null : place
  if (inside * 2 < partners.paired) return own
  const isWide = own && place.end - place.start > 2 * (own.end - own.start) + BESIDES
  return isWide ? own : place
}

function partnersOf(range: Range, first: number, last: number, { a, b, now }: PassagePairs): Partners {
  let [words, paired, least, most] = [0, 0, -1, -1]
  const weightOf = (i: number) => Math.min(LONG_WORD, a.ends[i]! - a.starts[i]!)
  for (let i = first; i < last; i++) {
    words += weightOf(i)
    if (now[i]! < 0) continue
    paired += weightOf(i)
    if (least < 0 || now[i]! < now[least]!) least = i
    if (most < 0 || now[i]! > now[most]!) most = i
  }
  if (least < 0) return { place: null, words, paired, around: 0 }
  const [from, to] = [now[least]!, now[most]!]
  if (to - from > 2 * (last - first) + SPREAD) return { place: null, words, paired, around: 0 }
  let around = 0
  for (let i = Math.max(0, first - BESIDE); i < Math.min(a.count, last + BESIDE); i++) {
    const isBeside = i < first || i >= last
    if (isBeside && now[i]! >= 0 && now[i]! >= from - NEAR && now[i]! <= to + NEAR) around += weightOf(i)
  }
  const start = b.starts[from]! + Math.max(0, range.start - a.starts[least]!)
  const end = b.ends[to]! - Math.max(0, a.ends[most]! - range.end)
  return { place: start < end ? { start, end } : null, words, paired, around }
}

/** Whether the words around a place are the partners of others than those around a range of the text before. */
export function isOfOthers(range: Range, place: Range, { a, b, was }: PassagePairs): boolean {
  const least = a.firstEndingAfter(range.start) - 1 - APART
  const most = a.firstStartingAt(range.end) + APART
  const from = Math.max(0, b.firstEndingAfter(place.start) - BESIDE)
  const to = Math.min(b.count, b.firstStartingAt(place.end) + BESIDE)
  let [own, others] = [0, 0]
  for (let j = from; j < to; j++) {
    const i = was[j]!
    if (i < 0) continue
    const weight = Math.min(LONG_WORD, b.ends[j]! - b.starts[j]!)
    if (i >= least && i <= most) own += weight
    else others += weight
  }
  return others >= CERTAIN && others > 2 * own
}
