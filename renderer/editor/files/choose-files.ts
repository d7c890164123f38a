import type { EditorView } from '@codemirror/view'
import { addFiles } from './added-files.ts'
import { attachments } from './attachments.ts'

/** Lets the writer choose files, which are added where the cursor is. */
export function chooseFiles(view: EditorView): void {
  const beside = view.state.facet(attachments)
  if (!beside || view.state.readOnly) return
  const refusal = beside.refusal()
  if (refusal !== null) return beside.onRefused({ name: 'Picture or file', message: refusal })
  // Without a kind that it accepts, a phone offers its camera as well as its files.
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.hidden = true
  input.onchange = () => {
    addFiles(view, [...(input.files ?? [])])
    input.remove()
    view.focus()
  }
  input.oncancel = () => {
    input.remove()
    view.focus()
  }
  view.dom.append(input)
  input.click()
}
