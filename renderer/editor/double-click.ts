import { EditorSelection, type Extension } from '@codemirror/state'
import { EditorView, type MouseSelectionStyle } from '@codemirror/view'

/** How far a hand may move between two clicks, in pixels. */
const slack = 5

/**
 * Has a double click select the word that stood under the pointer at its first click: that shows the signs of the line,
 * which moves its words along.
 */
export function doubleClick(): Extension {
  let first: { x: number; y: number; at: number } | null = null
  return [
    EditorView.domEventHandlers({
      mousedown({ clientX: x, clientY: y, detail }, view) {
        if (detail === 1) first = { x, y, at: view.posAtCoords({ x, y }, false) }
        return false
      },
    }),
    EditorView.updateListener.of(({ changes, docChanged }) => {
      if (first && docChanged) first = { ...first, at: changes.mapPos(first.at) }
    }),
    EditorView.mouseSelectionStyle.of((view, { button, clientX, clientY, detail, shiftKey }) => {
      const isAgain = first && Math.hypot(clientX - first.x, clientY - first.y) <= slack
      const isPlain = button === 0 && detail === 2 && !shiftKey
      const word = isAgain && isPlain ? view.state.wordAt(first!.at) : null
      return word && selectingWords(view, word)
    }),
  ]
}

/** From a word on, word by word as the pointer is drawn on. */
function selectingWords(view: EditorView, word: { from: number; to: number }): MouseSelectionStyle {
  let { from, to } = word
  let isDrawn = false
  return {
    get({ clientX: x, clientY: y, type }) {
      isDrawn ||= type === 'mousemove'
      const at = isDrawn ? view.posAtCoords({ x, y }, false) : from
      const there = view.state.wordAt(at) ?? { from: at, to: at }
      const [anchor, head] = at < from ? [to, there.from] : [from, Math.max(to, there.to)]
      return EditorSelection.create([EditorSelection.range(anchor, head)])
    },
    update({ changes }) {
      ;[from, to] = [changes.mapPos(from), changes.mapPos(to)]
    },
  }
}
