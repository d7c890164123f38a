import { EditorView } from '@codemirror/view'
import type { Editor } from './editor.ts'

/** What stands at the top of an editor, and where the cursor is, in the document’s text. */
export interface PlaceInView {
  top: number
  head: number
}

export function placeInView({ places, view }: Editor): PlaceInView {
  const edge = view.scrollDOM.getBoundingClientRect().top - view.documentTop
  const top = view.scrollDOM.scrollTop < 8 ? 0 : view.lineBlockAtHeight(Math.max(0, edge)).from
  return { top: places.toText(top), head: places.toText(view.state.selection.main.head) }
}

/** Shows the same in another editor of the same text. */
export function showPlace({ places, view }: Editor, { top, head }: PlaceInView): void {
  view.dispatch({
    selection: { anchor: places.toShown(head, 1) },
    effects: EditorView.scrollIntoView(top === 0 ? 0 : places.toShown(top), { y: 'start' }),
  })
}
