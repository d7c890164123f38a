import type { Block } from './blocks.ts'
import type { MarkdownDocument } from './document.ts'
import { HtmlRenderer } from './html-renderer.ts'
import type { Parts } from './parts.ts'
import { locate } from './positions.ts'
import type { RenderedPoint, RenderedRange, RenderLimits, SourceRange } from './rendered.ts'
import { Trace, type CharOrigins } from './trace.ts'

interface ShownBlock {
  block: Block
  /** Where it starts and ends in the source. */
  start: number
  end: number
  render(to: HtmlRenderer): string
}

/** Translates between places on the rendered page and places in the source of one document. */
export class SelectionMap {
  readonly #document: MarkdownDocument
  readonly #parts: Parts
  readonly #limits: RenderLimits
  readonly #blocks: ShownBlock[]
  readonly #origins = new Map<Block, CharOrigins>()

  constructor(document: MarkdownDocument, parts: Parts, limits: RenderLimits) {
    this.#document = document
    this.#parts = parts
    this.#limits = limits
    const { text, blocks, footnotes } = document
    const place = (block: Block) => ({ block, start: text.start(block.from), end: text.start(block.to) })
    this.#blocks = [
      ...blocks.map((block) => ({
        ...place(block),
        render: (to: HtmlRenderer) => to.block(block.tokens, new Map()),
      })),
      ...footnotes.map((footnote) => ({
        ...place(footnote.block),
        render: (to: HtmlRenderer) => to.footnote(footnote),
      })),
    ].sort((a, b) => a.start - b.start)
  }

  /** The exact source of a rendered selection; null if there is none. */
  sourceRange(from: RenderedPoint, to: RenderedPoint): SourceRange | null {
    const first = this.#find(from.block)
    const last = this.#find(to.block)
    if (!first || !last || !isCount(from.char) || !isCount(to.char)) return null
    const { starts } = this.#originsOf(first)
    const { ends } = this.#originsOf(last)
    let a = from.char
    while (a < starts.length && starts[a]! < 0) a++
    let b = Math.min(to.char, ends.length) - 1
    while (b >= 0 && ends[b]! < 0) b--
    const start = a < starts.length ? starts[a]! : -1
    const end = b >= 0 ? ends[b]! : -1
    return start >= 0 && end > start ? { start, end } : null
  }

  /** Where a source range shows; null if nothing of it does. */
  renderedRange(range: SourceRange): RenderedRange | null {
    const touched = this.#blocks.filter((block) => block.start < range.end && block.end > range.start)
    for (const [i, first] of touched.entries()) {
      const char = this.#originsOf(first).ends.findIndex(
        (end, c) => end > range.start && this.#showsAt(first, c, range),
      )
      if (char < 0) continue
      for (const last of touched.slice(i).reverse()) {
        const end = this.#originsOf(last).starts.findLastIndex((_, c) => this.#showsAt(last, c, range))
        if (end >= 0) {
          return { from: { block: first.start, char }, to: { block: last.start, char: end + 1 } }
        }
      }
    }
    return null
  }

  #showsAt(block: ShownBlock, char: number, range: SourceRange): boolean {
    const { starts, ends } = this.#originsOf(block)
    return starts[char]! >= 0 && starts[char]! < range.end && ends[char]! > range.start
  }

  #find(offset: number): ShownBlock | undefined {
    return this.#blocks.find(({ start }) => start === offset)
  }

  #originsOf({ block, render }: ShownBlock): CharOrigins {
    const known = this.#origins.get(block)
    if (known) return known
    const trace = new Trace()
    const view = this.#document.text.slice(block.from, block.to)
    const positions = locate(block.tokens, view)
    const origins = trace.read(render(new HtmlRenderer(this.#parts, this.#limits, { positions, trace })))
    this.#origins.set(block, origins)
    return origins
  }
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0
}
