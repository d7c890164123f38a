import type { Align, PastedBlock, Item, Marks, Run } from './blocks.ts'
import { HeadingLevels } from './heading-levels.ts'
import { HtmlStyles } from './html-styles.ts'
import { descendants, isElement, textOf, type HtmlElement, type HtmlNode } from './html-tree.ts'
import { addressOf, formula, picture, trimmed } from './runs.ts'
import { joined, levelOf, nested, wordItemStyle, type WordItem } from './word-lists.ts'

/** Reads HTML as web pages and word processors put it on the clipboard. */
export function blocksOf(root: HtmlElement): PastedBlock[] {
  const reader = new HtmlReader(root)
  return reader.blocks(root, {})
}

const left = new Set(
  'head script style template noscript iframe object embed svg canvas audio video button select textarea dialog link meta title base map form-field'.split(
    ' ',
  ),
)
const blockTags = new Set(
  'html body p div section article main header footer aside nav figure figcaption details summary address fieldset form center h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre hr table caption colgroup thead tbody tfoot tr td th'.split(
    ' ',
  ),
)

class HtmlReader {
  readonly #styles: HtmlStyles
  readonly #headings: HeadingLevels

  constructor(root: HtmlElement) {
    this.#styles = new HtmlStyles(root)
    this.#headings = new HeadingLevels(root, this.#styles)
  }

  blocks(parent: HtmlElement, marks: Marks): PastedBlock[] {
    const found: PastedBlock[] = []
    let runs: Run[] = []
    const flush = () => {
      const kept = trimmed(runs)
      if (kept.length > 0) found.push({ kind: 'paragraph', runs: kept })
      runs = []
    }
    const byLines = this.#isByLines(parent)
    let wordList: WordItem[] = []
    const flushList = () => {
      if (wordList.length > 0) found.push(...nested(wordList))
      wordList = []
    }
    for (const child of parent.children) {
      if (!isElement(child)) {
        if (child.trim() !== '' && wordList.length > 0) flushList()
        runs.push(...this.inline(child, marks))
        continue
      }
      if (this.#isLeft(child)) continue
      const itemStyle = wordItemStyle(child, this.#styles)
      if (itemStyle) {
        flush()
        wordList.push({ ...itemStyle, blocks: this.blocks(child, marks) })
        continue
      }
      flushList()
      if (!this.#holdsBlocks(child)) {
        if (byLines && child.tag === 'div') {
          if (runs.length > 0) runs.push({ kind: 'break' })
          const line = this.inline(child, marks)
          if (trimmed(line).length > 0) runs.push(...line)
          else flush()
        } else runs.push(...this.inline(child, marks))
        continue
      }
      if (byLines && child.tag === 'div' && !this.#hasBlocksInside(child)) {
        const line = this.#children(child, this.#marksOf(child, marks))
        if (trimmed(line).length === 0) flush()
        else {
          if (runs.length > 0) runs.push({ kind: 'break' })
          runs.push(...line)
        }
        continue
      }
      flush()
      found.push(...this.#block(child, this.#marksOf(child, marks)))
    }
    flush()
    flushList()
    return joined(found)
  }

  #block(element: HtmlElement, marks: Marks): PastedBlock[] {
    const { tag, attributes } = element
    switch (tag) {
      case 'h1':
      case 'h2':
      case 'h3':
      case 'h4':
      case 'h5':
      case 'h6':
        return this.#heading(element, Number(tag[1]), marks)
      case 'ul':
      case 'ol':
        return this.#list(element, marks)
      case 'li':
        return [{ kind: 'list', ordered: false, start: 1, level: null, items: [this.#item(element, marks)] }]
      case 'blockquote':
        return this.#quote(this.blocks(element, marks))
      case 'pre':
        return [codeOf(element)]
      case 'hr':
        return [{ kind: 'rule' }]
      case 'table':
        return this.#table(element, marks)
      case 'dt':
        return this.blocks(element, { ...marks, strong: true })
      case 'p': {
        const level = this.#headings.of(element)
        if (level) return this.#heading(element, level, marks)
        const blocks = this.blocks(element, marks)
        return /quote/i.test(attributes['class'] ?? '') ? this.#quote(blocks) : blocks
      }
      default: {
        const level = attributes['role'] === 'heading' ? Number(attributes['aria-level'] ?? 2) : 0
        return level >= 1 && level <= 6 ? this.#heading(element, level, marks) : this.blocks(element, marks)
      }
    }
  }

  #quote(blocks: PastedBlock[]): PastedBlock[] {
    return blocks.length > 0 ? [{ kind: 'quote', blocks }] : []
  }

  #heading(element: HtmlElement, level: number, { href }: Marks): PastedBlock[] {
    const runs = trimmed(this.#children(element, href ? { href } : {})).filter(({ kind }) => kind !== 'break')
    // All of it being bold is what headings look like.
    const texts = runs.filter((run) => run.kind === 'text' && run.text.trim() !== '')
    if (texts.every((run) => run.kind === 'text' && run.marks.strong)) {
      for (const run of texts) if (run.kind === 'text') delete run.marks.strong
    }
    return runs.length > 0 ? [{ kind: 'heading', level, runs }] : []
  }

  #list(element: HtmlElement, marks: Marks): PastedBlock[] {
    const items: Item[] = []
    for (const child of element.children) {
      if (!isElement(child) || this.#isLeft(child)) {
        if (!isElement(child) && child.trim() !== '')
          items.push({ done: null, blocks: paragraph(this.inline(child, marks)) })
      } else if (child.tag === 'ul' || child.tag === 'ol') {
        // Not allowed, but what Google Docs and Word Online do.
        const inner = this.#list(child, marks)
        const last = items.at(-1)
        if (last) last.blocks.push(...inner)
        else items.push(...inner.flatMap((block) => (block.kind === 'list' ? block.items : [])))
      } else items.push(this.#item(child, this.#marksOf(child, marks)))
    }
    const kept = items.filter(({ blocks }) => blocks.length > 0)
    if (kept.length === 0) return []
    const start = Number(element.attributes['start'] ?? 1)
    return [
      {
        kind: 'list',
        ordered: element.tag === 'ol',
        start: Number.isInteger(start) && start >= 0 && start < 1e9 ? start : 1,
        level: levelOf(element),
        items: kept,
      },
    ]
  }

  #item(element: HtmlElement, marks: Marks): Item {
    let done: boolean | null = null
    if (element.attributes['role'] === 'checkbox') done = element.attributes['aria-checked'] === 'true'
    for (const { tag, attributes } of descendants(element)) {
      if (tag === 'li') break
      if (tag === 'input' && attributes['type'] === 'checkbox') {
        done = 'checked' in attributes
        break
      }
    }
    return { done, blocks: this.blocks(element, marks) }
  }

  #table(element: HtmlElement, marks: Marks): PastedBlock[] {
    const cells: HtmlElement[][] = []
    let isLayout = element.attributes['role'] === 'presentation'
    const visit = (parent: HtmlElement) => {
      for (const child of parent.children) {
        if (!isElement(child)) continue
        if (child.tag === 'tr') {
          const row = child.children.filter(
            (cell): cell is HtmlElement => isElement(cell) && (cell.tag === 'td' || cell.tag === 'th'),
          )
          if (row.length > 0) cells.push(row)
        } else if (/^(thead|tbody|tfoot)$/.test(child.tag)) visit(child)
      }
    }
    visit(element)
    for (const cell of cells.flat()) {
      for (const { tag } of descendants(cell))
        if (/^(table|ul|ol|h[1-6]|pre|blockquote)$/.test(tag)) isLayout = true
    }
    const width = Math.max(0, ...cells.map((row) => row.reduce((sum, cell) => sum + span(cell), 0)))
    if (isLayout || width < 2 || width > 200) {
      return cells.flat().flatMap((cell) => this.blocks(cell, this.#marksOf(cell, marks)))
    }
    const rows = cells.map((row) => {
      const runs = row.flatMap((cell) => {
        const strong = cell.tag === 'th' ? { ...marks, strong: false } : marks
        const content = this.#cell(cell, this.#marksOf(cell, strong))
        return [content, ...Array.from({ length: span(cell) - 1 }, (): Run[] => [])]
      })
      return [...runs, ...Array.from({ length: width - runs.length }, (): Run[] => [])]
    })
    // Its header is bold by itself.
    for (const run of rows[0]!.flat()) if (run.kind !== 'break') delete run.marks.strong
    const align = cells[0]!.flatMap((cell): Align[] => {
      const wanted = this.#styles.of(cell)['text-align'] ?? cell.attributes['align'] ?? ''
      const one = wanted === 'center' || wanted === 'right' ? wanted : ''
      return Array.from({ length: span(cell) }, () => one)
    })
    while (align.length < width) align.push('')
    return [{ kind: 'table', rows, align }]
  }

  /** A cell is one line; paragraphs in it stand apart by line breaks. */
  #cell(cell: HtmlElement, marks: Marks): Run[] {
    return this.blocks(cell, marks).flatMap((block, i): Run[] => {
      const runs = block.kind === 'paragraph' || block.kind === 'heading' ? block.runs : []
      return i > 0 && runs.length > 0 ? [{ kind: 'break' }, ...runs] : runs
    })
  }

  inline(node: HtmlNode, marks: Marks): Run[] {
    if (!isElement(node)) {
      const text = node.replace(/[ \t\r\n\f\u00a0]+/g, ' ').replace(/[\u200b\ufeff]/g, '')
      return text === '' ? [] : [{ kind: 'text', text, marks }]
    }
    if (this.#isLeft(node)) return []
    const { tag, attributes } = node
    if (tag === 'br') return /interchange/i.test(attributes['class'] ?? '') ? [] : [{ kind: 'break' }]
    if (tag === 'img') return picture(attributes, marks)
    if (tag === 'input') return []
    if (tag === 'math') return formula(node, marks)
    return this.#children(node, this.#marksOf(node, marks))
  }

  #children(element: HtmlElement, marks: Marks): Run[] {
    return element.children.flatMap((child, i) => {
      const isApart = i > 0 && isElement(child) && blockTags.has(child.tag) && child.tag !== 'li'
      const runs = this.inline(child, marks)
      return isApart && runs.length > 0 ? [{ kind: 'text' as const, text: ' ', marks: {} }, ...runs] : runs
    })
  }

  #marksOf(element: HtmlElement, marks: Marks): Marks {
    const { tag, attributes } = element
    const style = this.#styles.of(element)
    const now = { ...marks }
    if (tag === 'b' || tag === 'strong') now.strong = true
    if (tag === 'i' || tag === 'em' || tag === 'cite' || tag === 'dfn' || tag === 'var') now.emphasis = true
    if (tag === 's' || tag === 'strike' || tag === 'del') now.strike = true
    if (tag === 'code' || tag === 'kbd' || tag === 'samp' || tag === 'tt') now.code = true
    const weight = style['font-weight']
    if (weight !== undefined && !/^h[1-6]$/.test(tag)) {
      if (/^(bold|bolder|[6-9]00)$/.test(weight)) now.strong = true
      else if (/^(normal|lighter|[1-5]00)$/.test(weight)) delete now.strong
    }
    if (/italic|oblique/.test(style['font-style'] ?? '')) now.emphasis = true
    else if (style['font-style'] === 'normal') delete now.emphasis
    if (/line-through/.test(`${style['text-decoration'] ?? ''} ${style['text-decoration-line'] ?? ''}`))
      now.strike = true
    if (tag === 'a') {
      const href = addressOf(attributes['href'])
      if (href !== null) now.href = href
    }
    return now
  }

  #isLeft(element: HtmlElement): boolean {
    if (left.has(element.tag) || 'hidden' in element.attributes) return true
    const { tag, attributes } = element
    if (attributes['aria-hidden'] === 'true' && tag !== 'img') return true
    const style = this.#styles.of(element)
    return (
      style['display'] === 'none' || style['mso-hide'] === 'all' || /ignore/.test(style['mso-list'] ?? '')
    )
  }

  #holdsBlocks(element: HtmlElement): boolean {
    if (element.tag === 'br' || element.tag === 'img') return false
    return blockTags.has(element.tag) || this.#hasBlocksInside(element)
  }

  #hasBlocksInside(element: HtmlElement): boolean {
    for (const { tag } of descendants(element)) if (blockTags.has(tag)) return true
    return false
  }

  /** Mail and notes have a `div` for each line, and an empty one between paragraphs. */
  #isByLines({ children }: HtmlElement): boolean {
    return children.some(
      (child) =>
        isElement(child) &&
        child.tag === 'div' &&
        child.children.length > 0 &&
        child.children.every((one) => isElement(one) && one.tag === 'br'),
    )
  }
}

const span = ({ attributes }: HtmlElement) => Math.min(Math.max(Number(attributes['colspan']) || 1, 1), 100)
const paragraph = (runs: Run[]): PastedBlock[] => {
  const kept = trimmed(runs)
  return kept.length > 0 ? [{ kind: 'paragraph', runs: kept }] : []
}

function codeOf(element: HtmlElement): PastedBlock {
  let language = ''
  for (const one of [element, ...descendants(element)]) {
    language ||=
      /\b(?:lang(?:uage)?|highlight-source)-([\w+#-]+)/.exec(one.attributes['class'] ?? '')?.[1] ?? ''
  }
  const read = (node: HtmlNode): string =>
    !isElement(node)
      ? node
      : node.tag === 'br'
        ? '\n'
        : left.has(node.tag)
          ? ''
          : node.children.map(read).join('')
  // Around the code itself there may be its language in words, and buttons.
  const codes = [...descendants(element)].filter(({ tag }) => tag === 'code')
  const [only] = codes
  const whole = codes.length === 1 && only && textOf(only).trim() !== '' ? only : element
  return {
    kind: 'code',
    language,
    text: read(whole)
      .replace(/\u00a0/g, ' ')
      .replace(/^\n/, '')
      .trimEnd(),
  }
}
