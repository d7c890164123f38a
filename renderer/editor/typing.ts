import { indentLess, indentMore } from '@codemirror/commands'
import { syntaxTree } from '@codemirror/language'
import { EditorSelection, type EditorState, type StateCommand } from '@codemirror/state'

/** What Enter, Backspace and Tab do in lists and quotes. */

const item = /^(\s*(?:>\s?)*)((?:[-*+]|(\d{1,9})([.)]))(\s+))(\[[ xX]\]\s+)?/
const quote = /^(\s*(?:>\s?)+)/

const inCode = (state: EditorState, at: number) => {
  for (let node = syntaxTree(state).resolveInner(at, -1); node.parent; node = node.parent) {
    if (/^(FencedCode|CodeBlock|FrontMatter|HTMLBlock)$/.test(node.name)) return true
  }
  return false
}

/** Enter within a list or quote begins the next item; on an empty item it ends the list. */
export const continueMarkup: StateCommand = ({ state, dispatch }) => {
  const { main } = state.selection
  if (state.readOnly || state.selection.ranges.length > 1 || inCode(state, main.head)) return false
  const line = state.doc.lineAt(main.from)
  const found = item.exec(line.text) ?? quote.exec(line.text)
  if (!found || main.from < line.from + found[0].length) return false

  if (line.text.slice(found[0].length).trim() === '' && main.empty) {
    // An empty nested item becomes one of the list around it; an outermost one ends the list.
    const indent = found[2] === undefined ? '' : /^\s*/.exec(line.text)![0]
    const insert =
      indent.length >= 2 ? line.text.slice(Math.min(indent.length, 2 + (indent.length > 3 ? 2 : 0))) : ''
    dispatch(
      state.update({
        changes: { from: line.from, to: line.to, insert },
        selection: { anchor: line.from + insert.length },
        userEvent: 'input',
      }),
    )
    return true
  }
  const [, indent = '', mark = '', number, stop = '', gap = ' ', task] = found
  const next = number === undefined ? mark : `${Number(number) + 1}${stop}${gap}`
  const insert = `\n${indent}${next}${task ? '[ ] ' : ''}`
  const from = main.from
  dispatch(
    state.update({
      changes: { from, to: main.to, insert },
      selection: EditorSelection.cursor(from + insert.length),
      userEvent: 'input',
      scrollIntoView: true,
    }),
  )
  return true
}

/** Backspace right behind an item’s or a quote’s mark removes the mark, not just its space. */
export const deleteMark: StateCommand = ({ state, dispatch }) => {
  const { main } = state.selection
  if (state.readOnly || !main.empty || state.selection.ranges.length > 1 || inCode(state, main.head))
    return false
  const line = state.doc.lineAt(main.head)
  const found = item.exec(line.text)
  if (!found || main.head !== line.from + found[0].length) return false
  const from = line.from + found[1]!.length + (found[6] ? found[2]!.length : 0)
  dispatch(state.update({ changes: { from, to: main.head }, userEvent: 'delete.backward' }))
  return true
}

const allItems = (state: EditorState) =>
  state.selection.ranges.every((range) => item.test(state.doc.lineAt(range.from).text))

/** Tab moves list items in; elsewhere it indents what is selected, or types two spaces. */
export const indent: StateCommand = (target) => {
  const { state, dispatch } = target
  if (state.readOnly) return false
  if (allItems(state) || state.selection.ranges.some((range) => !range.empty)) return indentMore(target)
  dispatch(state.update(state.replaceSelection('  '), { userEvent: 'input', scrollIntoView: true }))
  return true
}

export const outdent: StateCommand = indentLess
