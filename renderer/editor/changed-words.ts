import { StateEffect, StateField, type EditorState, type Range } from '@codemirror/state'
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view'
import './changed-words.css'
import { shortened } from './suggestion-drawing.ts'

/** What has become of a place of the text, in the editor’s own offsets: empty where words were only taken out. */
export interface ChangedWords {
  from: number
  to: number
  removed: string
}

interface Drawn {
  changes: readonly ChangedWords[]
  /** The one that is looked at. */
  at: number
  decorations: DecorationSet
}

const show = StateEffect.define<readonly ChangedWords[]>()
const look = StateEffect.define<number>()

/** Words that were taken out: drawn only, and no part of the text. */
class Removed extends WidgetType {
  readonly #words: string
  readonly #isActive: boolean
  readonly #areLines: boolean

  /** @param areLines they were lines of their own, and stand as such: beside words they would take part in how these are set in */
  constructor(words: string, isActive: boolean, areLines: boolean) {
    super()
    this.#words = shortened(words)
    this.#isActive = isActive
    this.#areLines = areLines
  }

  override eq(other: Removed): boolean {
    return (
      this.#words === other.#words && this.#isActive === other.#isActive && this.#areLines === other.#areLines
    )
  }

  override get lineBreaks(): number {
    return this.#words.split('\n').length - 1
  }

  override toDOM(): HTMLElement {
    const element = document.createElement('del')
    element.className = `g-since-removed${this.#isActive ? ' g-since-now' : ''}`
    element.setAttribute('aria-description', 'Removed since you were last here')
    for (const [i, line] of this.#words.split('\n').entries()) {
      if (i > 0) element.append(document.createElement('br'))
      element.append(line)
    }
    if (!this.#areLines) return element
    const lines = document.createElement('div')
    lines.append(element)
    return lines
  }
}

const added = (isActive: boolean) =>
  Decoration.mark({
    tagName: 'ins',
    class: `g-since-added${isActive ? ' g-since-now' : ''}`,
    attributes: { 'aria-description': 'Added since you were last here' },
  })

/** Whole lines stand as such before or behind the line at their place; other words within it. */
function removal({ from, to, removed }: ChangedWords, isActive: boolean, { doc }: EditorState) {
  const line = doc.lineAt(from)
  const side = removed.endsWith('\n') && from === line.from ? -1 : 1
  const areLines = side < 0 || (removed.startsWith('\n') && from === to && from === line.to)
  const words = areLines ? removed.replace(side < 0 ? /\n$/ : /^\n/, '') : removed
  const widget = new Removed(words, isActive, areLines)
  return Decoration.widget({ widget, side: areLines ? side : -1, block: areLines }).range(from)
}

function draw(changes: readonly ChangedWords[], at: number, state: EditorState): Drawn {
  const within = changes.filter(({ from, to }) => from <= to && to <= state.doc.length)
  const all = within.flatMap((one, i): Range<Decoration>[] => [
    ...(one.removed.trim() === '' ? [] : [removal(one, i === at, state)]),
    ...(one.from < one.to ? [added(i === at).range(one.from, one.to)] : []),
  ])
  return { changes: within, at, decorations: Decoration.set(all, true) }
}

const field = StateField.define<Drawn>({
  create: (state) => draw([], -1, state),
  update(drawn, { changes, docChanged, effects, state }) {
    let now = drawn
    if (docChanged)
      now = {
        ...now,
        decorations: now.decorations.map(changes),
        changes: now.changes.map(({ from, to, removed }) => {
          const start = changes.mapPos(from, 1)
          return { from: start, to: Math.max(start, changes.mapPos(to, -1)), removed }
        }),
      }
    for (const effect of effects) {
      if (effect.is(show)) now = draw(effect.value, -1, state)
      else if (effect.is(look)) now = draw(now.changes, effect.value, state)
    }
    return now
  },
  provide: (drawn) => EditorView.decorations.from(drawn, ({ decorations }) => decorations),
})

/** Draws what has changed, and no others; from here on they move with the text. */
export function showChangedWords(view: EditorView, changes: readonly ChangedWords[]): void {
  const isThere = view.state.field(field, false) !== undefined
  if (!isThere && changes.length > 0) view.dispatch({ effects: StateEffect.appendConfig.of(field) })
  if (isThere || changes.length > 0) view.dispatch({ effects: show.of(changes) })
}

/** Goes to one of those that are drawn. */
export function goToChangedWords(view: EditorView, at: number): void {
  const change = view.state.field(field, false)?.changes[at]
  if (!change) return
  view.dispatch({ effects: [look.of(at), EditorView.scrollIntoView(change.from, { y: 'center' })] })
}
