import { RangeSetBuilder, type EditorState, type Extension } from '@codemirror/state'
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view'
import './suggesting.css'
import { ownSuggestions } from './suggesting-mode.ts'
import type { Stretch } from './stretches.ts'

const inserted = Decoration.mark({ tagName: 'ins', class: 'g-own g-put-in', inclusive: true })
const deleted = Decoration.mark({ tagName: 'del', class: 'g-own g-taken-out' })

/** Stands for a line’s end that is put in or taken out, which else nobody would see. */
class LineEnd extends WidgetType {
  readonly kind: Stretch['kind']
  constructor(kind: Stretch['kind']) {
    super()
    this.kind = kind
  }
  override eq(other: LineEnd): boolean {
    return other.kind === this.kind
  }
  override toDOM(): HTMLElement {
    const isPutIn = this.kind === 'put in'
    const sign = document.createElement(isPutIn ? 'ins' : 'del')
    sign.className = `g-own g-line-end ${isPutIn ? 'g-put-in' : 'g-taken-out'}`
    sign.textContent = '¶'
    sign.setAttribute('aria-label', isPutIn ? 'new line' : 'line end taken out')
    return sign
  }
}

const lineEnds = {
  'put in': Decoration.widget({ widget: new LineEnd('put in'), side: 1 }),
  'taken out': Decoration.widget({ widget: new LineEnd('taken out'), side: 1 }),
}

function drawn(state: EditorState): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  for (const { from, to, kind } of state.field(ownSuggestions).stretches) {
    const mark = kind === 'put in' ? inserted : deleted
    for (let line = state.doc.lineAt(from); ; line = state.doc.line(line.number + 1)) {
      const [start, end] = [Math.max(from, line.from), Math.min(to, line.to)]
      if (start < end) builder.add(start, end, mark)
      if (to <= line.to) break
      builder.add(line.to, line.to, lineEnds[kind])
    }
  }
  return builder.finish()
}

/** Shows what one suggests oneself: what is put in underlined, what is taken out struck through. `onClick` is told which. */
export const drawnOwn = (onClick: (key: number) => void): Extension => [
  EditorView.decorations.compute([ownSuggestions], drawn),
  EditorView.domEventHandlers({
    click(event, view) {
      if (!(event.target instanceof Element) || !event.target.closest('.g-own')) return
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }, false)
      const { stretches } = view.state.field(ownSuggestions)
      const clicked = stretches.find(({ from, to }) => from <= at && to >= at)
      if (clicked) onClick(clicked.key)
    },
  }),
]
