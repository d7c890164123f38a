import type { EditorState } from '@codemirror/state'
import type { SyntaxNode } from '@lezer/common'
import { parsedTree } from './parsed-tree.ts'

/** Words with marks of bold and the like, and links, as the editor has read them. */

/** What has a mark at each end, with the name of these. */
const marked: Record<string, string> = {
  StrongEmphasis: 'EmphasisMark',
  Emphasis: 'EmphasisMark',
  Strikethrough: 'StrikethroughMark',
  InlineCode: 'CodeMark',
  Link: 'LinkMark',
}

/** Words with their marks. */
export interface MarkedNode {
  open: { from: number; to: number }
  close: { from: number; to: number }
}

function marksOf(node: SyntaxNode): MarkedNode | null {
  const [open, close] = node.name in marked ? node.getChildren(marked[node.name]!) : []
  return open && close
    ? { open: { from: node.from, to: open.to }, close: { from: close.from, to: node.to } }
    : null
}

const mostSpaces = 100

/** The marks of what touches a stretch, outermost first. What `other` says of the rest is whether to look into it. */
export function eachMarked(
  state: EditorState,
  from: number,
  to: number,
  visit: (name: string, marks: MarkedNode) => void,
  other: (node: SyntaxNode) => boolean = () => true,
): void {
  parsedTree(state, to).iterate({
    from,
    to,
    enter: ({ node }) => {
      const marks = marksOf(node)
      if (marks) visit(node.name, marks)
      return other(node)
    },
  })
}

/** Whether a link has its address with it: in brackets alone words may be just that. */
export const hasAddress = (state: EditorState, { close }: MarkedNode) =>
  state.sliceDoc(close.from, close.from + 2) === ']('

/** Where marks can stand at the ends of a stretch: one beside white space means nothing to readers. */
export function signsAt(
  state: EditorState,
  { from, to }: { from: number; to: number },
  side: 'inside' | 'outside',
): { from: number; to: number } {
  const before = (at: number, least: number) =>
    at - /[ \t]*$/.exec(state.sliceDoc(Math.max(least, at - mostSpaces), at))![0].length
  const behind = (at: number, most: number) =>
    at + /^[ \t]*/.exec(state.sliceDoc(at, Math.min(most, at + mostSpaces)))![0].length
  return side === 'outside'
    ? { from: before(from, 0), to: behind(to, state.doc.length) }
    : { from: behind(from, to), to: before(to, from) }
}
