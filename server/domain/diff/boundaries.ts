import type { Budget } from '../budget.ts'
import { commonPrefix, commonSuffix, splitsPair } from '../common-ends.ts'
import type { Hunk } from '../hunk.ts'

/** A boundary is looked for no further away than that. */
const SNAP = 1000
const COST = { slide: 40 }

/** Where the first line begins that is whole, or if lines are long the first word. */
export function firstBoundary(text: string): number {
  const few = Math.min(SNAP, text.length >> 2)
  const line = text.slice(0, few).indexOf('\n')
  if (line >= 0) return line + 1
  for (let at = 1; at < few; at++) {
    if (isSpace(text, at - 1) && !isSpace(text, at)) return at
  }
  return text.length > SNAP ? (splitsPair(text, SNAP) ? SNAP + 1 : SNAP) : text.length
}

/** Where the last line ends that is whole, or if lines are long the last word. */
export function lastBoundary(text: string): number {
  const few = text.length - Math.min(SNAP, text.length >> 2)
  const line = text.lastIndexOf('\n')
  if (line >= few) return line + 1
  for (let at = text.length - 1; at > few; at--) {
    if (isSpace(text, at - 1) && !isSpace(text, at)) return at
  }
  const at = text.length - SNAP
  return at > 0 ? (splitsPair(text, at) ? at - 1 : at) : 0
}

/** A hunk without what its texts begin and end with alike, cut between words. */
export function trimToWords(before: string, after: string, hunk: Hunk): Hunk {
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

/**
 * A sentence inserted before one that begins alike can be told as "The cat sat. [The ]dog…" or "[The cat sat. ]The
 * dog…". Both are right; this picks the one that begins a paragraph, a line, a sentence or a word, which is what
 * people read as the change and what keeps an anchor off the words of its neighbour.
 */
export function slideToBoundaries(before: string, after: string, hunks: Hunk[], budget: Budget): Hunk[] {
  return hunks.map((hunk, i) => {
    const deletion = hunk.fromB === hunk.toB
    if ((!deletion && hunk.fromA !== hunk.toA) || budget.left < 0) return hunk
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
      budget.left -= COST.slide
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
