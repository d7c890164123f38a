import type { Budget } from '../budget.ts'
import { commonPrefix, commonSuffix } from '../common-ends.ts'
import type { PairedStretch } from '../tokens.ts'
import type { PassageWords } from './passage-words.ts'

/** What a word that only one of them has costs, if an end is open. */
const GAP = 0.8
const COST = { cell: 3 }

/**
 * The words that two stretches have in common, in their order: pairs of a word of the one and a word of the other. Where
 * only one end of them is known to belong together, from there as far as enough of them is the same.
 */
export function wordsInOrder(
  a: PassageWords,
  b: PassageWords,
  { a0, a1, b0, b1 }: PairedStretch,
  from: 'start' | 'end' | 'both',
  weights: Float64Array,
  budget: Budget,
): [number, number][] {
  const [rows, columns] = [a1 - a0, b1 - b0]
  budget.left -= rows * columns * COST.cell
  if (budget.left < 0) return []
  const [isForward, isWhole] = [from !== 'end', from === 'both']
  const gap = isWhole ? 0 : GAP
  const wide = columns + 1
  const scores = new Float64Array((rows + 1) * wide)
  const ways = new Uint8Array((rows + 1) * wide)
  for (let i = 1; i <= rows; i++) [scores[i * wide], ways[i * wide]] = [-gap * i, 2]
  for (let j = 1; j <= columns; j++) [scores[j], ways[j]] = [-gap * j, 3]
  let [best, bestAt] = [0, 0]
  for (let i = 1; i <= rows; i++) {
    const id = a.ids[isForward ? a0 + i - 1 : a1 - i]!
    const weight = weights[id]!
    for (let j = 1; j <= columns; j++) {
      const cell = i * wide + j
      const diagonal = cell - wide - 1
      let [score, way] = [scores[cell - wide]! - gap, 2]
      const left = scores[cell - 1]! - gap
      if (left > score) [score, way] = [left, 3]
      if (b.ids[isForward ? b0 + j - 1 : b1 - j] === id) {
        const same = scores[diagonal]! + weight + (ways[diagonal] === 1 ? weight * 0.5 : 0)
        if (same > score) [score, way] = [same, 1]
      }
      scores[cell] = score
      ways[cell] = way
      if (score > best) [best, bestAt] = [score, cell]
    }
  }
  const pairs: [number, number][] = []
  for (let cell = isWhole ? rows * wide + columns : bestAt; cell > 0;) {
    const way = ways[cell]
    if (way === 1) {
      const [i, j] = [Math.floor(cell / wide), cell % wide]
      pairs.push(isForward ? [a0 + i - 1, b0 + j - 1] : [a1 - i, b1 - j])
    }
    cell -= way === 1 ? wide + 1 : way === 2 ? wide : 1
  }
  return pairs
}

/** Whether a word is another with a letter more, less or changed. */
export function isSpelledOtherwise(a: PassageWords, i: number, b: PassageWords, j: number): boolean {
  const [one, other] = [a.text.slice(a.starts[i], a.ends[i]), b.text.slice(b.starts[j], b.ends[j])]
  const least = Math.min(one.length, other.length)
  if (least < 3 || Math.abs(one.length - other.length) > 1) return false
  const head = commonPrefix(one, other)
  return head + commonSuffix(one, other, head) >= Math.max(one.length, other.length) - 1
}
