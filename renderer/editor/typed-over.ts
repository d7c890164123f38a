import { EditorView } from '@codemirror/view'

/**
 * What is typed over a selection of several lines is put in here. The browser would make one line of them, with styles
 * written on what it joins, which the page’s policy refuses with a message for each.
 */
export const typedOverLines = EditorView.domEventHandlers({
  beforeinput({ inputType, data }, view) {
    const { state } = view
    const { from, to } = state.selection.main
    if (inputType !== 'insertText' || !data || state.readOnly || view.composing) return false
    if (state.doc.lineAt(from).to >= to) return false
    const typed = () =>
      state.update({ ...state.replaceSelection(data), userEvent: 'input.type', scrollIntoView: true })
    if (!state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, typed)))
      view.dispatch(typed())
    // So the browser doesn’t do it as well.
    return true
  },
})
