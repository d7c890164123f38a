import { EditorSelection, type EditorState, type Line, type SelectionRange } from '@codemirror/state'
import { Direction, type Command, type EditorView } from '@codemirror/view'
import { isIn } from './blocks-around.ts'
import { taskBox } from './list-lines.ts'

/** Where a line’s words begin, and how Home goes there. */

const marks = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*[ \t]*/
const itemsMark = /[-*+.)][ \t]+$/
const headingMark = /^#{1,6}(?:[ \t]+|$)/
const asWritten = /^(?:FencedCode|CodeBlock|FrontMatter|HTMLBlock|HorizontalRule)$/

const spaceBefore = (text: string) => /^\s*/.exec(text)![0].length

/** Whether what stands in a line is seen as it is written, as code is: signs in it are no marks. */
export const isAsWritten = (state: EditorState, { text, from }: Line) =>
  isIn(state, from + spaceBefore(text), asWritten, 1)

/** What stands before a line’s words: its indentation, and the marks of quotes, items, tasks and headings. */
export function leadOf(text: string): string {
  let lead = marks.exec(text)![0]
  if (itemsMark.test(lead)) lead += taskBox.exec(text.slice(lead.length))?.[0] ?? ''
  return lead + (headingMark.exec(text.slice(lead.length))?.[0] ?? '')
}

/** How long that is in a text; what is seen as it is written has indentation only. */
export const leadLength = (state: EditorState, line: Line): number =>
  isAsWritten(state, line) ? spaceBefore(line.text) : leadOf(line.text).length

/**
 * Where Home goes from a place: to where the row that is seen begins, then to where the line’s words do, and from
 * there to the line’s start and back.
 */
export function lineStart(state: EditorState, at: number, rowStart: number): number {
  const line = state.doc.lineAt(at)
  const words = line.from + leadLength(state, line)
  if (rowStart > words && rowStart !== at) return rowStart
  return at === words ? line.from : words
}

const toLineStart =
  (extend: boolean): Command =>
  (view) => {
    const { state } = view
    const target = (range: SelectionRange) => {
      const row = view.moveToLineBoundary(range, false)
      const head = lineStart(state, range.head, row.head)
      return EditorSelection.cursor(head, head === row.head ? row.assoc : 1)
    }
    const selection = EditorSelection.create(
      state.selection.ranges.map((range) =>
        extend ? EditorSelection.range(range.anchor, target(range).head) : target(range),
      ),
      state.selection.mainIndex,
    )
    if (!selection.eq(state.selection, true))
      view.dispatch({ selection, userEvent: 'select', scrollIntoView: true })
    return true
  }

export const goToLineStart = toLineStart(false)
export const selectToLineStart = toLineStart(true)

const isLtr = (view: EditorView) => view.textDirectionAt(view.state.selection.main.head) === Direction.LTR

/** A command for a key to the left or to the right, where lines begin on that side. */
export const atSide =
  (side: 'left' | 'right', command: Command): Command =>
  (view) =>
    isLtr(view) === (side === 'left') && command(view)
