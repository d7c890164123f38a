import { offsetOf, textNodes, white, type Passage } from './points.ts'

/** A line of the text in the window. */
export interface ShownLine extends Passage {
  /** Where its upper edge stands, in the window. */
  top: number
  /** What the text says from its beginning on, without white space. */
  words: string
}

/** Enough to tell a place from others. */
const many = 80

/** The first line of the rendered text whose middle stands below `edge`; null where there is none. */
export function topLine(root: Element, edge: number): ShownLine | null {
  for (const block of blocksBelow(root, edge)) {
    let char = 0
    for (const text of textNodes(block)) {
      const at = firstBelow(text, edge)
      if (at !== null) {
        const said = (block.textContent ?? '').replace(/\s+/g, '')
        char += text.data.slice(0, at).replace(/\s+/g, '').length
        const words = said.slice(char, char + many)
        const from = { block: offsetOf(block), char }
        return { from, to: { ...from, char: char + words.length }, words, top: rectOf(text, at)!.top }
      }
      char += text.data.replace(/\s+/g, '').length
    }
  }
  return null
}

/** The blocks that reach below `edge`; of the parts of a long text that don't, nothing is laid out. */
export function* blocksBelow(root: Element, edge: number): Generator<Element> {
  for (const child of root.children) {
    if (child.getBoundingClientRect().bottom <= edge) continue
    if (child.hasAttribute('data-b')) yield child
    else yield* child.querySelectorAll('[data-b]')
  }
}

/** The first character below `edge`: within one text lines follow each other. */
function firstBelow(text: Text, edge: number): number | null {
  const { data } = text
  const next = (from: number) => {
    for (let at = from; at < data.length; at++) if (!white.test(data[at]!) && rectOf(text, at)) return at
    return data.length
  }
  let low = 0
  let high = data.length
  while (low < high) {
    const middle = (low + high) >> 1
    const at = next(middle)
    const rect = rectOf(text, at)
    if (!rect || rect.top + rect.height / 2 >= edge) high = middle
    else low = at + 1
  }
  const found = next(low)
  return found < data.length ? found : null
}

function rectOf(text: Text, at: number): DOMRect | null {
  if (at >= text.data.length) return null
  const range = text.ownerDocument.createRange()
  range.setStart(text, at)
  range.setEnd(text, at + 1)
  const rect = range.getBoundingClientRect()
  return rect.height > 0 ? rect : null
}
