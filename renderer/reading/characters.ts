import { isText, textNodes, white } from './points.ts'

/** One that shows, and where it stands. */
export interface Character {
  node: Text
  offset: number
}

export const charactersIn = (range: Range): Character[] => [...eachCharacter(range)]

/** Those that aren’t white space, as marks count them. */
export function* eachCharacter(range: Range): Generator<Character> {
  const { startContainer, startOffset, endContainer, endOffset } = range
  const root = range.commonAncestorContainer
  for (const node of isText(root) ? [root] : textNodes(root)) {
    if (!range.intersectsNode(node)) continue
    const end = node === endContainer ? endOffset : node.data.length
    for (let offset = node === startContainer ? startOffset : 0; offset < end; offset++)
      if (!white.test(node.data[offset]!)) yield { node, offset }
  }
}

export function rangeOver(characters: readonly Character[], from: number, to: number): Range | null {
  const [first, last] = [characters[from], characters[to - 1]]
  if (!first || !last) return null
  const range = first.node.ownerDocument.createRange()
  range.setStart(first.node, first.offset)
  range.setEnd(last.node, last.offset + 1)
  return range
}
