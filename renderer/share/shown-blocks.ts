import type { ShownBlocks } from './source-anchor.ts'
import type { Chosen } from './text-pane.ts'

/** The blocks that a chosen passage lies in; null where their source isn’t one stretch, as with footnotes. */
export function shownBlocks(root: Element, { from, to }: Chosen): ShownBlocks | null {
  const blocks = [...root.querySelectorAll('[data-b]')].map((block) => ({
    offset: Number(block.getAttribute('data-b')),
    shown: (block.textContent ?? '').replace(/\s+/g, ''),
  }))
  const first = blocks.findIndex(({ offset }) => offset === from.block)
  const last = blocks.findIndex(({ offset }) => offset === to.block)
  if (first < 0 || last < first || to.block < from.block) return null
  const texts = blocks.slice(first, last + 1).map(({ shown }) => shown)
  const shown = texts.join('')
  const until = shown.length - texts.at(-1)!.length + to.char
  const following = blocks.map(({ offset }) => offset).filter((offset) => offset > to.block)
  return {
    start: from.block,
    end: following.length > 0 ? Math.min(...following) : null,
    shown,
    chosen: shown.slice(from.char, until),
    before: from.char,
  }
}
