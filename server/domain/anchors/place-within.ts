import type { Anchor } from '../../contract/records/anchors.ts'
import { commonPrefix, commonSuffix } from '../common-ends.ts'
import type { Hunk } from '../hunk.ts'
import type { Readable } from '../pieced-text.ts'
import { CONTEXT } from './anchor.ts'

const WORD = /[\p{L}\p{N}]/u
/** So much around a place has to be as it was for that to be no chance, or all that its anchor knows of. */
const TELLING = 12

/**
 * Where the place of an anchor is within what a change has put in, if that is what stood around it: all of its line is
 * there, and all else that came with it. What stands beyond that may have changed meanwhile.
 */
export function placeWithin({ fromB, toB }: Hunk, anchor: Anchor, after: Readable): number | undefined {
  const prefix = anchor.prefix.slice(-CONTEXT)
  const suffix = anchor.suffix.slice(0, CONTEXT)
  const line = { left: prefix.slice(prefix.lastIndexOf('\n') + 1), right: suffix.split(/\r?\n/, 1)[0]! }
  const { left, right } = WORD.test(line.left + line.right) ? line : { left: prefix, right: suffix }
  const words = left + right
  const from = Math.max(0, fromB - CONTEXT)
  const near = after.slice(from, toB + CONTEXT)
  const found: number[] = []
  for (let i = near.indexOf(words); i >= 0 && words !== ''; i = near.indexOf(words, i + 1)) {
    const at = from + i + left.length
    if (at <= fromB || at >= toB) continue
    const before = commonSuffix(prefix, near.slice(0, at - from))
    const behind = commonPrefix(suffix, near.slice(at - from))
    const isAll = before >= Math.min(prefix.length, at - fromB) && behind >= Math.min(suffix.length, toB - at)
    if (isAll && before + behind >= Math.min(TELLING, prefix.length + suffix.length)) found.push(at)
  }
  return found.length === 1 ? found[0] : undefined
}
