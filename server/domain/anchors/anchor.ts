import type { Anchor, Range } from '../../contract/records/anchors.ts'
import { splitsPair } from '../common-ends.ts'

/** So many characters of what stands around its words, on each side, are part of an anchor. */
export const CONTEXT = 32

/** The anchor of a stretch of text: its words, some characters on each side, and where it begins. */
export function anchorAt(content: string, start: number, end: number): Anchor {
  let before = Math.max(0, start - CONTEXT)
  let after = Math.min(content.length, end + CONTEXT)
  if (splitsPair(content, before)) before++
  if (splitsPair(content, after)) after--
  return {
    exact: content.slice(start, end),
    prefix: content.slice(before, start),
    suffix: content.slice(end, after),
    start,
  }
}

/**
 * An anchor whose words stand there, or that is of a place of none, with what stands around it on a side of which it says
 * nothing: so it is known again where that is taken out and comes back.
 */
export function withContext(content: string, anchor: Anchor, { start, end }: Range): Anchor {
  if (content.slice(start, end) !== anchor.exact) return anchor
  const { prefix, suffix } = anchorAt(content, start, end)
  return { ...anchor, prefix: anchor.prefix || prefix, suffix: anchor.suffix || suffix }
}
