import fastDiff from 'fast-diff'

/** One place where two texts differ: `before.slice(fromA, toA)` became `after.slice(fromB, toB)`. */
export interface Hunk {
  fromA: number
  toA: number
  fromB: number
  toB: number
}

interface Budget {
  left: number
}

interface Tokens {
  ids: Int32Array
  /** Where each token begins, and after the last one where the text ends. */
  starts: Int32Array
}

/** What texts are compared by. */
interface Unit {
  pattern: RegExp
  /** How many of them in a row make a landmark. */
  shingle: number
  /** With fewer landmarks than one in so many units, those there are agree by chance. */
  sparse: number
}

const LINE: Unit = { pattern: /[^\n]*\n|[^\n]+$/g, shingle: 1, sparse: 16 }
const WORD: Unit = {
  // Words; each character of scripts that put no space between words; white space; single signs with whatever
  // modifies or joins them, so that an emoji made of several code points stays whole. Each repetition has an end:
  // without one, a word of millions of characters (an image as base64) overflows the engine's stack.
  pattern:
    /[[\p{L}\p{N}\p{M}_'’\u200C\u200D]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]]{1,1000}|\s{1,1000}|[^\p{M}\s](?:\p{M}|\p{EMod}|\u200D\p{ExtPict}){0,100}/gv,
  shingle: 3,
  sparse: 800,
}

// Work is counted, not timed, so that the same two texts give the same hunks on every machine. One unit is about
// one step of an inner loop; all of it is spent in roughly half a second.
const WORK = 250_000_000
// fast-diff is quadratic in the number of tokens that differ; larger stretches are first cut at rare common tokens.
const SMALL = 1500
// Words are only looked for in this much text; what lies beyond is compared line by line.
const WORD_TEXT = 6_000_000
const SNAP = 1000
const MOSTLY = 7 / 8

/**
 * The differences between two texts, in order, by lines and within changed lines by words. Outside the hunks the
 * texts are equal. No hunk begins or ends within a surrogate pair, nor within a word of less than a thousand
 * characters. The work is bounded: texts that have little in common get coarser hunks, up to one for everything.
 */
export function textDiff(before: string, after: string): Hunk[] {
  if (before === after) return []
  const head = commonPrefix(before, after)
  const from = head && before.lastIndexOf('\n', head - 1) + 1
  const tail = commonSuffix(before, after, head)
  const lineEnd = before.indexOf('\n', before.length - tail)
  const kept = lineEnd < 0 ? 0 : before.length - lineEnd - 1
  const whole = { fromA: from, toA: before.length - kept, fromB: from, toB: after.length - kept }

  const budget = { left: WORK }
  const words: Hunk[] = []
  let readable = WORD_TEXT
  let byLines = tokenDiff(before, after, whole, LINE, budget)
  const changed = byLines.reduce((sum, hunk) => sum + hunk.toA - hunk.fromA, 0)
  // When hardly a line is left (a text wrapped anew), those that agree do so by chance and would hold words apart.
  if (changed > (whole.toA - whole.fromA) * MOSTLY) byLines = [whole]
  for (const lines of byLines) {
    const hunk = trimToWords(before, after, lines)
    readable -= hunk.toA - hunk.fromA + hunk.toB - hunk.fromB
    if (readable < 0 || hunk.fromA === hunk.toA || hunk.fromB === hunk.toB) words.push(hunk)
    else words.push(...tokenDiff(before, after, hunk, WORD, budget))
  }
  return joinTouching(slideToBoundaries(before, after, joinTouching(words)))
}

/** How many UTF-16 code units both texts begin with. */
export function commonPrefix(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let at = 0
  // Equal stretches are compared by the engine's own string comparison, which is many times faster than a loop.
  for (const step of [4096, 128]) {
    while (at + step <= most && a.slice(at, at + step) === b.slice(at, at + step)) at += step
  }
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++
  return at
}

/** How many UTF-16 code units both texts end with, not counting the first `head` ones of either. */
export function commonSuffix(a: string, b: string, head = 0): number {
  const most = Math.min(a.length, b.length) - head
  let n = 0
  for (const step of [4096, 128]) {
    while (
      n + step <= most &&
      a.slice(a.length - n - step, a.length - n) === b.slice(b.length - n - step, b.length - n)
    )
      n += step
  }
  while (n < most && a.charCodeAt(a.length - n - 1) === b.charCodeAt(b.length - n - 1)) n++
  return n
}

/** True when cutting the text at `at` would separate the two halves of a surrogate pair. */
export function splitsPair(text: string, at: number): boolean {
  return (
    at > 0 &&
    at < text.length &&
    (text.charCodeAt(at) & 0xfc00) === 0xdc00 &&
    (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
  )
}

function trimToWords(before: string, after: string, hunk: Hunk): Hunk {
  const a = before.slice(hunk.fromA, hunk.toA)
  const b = after.slice(hunk.fromB, hunk.toB)
  let head = commonPrefix(a, b)
  for (let back = 0; head > 0; head--, back++) {
    if (back >= SNAP ? !splitsPair(a, head) && !splitsPair(b, head) : isSpace(a, head - 1)) {
      if (!isSpace(a, head) && !isSpace(b, head)) break
    }
  }
  let tail = commonSuffix(a, b, head)
  for (let back = 0; tail > 0; tail--, back++) {
    const atA = a.length - tail
    const atB = b.length - tail
    if (back >= SNAP ? !splitsPair(a, atA) && !splitsPair(b, atB) : isSpace(a, atA)) {
      if (!isSpace(a, atA - 1) && !isSpace(b, atB - 1)) break
    }
  }
  return { fromA: hunk.fromA + head, toA: hunk.toA - tail, fromB: hunk.fromB + head, toB: hunk.toB - tail }
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 32 || code === 10 || code === 13 || code === 9
}

function tokenDiff(before: string, after: string, within: Hunk, unit: Unit, budget: Budget): Hunk[] {
  if (within.fromA === within.toA && within.fromB === within.toB) return []
  const known = new Map<string, number>()
  const solid: boolean[] = []
  const read = (text: string, from: number, to: number): Tokens => {
    const found = text.slice(from, to).match(unit.pattern) ?? []
    const ids = new Int32Array(found.length)
    const starts = new Int32Array(found.length + 1)
    let at = from
    for (let i = 0; i < found.length; i++) {
      const token = found[i]!
      let id = known.get(token)
      if (id === undefined) {
        known.set(token, (id = known.size))
        solid.push(token.trim() !== '')
      }
      ids[i] = id
      starts[i] = at
      at += token.length
    }
    starts[found.length] = at
    return { ids, starts }
  }
  const a = read(before, within.fromA, within.toA)
  const b = read(after, within.fromB, within.toB)
  const hunks: Hunk[] = []
  const emit = (a0: number, a1: number, b0: number, b1: number) =>
    hunks.push({ fromA: a.starts[a0]!, toA: a.starts[a1]!, fromB: b.starts[b0]!, toB: b.starts[b1]! })
  compare(a.ids, 0, a.ids.length, b.ids, 0, b.ids.length, { solid, unit, budget, emit })
  return hunks
}

interface Comparison {
  /** By token: whether it is more than white space. */
  solid: boolean[]
  unit: Unit
  budget: Budget
  emit: (a0: number, a1: number, b0: number, b1: number) => void
}

function compare(
  a: Int32Array,
  a0: number,
  a1: number,
  b: Int32Array,
  b0: number,
  b1: number,
  how: Comparison,
): void {
  while (a0 < a1 && b0 < b1 && a[a0] === b[b0]) {
    a0++
    b0++
  }
  while (a0 < a1 && b0 < b1 && a[a1 - 1] === b[b1 - 1]) {
    a1--
    b1--
  }
  if (a0 === a1 && b0 === b1) return
  if (a0 === a1 || b0 === b1) return how.emit(a0, a1, b0, b1)

  const size = a1 - a0 + (b1 - b0)
  const cost = size <= SMALL ? size * size : size * 50
  if (how.budget.left < cost) return how.emit(a0, a1, b0, b1)
  how.budget.left -= cost

  if (size <= SMALL) return compareSmall(a, a0, a1, b, b0, b1, how.emit)
  const shared = sharedLandmarks(a, a0, a1, b, b0, b1, how)
  if (shared.length * how.unit.sparse < size) return how.emit(a0, a1, b0, b1)
  for (const [inA, inB] of shared) {
    compare(a, a0, inA, b, b0, inB, how)
    a0 = inA + 1
    b0 = inB + 1
  }
  compare(a, a0, a1, b, b0, b1, how)
}

function compareSmall(
  a: Int32Array,
  a0: number,
  a1: number,
  b: Int32Array,
  b0: number,
  b1: number,
  emit: Comparison['emit'],
): void {
  // Each distinct token becomes one character below the surrogates, which is all that fast-diff needs to know.
  const letters = new Map<number, string>()
  const spell = (ids: Int32Array, from: number, to: number) => {
    let out = ''
    for (let i = from; i < to; i++) {
      let letter = letters.get(ids[i]!)
      if (!letter) letters.set(ids[i]!, (letter = String.fromCharCode(letters.size + 1)))
      out += letter
    }
    return out
  }
  let fromA = a0
  let fromB = b0
  let atA = a0
  let atB = b0
  for (const [kind, run] of fastDiff(spell(a, a0, a1), spell(b, b0, b1))) {
    if (kind !== fastDiff.EQUAL) {
      if (kind === fastDiff.DELETE) atA += run.length
      else atB += run.length
      continue
    }
    if (fromA < atA || fromB < atB) emit(fromA, atA, fromB, atB)
    fromA = atA += run.length
    fromB = atB += run.length
  }
  if (fromA < atA || fromB < atB) emit(fromA, atA, fromB, atB)
}

/**
 * Pairs of places, ascending in both texts, where the same few tokens stand that occur once in each: what Bram
 * Cohen's patience diff cuts a text at. White space between words is passed over, so that reflowed text still
 * finds its words.
 */
function sharedLandmarks(
  a: Int32Array,
  a0: number,
  a1: number,
  b: Int32Array,
  b0: number,
  b1: number,
  { solid, unit: { shingle } }: Comparison,
): [number, number][] {
  const solidPlaces = (ids: Int32Array, from: number, to: number) => {
    const places: number[] = []
    for (let i = from; i < to; i++) if (solid[ids[i]!]) places.push(i)
    return places
  }
  const placesA = solidPlaces(a, a0, a1)
  const placesB = solidPlaces(b, b0, b1)
  const keyAt = (ids: Int32Array, places: number[], i: number) => {
    let key = 0
    for (let k = 0; k < shingle; k++) key = (key % 4294967291) * 1048573 + ids[places[i + k]!]!
    return key
  }
  const once = (ids: Int32Array, places: number[]) => {
    const seen = new Map<number, number>()
    for (let i = 0; i + shingle <= places.length; i++) {
      const key = keyAt(ids, places, i)
      seen.set(key, seen.has(key) ? -1 : i)
    }
    return seen
  }
  const inB = once(b, placesB)
  const pairs: [number, number][] = []
  for (const [key, i] of once(a, placesA)) {
    const j = inB.get(key) ?? -1
    // The key is a hash, so the first tokens are compared themselves.
    if (i >= 0 && j >= 0 && a[placesA[i]!] === b[placesB[j]!]) pairs.push([placesA[i]!, placesB[j]!])
  }
  pairs.sort((x, y) => x[0] - y[0])
  return longestAscending(pairs)
}

function longestAscending(pairs: [number, number][]): [number, number][] {
  const ends: number[] = []
  const previous = new Int32Array(pairs.length).fill(-1)
  for (let i = 0; i < pairs.length; i++) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (pairs[ends[middle]!]![1] < pairs[i]![1]) low = middle + 1
      else high = middle
    }
    if (low > 0) previous[i] = ends[low - 1]!
    ends[low] = i
  }
  const chain: [number, number][] = []
  for (let i = ends.at(-1) ?? -1; i >= 0; i = previous[i]!) chain.push(pairs[i]!)
  return chain.reverse()
}

/**
 * A sentence inserted before one that begins alike can be told as "The cat sat. [The ]dog…" or "[The cat sat. ]The
 * dog…". Both are right; this picks the one that begins a paragraph, a line, a sentence or a word, which is what
 * people read as the change and what keeps an anchor off the words of its neighbour.
 */
function slideToBoundaries(before: string, after: string, hunks: Hunk[]): Hunk[] {
  return hunks.map((hunk, i) => {
    const deletion = hunk.fromB === hunk.toB
    if (!deletion && hunk.fromA !== hunk.toA) return hunk
    const text = deletion ? before : after
    const from = deletion ? hunk.fromA : hunk.fromB
    const to = deletion ? hunk.toA : hunk.toB
    // A neighbour may slide towards this hunk too, so each takes at most half of what lies between them.
    const room = (gap: number) => Math.min(SNAP, i > 0 || i < hunks.length - 1 ? gap >> 1 : gap)
    const left = room(hunk.fromA - (hunks[i - 1]?.toA ?? 0))
    const right = room((hunks[i + 1]?.fromA ?? before.length) - hunk.toA)
    let best = 0
    let bestScore = boundary(text, from, to)
    const consider = (shift: number) => {
      const score = boundary(text, from + shift, to + shift)
      if (score > bestScore) {
        best = shift
        bestScore = score
      }
    }
    for (let s = 1; s <= left && text.charCodeAt(from - s) === text.charCodeAt(to - s); s++) consider(-s)
    for (let s = 0; s < right && text.charCodeAt(from + s) === text.charCodeAt(to + s); s++) consider(s + 1)
    if (best === 0) return hunk
    return {
      fromA: hunk.fromA + best,
      toA: hunk.toA + best,
      fromB: hunk.fromB + best,
      toB: hunk.toB + best,
    }
  })
}

function boundary(text: string, from: number, to: number): number {
  return Math.min(boundaryAt(text, from), boundaryAt(text, to))
}

function boundaryAt(text: string, at: number): number {
  if (at === 0 || at === text.length) return 5
  if (text[at - 1] === '\n') return /\n\r?\n$/.test(text.slice(Math.max(0, at - 3), at)) ? 5 : 4
  if (!isSpace(text, at - 1) || isSpace(text, at)) return 0
  return /[.!?…。！？]['"”’)\]]?\s$/.test(text.slice(Math.max(0, at - 3), at)) ? 3 : 2
}

function joinTouching(hunks: Hunk[]): Hunk[] {
  const joined: Hunk[] = []
  for (const hunk of hunks) {
    const last = joined.at(-1)
    if (last && last.toA === hunk.fromA && last.toB === hunk.fromB) {
      last.toA = hunk.toA
      last.toB = hunk.toB
    } else joined.push({ ...hunk })
  }
  return joined
}
