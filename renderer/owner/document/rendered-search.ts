import { putInClass } from '../../reading/put-in.ts'
import { textNodes } from '../../reading/points.ts'

/** Words looked for in a rendered page, drawn there without touching its elements. */
export class RenderedSearch {
  /** More than this many are counted no further. */
  static readonly most = 2_000
  readonly #page: Document
  #found: Range[] = []
  /** Which of those found is looked at; -1 for none. */
  current = -1

  constructor(page: Document) {
    this.#page = page
  }

  get count(): number {
    return this.#found.length
  }

  /** Looks for words in any case; the first at or below what is seen is looked at. */
  find(words: string): void {
    this.#found = words === '' ? [] : rangesOf(this.#page, words)
    const next = this.#found.findIndex((range) => range.getBoundingClientRect().bottom > 0)
    this.current = this.#found.length === 0 ? -1 : Math.max(0, next)
    this.#show()
  }

  /** Goes on to the next one, or by -1 to the one before, around the ends. */
  step(by: 1 | -1): void {
    const { count } = this
    if (count === 0) return
    this.current = (this.current + by + count) % count
    this.#show()
  }

  #show(): void {
    const view = this.#page.defaultView
    if (!view) return
    const current = this.#found[this.current]
    // A browser that can’t draw them goes to them all the same.
    if ('highlights' in view.CSS) {
      view.CSS.highlights.set('found', new view.Highlight(...this.#found))
      view.CSS.highlights.set('found-now', new view.Highlight(...(current ? [current] : [])))
    }
    if (!current) return
    const { top, bottom } = current.getBoundingClientRect()
    if (top < 48 || bottom > view.innerHeight - 48)
      view.scrollBy({ top: top - view.innerHeight * 0.35, behavior: 'instant' })
  }
}

/** Where words stand, within one block each, or within what a suggestion puts in there, in the order in which they are read. */
function rangesOf(page: Document, words: string): Range[] {
  const pattern = new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+'), 'giu')
  const found: Range[] = []
  for (const block of page.querySelectorAll('.title, [data-b]')) {
    const put = [...block.querySelectorAll(`.${putInClass}`)]
    // What is drawn there has a tree of its own, which stands where its element does.
    const inPut = put.flatMap((element) =>
      found.length < RenderedSearch.most
        ? matchesIn(element.firstElementChild!.shadowRoot!, pattern).map((range) => ({ range, element }))
        : [],
    )
    for (const range of matchesIn(block, pattern)) {
      while (inPut[0] && range.comparePoint(inPut[0].element, 0) < 0) found.push(inPut.shift()!.range)
      found.push(range)
    }
    found.push(...inPut.map(({ range }) => range))
    if (found.length >= RenderedSearch.most) return found.slice(0, RenderedSearch.most)
  }
  return found
}

function matchesIn(root: Node, pattern: RegExp): Range[] {
  const nodes: { node: Text; from: number }[] = []
  let text = ''
  for (const node of textNodes(root)) {
    nodes.push({ node, from: text.length })
    text += node.data
  }
  const place = (at: number, isEnd: boolean) => {
    const i = nodes.findLastIndex(({ from }) => (isEnd ? from < at : from <= at))
    return { node: nodes[i]!.node, offset: at - nodes[i]!.from }
  }
  const found: Range[] = []
  for (const { index, 0: words } of text.matchAll(pattern)) {
    const [start, end] = [place(index, false), place(index + words.length, true)]
    const range = root.ownerDocument!.createRange()
    range.setStart(start.node, start.offset)
    range.setEnd(end.node, end.offset)
    found.push(range)
    if (found.length === RenderedSearch.most) return found
  }
  return found
}
