import type { Anchor } from '../../server/contract/records.ts'

const context = 32

/**
 * Words of the page in the source of its text, where they stand there as they are shown: of several places the one
 * nearest to `part` of the text (0 its beginning, 1 its end). Null where formatting stands between them.
 */
export function anchorInSource(source: string, words: string, part: number): Anchor | null {
  const pattern = words
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .join('\\s+')
  if (!pattern) return null
  let best: { index: number; text: string } | null = null
  const wanted = part * source.length
  for (const { index, 0: text } of source.matchAll(new RegExp(pattern, 'g'))) {
    if (!best || Math.abs(index - wanted) < Math.abs(best.index - wanted)) best = { index, text }
  }
  if (!best) return null
  const { index: start, text: exact } = best
  const end = start + exact.length
  return {
    exact,
    // Half a character is none.
    prefix: source.slice(Math.max(0, start - context), start).replace(/^[\uDC00-\uDFFF]/, ''),
    suffix: source.slice(end, end + context).replace(/[\uD800-\uDBFF]$/, ''),
    start,
  }
}
