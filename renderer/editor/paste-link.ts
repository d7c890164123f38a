import { syntaxTree } from '@codemirror/language'
import { EditorView } from '@codemirror/view'

/** Pasting an address over selected words makes a link of them. */
export const pasteLink = EditorView.domEventHandlers({
  paste(event, view) {
    const { state } = view
    const range = state.selection.main
    const url = event.clipboardData?.getData('text/plain').trim() ?? ''
    if (state.readOnly || range.empty || !/^(https?:\/\/|mailto:)\S+$/i.test(url) || !URL.canParse(url))
      return false
    const words = state.sliceDoc(range.from, range.to)
    const at = syntaxTree(state).resolveInner(range.from, 1).name
    if (/\n/.test(words) || /^https?:\/\/\S+$/.test(words) || /Code|URL/.test(at)) return false
    event.preventDefault()
    // Parentheses that don’t pair up would end the address early.
    const address = url.replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'))
    const insert = `[${words.replace(/[[\]]/g, '\\$&')}](${address})`
    view.dispatch({
      changes: { from: range.from, to: range.to, insert },
      selection: { anchor: range.from + insert.length },
      userEvent: 'input.paste',
      scrollIntoView: true,
    })
    return true
  },
})
