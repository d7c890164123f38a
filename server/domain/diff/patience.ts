import type { PairedStretch, Tokens, Vocabulary } from '../tokens.ts'

/** Pairs of places, ascending in both texts. */
export interface Matches {
  count: number
  inA: Int32Array
  inB: Int32Array
}

/**
 * Where the same few tokens stand that occur once in each stretch: what Bram Cohen's patience diff cuts a text at.
 * White space between words is passed over, so that reflowed text still finds its words.
 * @param few how many tokens in a row make a landmark
 */
export function patienceMatches(
  a: Tokens,
  b: Tokens,
  { a0, a1, b0, b1 }: PairedStretch,
  vocabulary: Vocabulary,
  few: number,
): Matches {
  const placesA = solidPlaces(a, a0, a1, vocabulary)
  const placesB = solidPlaces(b, b0, b1, vocabulary)
  const runsA = Math.max(0, placesA.length - few + 1)
  const runsB = Math.max(0, placesB.length - few + 1)

  // A table of the runs of A: each distinct one's first place in the list of places, how often it is there, and
  // where and how often it is in B.
  const last = 2 ** Math.ceil(Math.log2(2 * runsA + 2)) - 1
  const slots = new Int32Array(last + 1)
  const timesA = new Int32Array(runsA)
  const timesB = new Int32Array(runsA)
  const placeInB = new Int32Array(runsA)
  /** The slot of the run at `at`: of its equal, or the free one where it belongs. */
  const slotOf = (ids: Int32Array, places: Int32Array, at: number) => {
    let hash = 0
    for (let k = 0; k < few; k++) hash = Math.imul(hash ^ ids[places[at + k]!]!, 0x9e3779b1) ^ (hash >>> 15)
    let slot = (hash ^ (hash >>> 15)) & last
    for (; slots[slot] !== 0; slot = (slot + 1) & last) {
      const known = slots[slot]! - 1
      let k = 0
      while (k < few && a.ids[placesA[known + k]!] === ids[places[at + k]!]) k++
      if (k === few) break
    }
    return slot
  }
  for (let at = 0; at < runsA; at++) {
    const slot = slotOf(a.ids, placesA, at)
    if (slots[slot] === 0) slots[slot] = at + 1
    timesA[slots[slot]! - 1]!++
  }
  for (let at = 0; at < runsB; at++) {
    const known = slots[slotOf(b.ids, placesB, at)]! - 1
    if (known < 0) continue
    timesB[known]!++
    placeInB[known] = at
  }
  const inA = new Int32Array(runsA)
  const inB = new Int32Array(runsA)
  let count = 0
  for (let at = 0; at < runsA; at++) {
    if (timesA[at] !== 1 || timesB[at] !== 1) continue
    inA[count] = placesA[at]!
    inB[count++] = placesB[placeInB[at]!]!
  }
  return longestAscending(inA, inB, count)
}

function solidPlaces({ ids }: Tokens, from: number, to: number, vocabulary: Vocabulary): Int32Array {
  const places = new Int32Array(to - from)
  let count = 0
  for (let i = from; i < to; i++) if (vocabulary.isSolid(ids[i]!)) places[count++] = i
  return places.subarray(0, count)
}

/** As many of the pairs, ascending in A, as ascend in B too. */
function longestAscending(inA: Int32Array, inB: Int32Array, count: number): Matches {
  // By length: the pair that ends the chain of that length which reaches least far.
  const ends = new Int32Array(count)
  const previous = new Int32Array(count)
  let longest = 0
  for (let i = 0; i < count; i++) {
    const place = inB[i]!
    let low = 0
    // Mostly each pair goes on where the last one was.
    if (longest > 0 && inB[ends[longest - 1]!]! < place) low = longest
    else {
      for (let high = longest; low < high;) {
        const middle = (low + high) >> 1
        if (inB[ends[middle]!]! < place) low = middle + 1
        else high = middle
      }
    }
    previous[i] = low > 0 ? ends[low - 1]! : -1
    ends[low] = i
    if (low === longest) longest++
  }
  const chain = { count: longest, inA: new Int32Array(longest), inB: new Int32Array(longest) }
  for (let i = longest > 0 ? ends[longest - 1]! : -1, at = longest - 1; i >= 0; i = previous[i]!, at--) {
    chain.inA[at] = inA[i]!
    chain.inB[at] = inB[i]!
  }
  return chain
}
