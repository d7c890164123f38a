import type { RenderedPoint } from '../contract/records/rendering.ts'
import type { SourceBlock } from './blocks.ts'
import type { MarkdownDocument } from './document.ts'
import { HtmlRenderer } from './html-renderer.ts'
import { Intervals } from './intervals.ts'
import type { Parts } from './code-and-maths.ts'
import { locate } from './positions.ts'
import type { RenderLimits } from './render-limits.ts'
import type { RenderedRange, SourceRange } from './rendered.ts'
import { Trace, type CharOrigins } from './trace.ts'

interface ShownBlock {
  block: SourceBlock
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
  /** The same in the order in which they show: footnotes stand at the end, wherever they are written. */
  readonly #shown: readonly ShownBlock[]
  readonly #origins = new Map<SourceBlock, CharOrigins>()
  readonly #characters = new Map<SourceBlock, Intervals>()
  #places: Intervals | null = null

  constructor(document: MarkdownDocument, parts: Parts, limits: RenderLimits) {
    this.#document = document
    this.#parts = parts
    this.#limits = limits
    const { text, blocks, footnotes } = document
    const place = (block: SourceBlock) => ({
      block,
      start: text.start(block.from),
      end: text.start(block.to),
    })
    this.#shown = [
      ...blocks.map((block) => ({
        ...place(block),
        render: (to: HtmlRenderer) => to.block(block.tokens, new Map()),
      })),
      ...footnotes.map((footnote) => ({
        ...place(footnote.block),
        render: (to: HtmlRenderer) => to.footnote(footnote),
      })),
    ]
    this.#blocks = [...this.#shown].sort((a, b) => a.start - b.start)
  }

  /** The exact source of a rendered selection; null if there is none. */
  sourceRange(from: RenderedPoint, to: RenderedPoint): SourceRange | null {
    const first = this.#find(from.block)
    const last = this.#find(to.block)
    if (!first || !last || !isCount(from.char) || !isCount(to.char)) return null
    if (!this.#isOneStretch(first, last)) return null
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

  /** Whether what shows from one block to another is what is written from one to the other, and nothing else. */
  #isOneStretch(first: ShownBlock, last: ShownBlock): boolean {
    if (first === last) return true
    const shown = this.#shown.slice(this.#shown.indexOf(first), this.#shown.indexOf(last) + 1)
    const from = this.#blocks.indexOf(first)
    return shown.length > 0 && shown.every((block, i) => block === this.#blocks[from + i])
  }

  /** Where a source range shows; null if nothing of it does. */
  renderedRange(range: SourceRange): RenderedRange | null {
    const places = (this.#places ??= placesOf(this.#blocks))
    const touched = places.touching(range.start, range.end)
    if (!touched) return null
    for (let i = touched.first; i <= touched.last; i++) {
      const first = this.#showing(this.#blocks[i]!, range)
      if (!first) continue
      for (let k = touched.last; ; k--) {
        const last = k === i ? first : this.#showing(this.#blocks[k]!, range)
        if (!last) continue
        return {
          from: { block: this.#blocks[i]!.start, char: first.first },
          to: { block: this.#blocks[k]!.start, char: last.last + 1 },
          source: {
            start: this.#originsOf(this.#blocks[i]!).starts[first.first]!,
            end: this.#originsOf(this.#blocks[k]!).ends[last.last]!,
          },
        }
      }
    }
    return null
  }

  /** The first and last character of a block that shows something of the range. */
  #showing(block: ShownBlock, range: SourceRange): { first: number; last: number } | null {
    // Blocks may enclose others, and what is found among them be none of the range's own.
    if (block.start >= range.end || block.end <= range.start) return null
    let characters = this.#characters.get(block.block)
    if (!characters) {
      const { starts, ends } = this.#originsOf(block)
      this.#characters.set(block.block, (characters = new Intervals(starts, ends)))
    }
    return characters.touching(range.start, range.end)
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

/** Blocks by where they stand, so that finding those of a range doesn't mean looking at all. */
const placesOf = (blocks: readonly ShownBlock[]) =>
  new Intervals(
    Int32Array.from(blocks, ({ start }) => start),
    Int32Array.from(blocks, ({ end }) => end),
  )

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0
}
