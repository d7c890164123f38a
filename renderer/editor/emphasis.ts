import type { EditorState, StateCommand } from '@codemirror/state'
import type { SyntaxNode } from '@lezer/common'
import { formattedBefore } from './formatted.ts'
import { markdownLanguage } from './markdown-language.ts'
import { parsedTree } from './parsed-tree.ts'

export type InlineMark = '**' | '*' | '~~' | '`'

export const nodeOf = {
  '**': 'StrongEmphasis',
  '*': 'Emphasis',
  '~~': 'Strikethrough',
  '`': 'InlineCode',
} as const

/** Words that have a mark: between `open.to` and `close.from`. */
export interface Emphasis {
  open: { from: number; to: number }
  close: { from: number; to: number }
}

export function emphasisOf(node: SyntaxNode, offset = 0): Emphasis | null {
  const { firstChild: first, lastChild: last } = node
  if (!first || !last || first.from === last.from) return null
  return {
    open: { from: first.from + offset, to: first.to + offset },
    close: { from: last.from + offset, to: last.to + offset },
  }
}

function* around(node: SyntaxNode | null): Generator<SyntaxNode> {
  for (; node; node = node.parent) yield node
}

/** What has the mark and holds a place, also where nothing is written yet: between two marks, or behind a space. */
export function emphasisAt(state: EditorState, at: number, mark: InlineMark): Emphasis | null {
  return emphasisInTree(state, at, mark) ?? emphasisToBe(state, at, mark)
}

function emphasisInTree(state: EditorState, at: number, mark: InlineMark): Emphasis | null {
  const tree = parsedTree(state, at)
  for (const side of [-1, 1] as const) {
    for (const node of around(tree.resolveInner(at, side))) {
      const found = node.name === nodeOf[mark] ? emphasisOf(node) : null
      if (found && found.open.to <= at && found.close.from >= at) return found
    }
  }
  return null
}

const longestLine = 10_000
const mostTried = 6

/**
 * How a line may be read once something is written at a place of it where marks end: a letter stands there. Null where
 * no mark ends.
 */
export function linesToBe(state: EditorState, at: number): string[] | null {
  if (!/[*_~`]/.test(state.sliceDoc(at, at + 1))) return null
  const line = state.doc.lineAt(at)
  if (line.length > longestLine) return null
  const column = at - line.from
  const head = line.text.slice(0, column)
  const tail = line.text.slice(column)
  // A mark means nothing beside white space either, of which there may be some.
  const written = head.replace(/[ \t]+$/, (gap) => 'x'.repeat(gap.length))
  // Nor does one between a letter and a sign, of which the commands have made some.
  const lettered = formattedBefore(state, line, at)
    .slice(0, mostTried)
    .map((from) => head.slice(0, from - line.from) + head.slice(from - line.from).replace(/[^*_~`]/g, 'x'))
  return [...new Set([head, written, ...lettered])].map((start) => `${start}x${tail}`)
}

/** What has the mark as soon as something is written at a place. */
function emphasisToBe(state: EditorState, at: number, mark: InlineMark): Emphasis | null {
  const line = state.doc.lineAt(at)
  const column = at - line.from
  for (const text of linesToBe(state, at) ?? []) {
    for (const node of around(markdownLanguage.parser.parse(text).resolveInner(column, 1))) {
      const found = node.name === nodeOf[mark] ? emphasisOf(node, line.from) : null
      if (!found || found.close.from <= at) continue
      const { from, to } = found.close
      return { open: found.open, close: { from: from - 1, to: to - 1 } }
    }
  }
  return null
}

/** What is marked at a place only as soon as something is written there: what is being written, up to a space. */
export function emphasesToBe(state: EditorState, at: number): { mark: InlineMark; emphasis: Emphasis }[] {
  return (Object.keys(nodeOf) as InlineMark[]).flatMap((mark) => {
    const emphasis = emphasisToBe(state, at, mark)
    return emphasis && emphasisInTree(state, at, mark) === null ? [{ mark, emphasis }] : []
  })
}

/** What has the mark and ends right before a place. */
export function emphasisBefore(state: EditorState, at: number, mark: InlineMark): Emphasis | null {
  for (const node of around(parsedTree(state, at).resolveInner(at, -1))) {
    const found = node.name === nodeOf[mark] ? emphasisOf(node) : null
    if (found?.close.to === at) return found
  }
  return null
}

/** What has the mark and begins right behind a place. */
export function emphasisAfter(state: EditorState, at: number, mark: InlineMark): Emphasis | null {
  for (const node of around(parsedTree(state, at).resolveInner(at, 1))) {
    const found = node.name === nodeOf[mark] ? emphasisOf(node) : null
    if (found?.open.from === at) return found
  }
  return null
}

/**
 * Before Enter: emphasis that ends right at the cursor ends there, and doesn't go on in the next line, where it would
 * mean nothing. Marks around nothing go. Always lets Enter do the rest.
 */
export const endEmphasis: StateCommand = ({ state, dispatch }) => {
  const { main } = state.selection
  if (state.readOnly || !main.empty || state.selection.ranges.length > 1) return false
  let at = main.head
  const empty: { from: number; to: number }[] = []
  for (let left = Object.keys(nodeOf) as InlineMark[]; left.length > 0;) {
    const found = left
      .map((mark) => ({ mark, emphasis: emphasisAt(state, main.head, mark) }))
      .find(({ emphasis }) => emphasis?.close.from === at)
    if (!found) break
    left = left.filter((mark) => mark !== found.mark)
    const { open, close } = found.emphasis!
    if (state.sliceDoc(open.to, close.from).replace(/[*_~`]/g, '') === '')
      empty.push({ from: open.from, to: open.to }, { from: close.from, to: close.to })
    at = close.to
  }
  if (at === main.head) return false
  const changes = state.changes(empty)
  dispatch(state.update({ changes, selection: { anchor: changes.mapPos(at, 1) }, userEvent: 'select' }))
  return false
}
