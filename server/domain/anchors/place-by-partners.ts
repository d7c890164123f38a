import type { PassagePairs } from './passage-pairs.ts'

/** So many words on each side of a place tell where it is, */
const BESIDE = 8
/** if their partners stand together, */
const SLACK = 6
/** and so much of them is there. */
const ENOUGH = 24
const ENOUGH_OF_PARAGRAPH = 12
const LONG_WORD = 8
const PARAGRAPH = 2_000
const BLANK_LINE = /\n[^\S\n]*\n/
const BEFORE_BLANK_LINE = /^[^\S\n]*\n[^\S\n]*\n/

/**
 * Where a place between two words is, by the partners of these: beside one that is left, if others around it are there
 * too. At the end of a paragraph whose last words are others now, it is at the end of what that has become.
 */
export function placeByPartners(at: number, pairs: PassagePairs): number | null {
  const { a, b, now } = pairs
  const right = a.firstStartingAt(at)
  const left = right - 1
  if (left < 0 || right >= a.count || !a.joins(left, right) || a.ends[left]! > at) return null
  const [behind, ahead] = [now[left]!, now[right]!]
  const isEnd = BEFORE_BLANK_LINE.test(a.text.slice(at, at + PARAGRAPH))
  const isSure = (i: number) => around(pairs, i, left - BESIDE + 1, right + BESIDE) >= ENOUGH
  if (isEnd) return endOfParagraph(at, left, ahead, pairs)
  if (behind >= 0 && ahead === behind + 1) return isSure(left) ? besideOf(at, left, pairs) : null
  if (behind >= 0 && ahead >= 0) return null
  // The last word of the paragraph before says nothing of one that is gone.
  const isApart = BLANK_LINE.test(a.text.slice(a.ends[left], at))
  if (behind >= 0) return !isApart && isSure(left) ? besideOf(at, left, pairs) : null
  if (ahead < 1 || !isSure(right)) return null
  return at === a.starts[right] ? b.starts[ahead]! : b.ends[ahead - 1]!
}

/** Behind the partner of the word before a place, or right before that of the one after it. */
function besideOf(at: number, left: number, { a, b, now }: PassagePairs): number {
  const isBefore = at === a.starts[left + 1] && now[left + 1] === now[left]! + 1
  return isBefore ? b.starts[now[left + 1]!]! : b.ends[now[left]!]!
}

/** How much of the words from one on has its partner as near to that of word `i` as it is to `i` itself. */
function around({ a, now }: PassagePairs, i: number, from: number, to: number): number {
  let size = 0
  for (let k = Math.max(0, from); k < Math.min(a.count, to); k++) {
    const isNear = now[k]! >= 0 && Math.abs(now[k]! - now[i]! - (k - i)) <= SLACK
    if (isNear) size += Math.min(LONG_WORD, a.ends[k]! - a.starts[k]!)
  }
  return size
}

function endOfParagraph(at: number, left: number, ahead: number, pairs: PassagePairs): number | null {
  const { a, b, now } = pairs
  const paragraph = a.text
    .slice(Math.max(0, at - PARAGRAPH), at)
    .split(BLANK_LINE)
    .at(-1)!
  const start = at - paragraph.length
  let last = left
  const isOfIt = (i: number) => i >= 0 && a.joins(i, left) && a.starts[i]! >= start
  while (isOfIt(last) && now[last]! < 0) last--
  if (!isOfIt(last)) return null
  let first = last
  while (first > last - BESIDE && isOfIt(first - 1)) first--
  if (around(pairs, last, first, last + 1) < ENOUGH_OF_PARAGRAPH) return null
  const from = b.ends[now[last]!]!
  const rest = b.text.slice(from, from + PARAGRAPH)
  const end = from + rest.split(BLANK_LINE, 1)[0]!.length
  // What goes on behind it may have moved away, or is what went on behind it before.
  return ahead < 0 || (b.starts[ahead]! > end && b.text.slice(end, b.starts[ahead]).trim() === '')
    ? end
    : null
}
