import type { Anchor, Range } from '../../contract/records/anchors.ts'
import { anchorAt } from '../anchors/anchor.ts'

/** For tests: the anchor and range of the words between ‹ and ›, and the text without these marks. */
export function marked(text: string): { text: string; anchor: Anchor; range: Range } {
  const start = text.indexOf('‹')
  const end = text.indexOf('›') - 1
  const plain = text.replace(/[‹›]/g, '')
  return { text: plain, anchor: anchorAt(plain, start, end), range: { start, end } }
}

/** A text with a range of it marked. */
export const show = (text: string, range: Range | null): string | null =>
  range && `${text.slice(0, range.start)}‹${text.slice(range.start, range.end)}›${text.slice(range.end)}`
