import { syntaxTree } from '@codemirror/language'
import type { EditorState, Text, Transaction } from '@codemirror/state'
import type { SyntaxNode } from '@lezer/common'

/** A block of code that is a diagram's source, from the start of its first line to the end of its last. */
export interface DiagramBlock {
  from: number
  to: number
  source: string
}

/** So many of one text are drawn, as in the reading view. */
const most = 100

/** The diagrams of a text that stand in nothing else, as far as it is parsed. */
export function diagramBlocks(state: EditorState): DiagramBlock[] {
  const blocks: DiagramBlock[] = []
  syntaxTree(state).iterate({
    enter({ type, node }) {
      if (type.isTop) return true
      const block = type.name === 'FencedCode' && blocks.length < most ? blockOf(state, node) : null
      if (block) blocks.push(block)
      return false
    },
  })
  return blocks
}

function blockOf({ doc }: EditorState, node: SyntaxNode): DiagramBlock | null {
  const info = node.getChild('CodeInfo')
  // One that isn't closed goes on to the end of the text: it is being written.
  if (!info || node.getChildren('CodeMark').length < 2) return null
  if (!/^mermaid$/i.test(doc.sliceString(info.from, info.to).trim())) return null
  const [first, last] = [doc.lineAt(node.from), doc.lineAt(node.to)]
  if (last.number - first.number < 2) return null
  return { from: first.from, to: last.to, source: doc.sliceString(first.to + 1, last.from - 1) }
}

const says = (text: string) => /mermaid/i.test(text)

export function saysMermaid(doc: Text): boolean {
  for (const part of doc.iter()) if (says(part)) return true
  return false
}

/** Whether a change may have begun one: most texts have none, and aren't looked through. */
export function mayBegin({ changes, newDoc }: Transaction): boolean {
  let found = false
  changes.iterChangedRanges((_fromBefore, _toBefore, from, to) => {
    found ||= says(newDoc.sliceString(newDoc.lineAt(from).from, newDoc.lineAt(to).to))
  })
  return found
}
