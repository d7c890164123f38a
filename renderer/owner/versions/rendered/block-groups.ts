import type { SourceRange } from '../../../../server/markdown/rendered.ts'
import type { NumberedSegment } from '../../../feedback/folded-diff.ts'

/** Blocks of the older text, and those of the younger that they became; one side may be empty. */
export interface BlockGroup {
  before: { from: number; to: number }
  after: { from: number; to: number }
}

/** Of the shorter of two blocks so much must have stayed, that one is said to have become the other. */
const enough = 0.25

/**
 * Which blocks of a text became which of another: those that have much in common belong together, all others were taken
 * out or put in. Each block is in one group, and groups are in the order of both texts.
 */
export function groupBlocks(
  before: readonly SourceRange[],
  after: readonly SourceRange[],
  segments: readonly NumberedSegment[],
): BlockGroup[] {
  const { ofBefore, ofAfter } = lastPartners(before, after, segments)
  const groups: BlockGroup[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    let [to, until] = [i, j]
    if (i < before.length && ofBefore[i] === -1) to++
    else if (j < after.length && ofAfter[j] === -1) until++
    else {
      // All that hangs together, also by way of others.
      to = Math.min(i + 1, before.length)
      until = Math.min(j + 1, after.length)
      for (let a = i, b = j; a < to || b < until;) {
        if (a < to) until = Math.max(until, ofBefore[a++]! + 1)
        else to = Math.max(to, ofAfter[b++]! + 1)
      }
    }
    groups.push({ before: { from: i, to }, after: { from: j, to: until } })
    ;[i, j] = [to, until]
  }
  return groups
}

/** With which block of the other text each has much in common; the last of several, -1 where there is none. */
function lastPartners(
  before: readonly SourceRange[],
  after: readonly SourceRange[],
  segments: readonly NumberedSegment[],
) {
  const ofBefore = new Int32Array(before.length).fill(-1)
  const ofAfter = new Int32Array(after.length).fill(-1)
  const shared = new Map<string, number>()
  let [a, b, i, j] = [0, 0, 0, 0]
  for (const { kind, text } of segments) {
    if (kind === 'same') {
      const moved = b - a
      while (i < before.length && before[i]!.end <= a) i++
      while (j < after.length && after[j]!.end <= b) j++
      const end = a + text.length
      for (let k = i, l = j; k < before.length && l < after.length && before[k]!.start < end;) {
        const from = Math.max(before[k]!.start, after[l]!.start - moved, a)
        const to = Math.min(before[k]!.end, after[l]!.end - moved, end)
        if (from < to) {
          const key = `${k} ${l}`
          const sum = (shared.get(key) ?? 0) + to - from
          shared.set(key, sum)
          const least = Math.min(lengthOf(before[k]!), lengthOf(after[l]!)) * enough
          if (sum >= least) {
            ofBefore[k] = Math.max(ofBefore[k]!, l)
            ofAfter[l] = Math.max(ofAfter[l]!, k)
          }
        }
        if (before[k]!.end < after[l]!.end - moved) k++
        else l++
      }
    }
    if (kind !== 'added') a += text.length
    if (kind !== 'removed') b += text.length
  }
  return { ofBefore, ofAfter }
}

const lengthOf = ({ start, end }: SourceRange) => end - start
