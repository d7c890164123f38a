import type { PastedBlock, Item, List } from './blocks.ts'
import type { HtmlStyles } from './html-styles.ts'
import { descendants, isElement, textOf, type HtmlElement } from './html-tree.ts'

/** Lists as word processors put them on the clipboard: by paragraphs with a level, or a list for each item. */

/** What the style of a paragraph says of it as an item of a list. */
export interface WordItemStyle {
  level: number
  ordered: boolean
  start: number
}

export interface WordItem extends WordItemStyle {
  blocks: PastedBlock[]
}

/** An item of a list as Word writes it: a paragraph whose style names list and level. */
export function wordItemStyle(element: HtmlElement, styles: HtmlStyles): WordItemStyle | null {
  if (!/^(p|div)$/.test(element.tag)) return null
  const level = /\bl\d+\s+level(\d+)/.exec(styles.of(element)['mso-list'] ?? '')?.[1]
  if (level === undefined) return null
  let sign = ''
  for (const one of descendants(element)) {
    if (/ignore/.test(styles.of(one)['mso-list'] ?? '')) {
      sign = textOf(one).trim()
      break
    }
  }
  const [, number] = /^(\d{1,9}|[a-z]{1,4})[.)]/i.exec(sign) ?? []
  return { level: Number(level), ordered: number !== undefined, start: Number(number) || 1 }
}

export function levelOf(list: HtmlElement): number | null {
  const first = list.children.find((child): child is HtmlElement => isElement(child) && child.tag === 'li')
  const level = Number(first?.attributes['data-aria-level'] ?? first?.attributes['aria-level'])
  return Number.isInteger(level) && level > 0 ? level : null
}

/** Lists that follow each other are one, as markdown has it anyway: Word Online has one for each item. */
export function joined(blocks: readonly PastedBlock[]): PastedBlock[] {
  const found: PastedBlock[] = []
  for (const block of blocks) {
    const last = found.at(-1)
    if (block.kind !== 'list' || last?.kind !== 'list' || !join(last, block)) found.push(block)
  }
  return found
}

function join(list: List, next: List): boolean {
  if (list.level !== null && next.level !== null && next.level > list.level) {
    const { blocks } = list.items.at(-1)!
    const inner = blocks.at(-1)
    if (inner?.kind !== 'list' || !join(inner, next)) blocks.push(next)
    return true
  }
  const goesOn = next.ordered ? next.start === list.start + list.items.length : true
  if (list.ordered !== next.ordered || !goesOn) return false
  list.items.push(...next.items)
  return true
}

/** Items that only say how deep they are, as lists in lists. */
export function nested(items: readonly WordItem[]): PastedBlock[] {
  const found: PastedBlock[] = []
  for (let at = 0; at < items.length;) {
    const { level, ordered, start } = items[at]!
    const list: List = { kind: 'list', ordered, start, level, items: [] }
    while (at < items.length && items[at]!.level <= level && items[at]!.ordered === ordered) {
      const item: Item = { done: null, blocks: items[at]!.blocks }
      let end = at + 1
      while (end < items.length && items[end]!.level > level) end++
      item.blocks.push(...nested(items.slice(at + 1, end)))
      if (item.blocks.length > 0) list.items.push(item)
      at = end
    }
    if (list.items.length > 0) found.push(list)
  }
  return found
}
