import type { Mark } from '../../server/contract/records/rendering.ts'
import { keepRanges } from './moved-ranges.ts'
import { offsetOf, rangeOf, type Passage } from './points.ts'

/** A rendered text on a page, which may be another than the one this runs in. */
export class RenderedText {
  readonly element: HTMLElement
  /** Where passages of this text stand: looking for one takes a walk through its blocks. */
  readonly #ranges = new Map<string, Range | null>()
  /** In which blocks they begin and end, which they do wherever these are moved within them. */
  readonly #blocks = new Map<Range, readonly [number, number]>()
  /** Further ranges that stay at their words. */
  readonly followed = new Set<Range>()

  constructor(element: HTMLElement) {
    this.element = element
  }

  rangeOf({ from, to }: Passage): Range | null {
    const key = `${from.block}:${from.char}-${to.block}:${to.char}`
    const known = this.#ranges.get(key)
    if (known !== undefined) return known
    const range = rangeOf(this.element, { from, to })
    this.#ranges.set(key, range)
    if (range) this.#blocks.set(range, [from.block, to.block])
    return range
  }

  /** The marks at a place in the window, the shortest first. */
  marksAt(x: number, y: number, marks: readonly Mark[]): Mark[] {
    const caret = caretAt(this.element.ownerDocument, x, y)
    if (!caret) return []
    const hit: { mark: Mark; length: number }[] = []
    for (const mark of marks) {
      const range = this.rangeOf(mark)
      if (range?.isPointInRange(caret.node, caret.offset)) hit.push({ mark, length: range.toString().length })
    }
    return hit.sort((a, b) => a.length - b.length).map(({ mark }) => mark)
  }

  /** Moves nodes of it; ranges that are known here, or drawn, stay at their words. */
  move(nodes: readonly Node[], move: () => void): void {
    const blocks = new Set(nodes.flatMap(blocksAround))
    const near = [...this.#blocks].filter(([, ends]) => ends.some((block) => blocks.has(block)))
    const known = { all: this.#blocks, near: [...near.map(([range]) => range), ...this.followed] }
    keepRanges(this.element.ownerDocument, known, nodes, move)
  }

  /** Another text stands there now. */
  protected forget(): void {
    this.#ranges.clear()
    this.#blocks.clear()
    this.followed.clear()
  }
}

/** The blocks that a node of the text is in: points count in any of them. */
function blocksAround(node: Node): number[] {
  const blocks: number[] = []
  for (let at = node.parentElement?.closest('[data-b]'); at; at = at.parentElement?.closest('[data-b]'))
    blocks.push(offsetOf(at))
  return blocks
}

function caretAt(page: Document, x: number, y: number): { node: Node; offset: number } | null {
  if ('caretPositionFromPoint' in page) {
    const caret = page.caretPositionFromPoint(x, y)
    return caret && { node: caret.offsetNode, offset: caret.offset }
  }
  // Safari before 26 has only its own name for it.
  const range = (
    page as { caretRangeFromPoint?: (x: number, y: number) => Range | null }
  ).caretRangeFromPoint?.(x, y)
  return range ? { node: range.startContainer, offset: range.startOffset } : null
}
