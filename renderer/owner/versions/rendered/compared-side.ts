import type { Parts } from '../../../../server/markdown/code-and-maths.ts'
import { readDocument } from '../../../../server/markdown/document.ts'
import { defaultLimits } from '../../../../server/markdown/render-limits.ts'
import type { SourceRange } from '../../../../server/markdown/rendered.ts'
import { SelectionMap } from '../../../../server/markdown/selection.ts'
import { renderBlocks, type RenderedBlock } from '../../../../server/markdown/source-blocks.ts'

/** One of two texts that are compared: its source, and the blocks that it shows as. */
export class ComparedSide {
  readonly source: string
  readonly blocks: readonly RenderedBlock[]
  readonly #map: SelectionMap

  constructor(source: string, parts: Parts) {
    this.source = source
    const document = readDocument(source, defaultLimits.maxDepth)
    this.blocks = renderBlocks(document, parts, defaultLimits)
    this.#map = new SelectionMap(document, parts, defaultLimits)
  }

  /** Where some of a block’s source shows in it. */
  placeIn(block: RenderedBlock, { start, end }: SourceRange): { from: number; to: number } | null {
    const range = { start: Math.max(start, block.start), end: Math.min(end, block.end) }
    const found = range.start < range.end ? this.#map.renderedRange(range) : null
    if (found?.from.block !== block.start || found.to.block !== block.start) return null
    return { from: found.from.char, to: found.to.char }
  }

  /** A range with all that it touches, up to white space. */
  withTouching({ start, end }: SourceRange): SourceRange {
    const { source } = this
    let [from, to] = [start, end]
    while (from > 0 && start - from < 500 && /\S/.test(source[from - 1]!)) from--
    while (to < source.length && to - end < 500 && /\S/.test(source[to]!)) to++
    return { start: from, end: to }
  }
}
