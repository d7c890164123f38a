import type { RenderedPoint } from '../../server/contract/records/rendering.ts'

/** A stretch of the rendered page. `to.char` is exclusive. */
export interface Passage {
  from: RenderedPoint
  to: RenderedPoint
}

/** What comes first in the text. */
export const inText = (a: RenderedPoint, b: RenderedPoint): number => a.block - b.block || a.char - b.char

/** What comes first on a page: notes stand at its end, wherever their source does. */
export function onPage(root: Element): typeof inText {
  const blocks = [...root.querySelectorAll(blockSelector)]
  const turns = new Map(blocks.map((block, turn) => [offsetOf(block), turn]))
  const turnOf = ({ block }: RenderedPoint) => turns.get(block) ?? blocks.length + block
  return (a, b) => turnOf(a) - turnOf(b) || a.char - b.char
}

export const white = /\s/
const blockSelector = '[data-b]'

/**
 * What of `range` lies in the blocks below `root`, without white space at its ends; null if nothing does.
 * A point counts the characters of its block that aren’t white space, so that it doesn’t matter how the browser
 * or the renderer lays out lines.
 */
export function passageOf(root: Element, range: Range): Passage | null {
  let from: RenderedPoint | null = null
  let to: RenderedPoint | null = null
  for (const block of root.querySelectorAll(blockSelector)) {
    if (!range.intersectsNode(block)) {
      if (from) break
      continue
    }
    let char = 0
    for (const text of textNodes(block)) {
      const [start, end] = within(range, text)
      for (let i = 0; i < text.data.length; i++) {
        if (white.test(text.data[i]!)) continue
        if (i >= start && i < end) {
          from ??= { block: offsetOf(block), char }
          to = { block: offsetOf(block), char: char + 1 }
        }
        char++
      }
    }
  }
  return from && to ? { from, to } : null
}

/** Where a passage stands on the page; null if the page hasn’t got such a place. */
export function rangeOf(root: Element, { from, to }: Passage): Range | null {
  const start = findCharacter(root, from.block, from.char)
  const end = findCharacter(root, to.block, to.char - 1)
  if (!start || !end) return null
  const range = root.ownerDocument.createRange()
  range.setStart(start.node, start.offset)
  range.setEnd(end.node, end.offset + 1)
  return range.collapsed ? null : range
}

/**
 * The passage that says `words`, white space aside: of several the one that begins nearest to `near`, which is a part
 * of the text (0 its beginning, 1 its end). Null if the text doesn’t say so.
 */
export function findPassage(root: Element, words: string, near: number): Passage | null {
  const wanted = words.replace(/\s+/g, '')
  if (!wanted) return null
  const blocks = [...root.querySelectorAll(blockSelector)]
  const texts = blocks.map((block) => (block.textContent ?? '').replace(/\s+/g, ''))
  const whole = texts.join('')
  let best = -1
  for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1)) {
    if (best < 0 || Math.abs(at - near * whole.length) < Math.abs(best - near * whole.length)) best = at
  }
  if (best < 0) return null
  const pointAt = (at: number): RenderedPoint => {
    for (const [i, text] of texts.entries()) {
      if (at < text.length) return { block: offsetOf(blocks[i]!), char: at }
      at -= text.length
    }
    throw new RangeError('beyond the text')
  }
  const last = pointAt(best + wanted.length - 1)
  return { from: pointAt(best), to: { ...last, char: last.char + 1 } }
}

/** How far into the text a passage begins: 0 at its beginning, 1 at its end. */
export function partOf(root: Element, { from }: Passage): number {
  let before = 0
  let all = 0
  for (const block of root.querySelectorAll(blockSelector)) {
    if (offsetOf(block) === from.block) before = all + from.char
    all += (block.textContent ?? '').replace(/\s+/g, '').length
  }
  return all === 0 ? 0 : before / all
}

function findCharacter(root: Element, block: number, char: number): { node: Text; offset: number } | null {
  const element = root.querySelector(`[data-b="${block}"]`)
  if (!element || char < 0) return null
  for (const node of textNodes(element)) {
    for (let offset = 0; offset < node.data.length; offset++) {
      if (white.test(node.data[offset]!)) continue
      if (char-- === 0) return { node, offset }
    }
  }
  return null
}

/** Which of the node’s characters the range holds, as a half-open stretch. */
function within(range: Range, text: Text): [number, number] {
  if (!range.intersectsNode(text)) return [0, 0]
  return [
    range.startContainer === text ? range.startOffset : 0,
    range.endContainer === text ? range.endOffset : text.data.length,
  ]
}

export function* textNodes(root: Node): Generator<Text> {
  const walker = (root.ownerDocument ?? document).createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) yield node as Text
}

/** In whatever page it is: each has classes of its own. */
export const isText = (node: Node): node is Text => node.nodeType === 3
export const isElement = (node: Node): node is Element => node.nodeType === 1

export const offsetOf = (block: Element) => Number(block.getAttribute('data-b'))
