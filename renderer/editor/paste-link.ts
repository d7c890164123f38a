import type { EditorState, TransactionSpec } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { linkOf } from './link-words.ts'
import { parsedTree } from './parsed-tree.ts'

/** What makes a link of the selected words; null where the pasted isn’t an address, or no link can be made of them. */
export function linkWith(state: EditorState, pasted: string): TransactionSpec | null {
  const range = state.selection.main
  const url = pasted.trim()
  if (state.readOnly || range.empty || !/^(https?:\/\/|mailto:)\S+$/i.test(url) || !URL.canParse(url))
    return null
  const words = state.sliceDoc(range.from, range.to)
  const at = parsedTree(state, range.from).resolveInner(range.from, 1).name
  if (/\n/.test(words) || /^https?:\/\/\S+$/.test(words) || /Code|URL/.test(at)) return null
  // Parentheses that don’t pair up would end the address early.
  const address = url.replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'))
  const { changes, anchor } = linkOf(state, range, address)
  return {
    changes,
    selection: { anchor: anchor + 1 },
    userEvent: 'input.paste',
    scrollIntoView: true,
  }
}

/** Pasting an address over selected words makes a link of them. */
export const pasteLink = EditorView.domEventHandlers({
  paste(event, view) {
    const link = linkWith(view.state, event.clipboardData?.getData('text/plain') ?? '')
    if (!link) return false
    event.preventDefault()
    view.dispatch(link)
    return true
  },
})
