import { syntaxTree } from '@codemirror/language'
import type { EditorState, Extension, Range } from '@codemirror/state'
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from '@codemirror/view'
import type { SyntaxNode } from '@lezer/common'
import { directionOf, type Direction } from '../../server/markdown/direction.ts'

const decorations: Record<Direction, Decoration> = {
  ltr: Decoration.line({ attributes: { dir: 'ltr' } }),
  rtl: Decoration.line({ attributes: { dir: 'rtl' } }),
}

/** What is one paragraph to a reader, and goes one way with all of its lines. */
const blocks = /^(Paragraph|ATXHeading\d|SetextHeading\d|Task|Table)$/
/** What always goes from left to right. */
const technical =
  /^(FencedCode|CodeBlock|HTMLBlock|CommentBlock|ProcessingInstructionBlock|FrontMatter|LinkReference)$/
/** What says nothing of the direction of the words it stands among. */
const wordless = new Set([
  'URL',
  'HTMLTag',
  'InlineCode',
  'TaskMarker',
  'Image',
  'Autolink',
  'LinkLabel',
  'Entity',
])
/** So much of a paragraph is looked at, and so many lines before the first that is drawn. */
const mostLooked = 2_000
const mostLines = 200

/** Which way the words of a block go; null where it has none yet. */
function ofBlock(state: EditorState, block: SyntaxNode): Direction | null {
  const to = Math.min(block.to, block.from + mostLooked)
  let at = block.from
  let words = ''
  block.cursor().iterate((node) => {
    if (node.from >= to) return false
    if (!wordless.has(node.name)) return
    words += state.sliceDoc(at, node.from)
    at = Math.max(at, node.to)
    return false
  })
  if (at < to) words += state.sliceDoc(at, to)
  return directionOf(words)
}

/** Which way a line goes by its own block: null for an empty one, which goes like the line before it. */
function ofLine(state: EditorState, from: number, to: number): Direction | null {
  const text = state.sliceDoc(from, to)
  const start = from + (text.length - text.trimStart().length)
  if (start === to) return null
  let block: SyntaxNode | null = null
  for (let node: SyntaxNode | null = syntaxTree(state).resolveInner(to, -1); node; node = node.parent) {
    if (technical.test(node.name)) return 'ltr'
    if (blocks.test(node.name)) block = node
  }
  if (block) return ofBlock(state, block)
  // Marks alone, or what hasn’t been parsed yet.
  return directionOf(text)
}

/** The direction of each line between two places, by where it begins. */
export function lineDirections(state: EditorState, from: number, to: number): Map<number, Direction> {
  const { doc } = state
  const found = new Map<number, Direction>()
  const first = doc.lineAt(from).number
  const last = doc.lineAt(to).number
  let before: Direction | null = null
  for (let number = first - 1; number >= Math.max(1, first - mostLines) && !before; number--) {
    const line = doc.line(number)
    before = ofLine(state, line.from, line.to)
  }
  for (let number = first; number <= last; number++) {
    const line = doc.line(number)
    before = ofLine(state, line.from, line.to) ?? before ?? 'ltr'
    found.set(line.from, before)
  }
  return found
}

function draw(view: EditorView): DecorationSet {
  const out: Range<Decoration>[] = []
  for (const { from, to } of view.visibleRanges) {
    for (const [at, direction] of lineDirections(view.state, from, to))
      out.push(decorations[direction].range(at))
  }
  return Decoration.set(out, true)
}

/** Lines go the way of their words, and a new one like the one before it. */
export const direction: Extension = [
  EditorView.perLineTextDirection.of(true),
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet
      constructor(view: EditorView) {
        this.decorations = draw(view)
      }
      update(update: ViewUpdate) {
        const parsed = syntaxTree(update.startState) !== syntaxTree(update.state)
        if (update.docChanged || update.viewportChanged || parsed) this.decorations = draw(update.view)
      }
    },
    { decorations: (plugin) => plugin.decorations },
  ),
]
