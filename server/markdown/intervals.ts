/**
 * Stretches of the source, each with the positions at which it shows, made to answer for many ranges where the first
 * and the last of what they touch shows, without looking at all of it each time.
 */
export class Intervals {
  /** Sorted by where they start. */
  readonly #starts: Int32Array
  readonly #ends: Int32Array
  /** The furthest end of all up to each. */
  readonly #reach: Int32Array
  /** The least and the greatest position of each, and above them, as a binary tree, of each two. */
  readonly #least: Int32Array
  readonly #greatest: Int32Array

  /** Position i shows what stands from `starts[i]` to `ends[i]`; nothing of the source where that starts below 0. */
  constructor(starts: Int32Array, ends: Int32Array) {
    const order: number[] = []
    for (let i = 0; i < starts.length; i++) if (starts[i]! >= 0) order.push(i)
    // Nearly always they stand in order already.
    if (order.some((i, k) => k > 0 && starts[order[k - 1]!]! > starts[i]!))
      order.sort((a, b) => starts[a]! - starts[b]! || a - b)
    const firsts: number[] = []
    const lasts: number[] = []
    const distinct: number[] = []
    for (const i of order) {
      const before = distinct.at(-1)
      // What stands for a whole, such as a formula, shows at many positions.
      if (before !== undefined && starts[before] === starts[i] && ends[before] === ends[i]) {
        firsts[firsts.length - 1] = Math.min(firsts.at(-1)!, i)
        lasts[lasts.length - 1] = Math.max(lasts.at(-1)!, i)
        continue
      }
      distinct.push(i)
      firsts.push(i)
      lasts.push(i)
    }
    const count = distinct.length
    this.#starts = Int32Array.from(distinct, (i) => starts[i]!)
    this.#ends = Int32Array.from(distinct, (i) => ends[i]!)
    this.#reach = new Int32Array(count)
    for (let k = 0, reach = -1; k < count; k++) this.#reach[k] = reach = Math.max(reach, this.#ends[k]!)
    this.#least = new Int32Array(2 * count)
    this.#greatest = new Int32Array(2 * count)
    this.#least.set(firsts, count)
    this.#greatest.set(lasts, count)
    for (let k = count - 1; k > 0; k--) {
      this.#least[k] = Math.min(this.#least[2 * k]!, this.#least[2 * k + 1]!)
      this.#greatest[k] = Math.max(this.#greatest[2 * k]!, this.#greatest[2 * k + 1]!)
    }
  }

  /** The first and the last position that shows something of what stands from `start` to `end`; null if none does. */
  touching(start: number, end: number): { first: number; last: number } | null {
    let first = Infinity
    let last = -1
    const from = firstAbove(this.#reach, start)
    const within = Math.max(from, firstAbove(this.#starts, start - 1))
    const to = firstAbove(this.#starts, end - 1)
    // Those that begin before the range: of these, few reach it.
    for (let k = from; k < Math.min(within, to); k++) {
      if (this.#ends[k]! <= start) continue
      first = Math.min(first, this.#least[this.#starts.length + k]!)
      last = Math.max(last, this.#greatest[this.#starts.length + k]!)
    }
    for (let a = within + this.#starts.length, b = to + this.#starts.length; a < b; a >>= 1, b >>= 1) {
      if (a & 1) {
        first = Math.min(first, this.#least[a]!)
        last = Math.max(last, this.#greatest[a]!)
        a++
      }
      if (b & 1) {
        b--
        first = Math.min(first, this.#least[b]!)
        last = Math.max(last, this.#greatest[b]!)
      }
    }
    return last < 0 ? null : { first, last }
  }
}

/** The index of the first of these ascending numbers that is greater; how many there are if none is. */
function firstAbove(numbers: Int32Array, limit: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! > limit) high = middle
    else low = middle + 1
  }
  return low
}
