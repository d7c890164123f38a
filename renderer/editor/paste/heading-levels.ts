import { pointsOf, type HtmlStyles } from './html-styles.ts'
import { descendants, isElement, textOf, type HtmlElement, type HtmlNode } from './html-tree.ts'

/** Which paragraphs of word processors are headings: by the names of their styles, or where they are set larger. */
export class HeadingLevels {
  readonly #styles: HtmlStyles
  /** What sizes of text are headings where no element says so: by points, from the largest. */
  readonly #sizes: number[]

  constructor(root: HtmlElement, styles: HtmlStyles) {
    this.#styles = styles
    this.#sizes = this.#headingSizes(root)
  }

  of(element: HtmlElement): number | null {
    const name = element.attributes['class'] ?? ''
    const styled = /\bMso(Title|Subtitle|Heading([1-6]))\b/i.exec(name)
    if (styled) return styled[2] ? Number(styled[2]) : /sub/i.test(styled[1]!) ? 2 : 1
    if (this.#sizes.length === 0) return null
    const size = this.#sizeOf(element)
    const at = size === null ? -1 : this.#sizes.indexOf(size)
    return at < 0 ? null : Math.min(at + 1, 6)
  }

  /** The one size that all text of a paragraph has. */
  #sizeOf(element: HtmlElement): number | null {
    const sizes = new Set<number | null>()
    const visit = (node: HtmlNode, size: number | null) => {
      if (!isElement(node)) {
        if (node.trim() !== '') sizes.add(size)
        return
      }
      const own = pointsOf(this.#styles.of(node)) ?? size
      for (const child of node.children) visit(child, own)
    }
    visit(element, null)
    const [only] = sizes
    return sizes.size === 1 ? (only ?? null) : null
  }

  #headingSizes(root: HtmlElement): number[] {
    const lengths = new Map<number, number>()
    for (const element of descendants(root)) {
      if (/^h[1-6]$/.test(element.tag)) return []
      if (element.tag !== 'p') continue
      const size = this.#sizeOf(element)
      if (size !== null) lengths.set(size, (lengths.get(size) ?? 0) + textOf(element).trim().length)
    }
    const [body] = [...lengths].sort((a, b) => b[1] - a[1])[0] ?? []
    if (body === undefined || lengths.size < 2) return []
    return [...lengths.keys()].filter((size) => size >= body * 1.2).sort((a, b) => b - a)
  }
}
