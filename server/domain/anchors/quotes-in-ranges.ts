import type { Range } from '../../contract/records/anchors.ts'
import type { Readable } from '../pieced-text.ts'
import { widened } from '../ranges.ts'
import type { Budget } from '../budget.ts'

const COST = { character: 5, tried: 100, quote: 200 }
/** Quotes are known by so many of their first characters; shorter ones by all they have. */
const KNOWN_BY = 8
/** More of a quote is only compared where so much of it agrees. */
const HEAD = 64
const MOST_PLACES = 1000

/**
 * Where quotes stand in what a change put in, or across its edges. Thousands may be looked for in megabytes, so all
 * are looked for at once, in one pass for each length that they are known by, the longest first, as far as the budget
 * goes.
 */
export function findInRanges(
  text: Readable,
  inserted: readonly Range[],
  quotes: readonly string[],
  budget: Budget,
): Map<string, number[]> {
  const found = new Map<string, number[]>()
  const distinct = [...new Set(quotes)]
  for (let length = KNOWN_BY; length > 0; length--) {
    const those = distinct.filter((quote) => Math.min(quote.length, KNOWN_BY) === length)
    if (those.length > 0) findKnownBy(length, text, inserted, those, budget, found)
  }
  return found
}

function findKnownBy(
  length: number,
  text: Readable,
  inserted: readonly Range[],
  quotes: readonly string[],
  budget: Budget,
  found: Map<string, number[]>,
): void {
  const byName = new Map<number, string[]>()
  const names = new Uint8Array(65_536)
  let longest = 0
  for (const quote of quotes) {
    budget.left -= COST.quote
    let name = 0
    for (let i = 0; i < length; i++) name = named(name, quote.charCodeAt(i), length)
    const same = byName.get(name)
    if (same) same.push(quote)
    else byName.set(name, [quote])
    names[short(name)] = 1
    longest = Math.max(longest, quote.length)
  }
  for (const { start, end } of widened(inserted, longest - 1, text.length)) {
    const cost = (end - start) * COST.character
    if (budget.left < cost) return
    budget.left -= cost
    const part = text.slice(start, end)
    let name = 0
    for (let at = 0; at < part.length; at++) {
      name = named(name, part.charCodeAt(at), length)
      if (names[short(name)] === 0) continue
      for (const quote of byName.get(name) ?? []) {
        budget.left -= COST.tried
        if (budget.left < 0) return
        const begin = at - length + 1
        if (begin < 0 || begin + quote.length > part.length) continue
        if (!part.startsWith(quote.slice(0, HEAD), begin)) continue
        budget.left -= quote.length
        if (quote.length > HEAD && !part.startsWith(quote, begin)) continue
        const places = found.get(quote) ?? []
        if (places.length === 0) found.set(quote, places)
        if (places.length < MOST_PLACES) places.push(start + begin)
      }
    }
  }
}

/** A hash of the last few characters: with each further one, the first is moved out of the 32 bits that there are. */
function named(name: number, code: number, length: number): number {
  const older = length === 1 ? 0 : name << Math.ceil(32 / length)
  return older ^ Math.imul(code, 0x9e3779b1)
}

const short = (name: number) => Math.imul(name, 0x85ebca6b) >>> 16
