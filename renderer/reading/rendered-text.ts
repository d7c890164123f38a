import type { Mark } from '../../server/contract/records/rendering.ts'
import { keepRanges } from './moved-ranges.ts'
import { rangeOf, type Passage } from './points.ts'

/** A rendered text on a page, which may be another than the one this runs in. */
export class RenderedText {
  readonly element: HTMLElement
  /** Where passages of this text stand: looking for one takes a walk through its blocks. */
  readonly #ranges = new Map<string, Range | null>()
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
    const known = [...this.#ranges.values()].filter((range) => range !== null)
    keepRanges(this.element.ownerDocument, [...known, ...this.followed], nodes, move)
  }

  /** Another text stands there now. */
  protected forget(): void {
    this.#ranges.clear()
    this.followed.clear()
  }
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
