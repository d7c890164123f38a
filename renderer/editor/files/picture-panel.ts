import { isolateHistory } from '@codemirror/commands'
import { StateEffect, StateField, type Extension } from '@codemirror/state'
import {
  keymap,
  ViewPlugin,
  type Command,
  type EditorView,
  type PluginValue,
  type ViewUpdate,
} from '@codemirror/view'
import { describing, pictureAt, type PictureWords } from './picture-text.ts'

/** What is said of a picture is set beside it: which one that is. */

export interface ShownPicture extends PictureWords {
  left: number
  top: number
  bottom: number
  room: { top: number; bottom: number }
}

/** Opens the panel at the picture that begins there; null closes it. */
export const openPicture = StateEffect.define<number | null>({
  map: (at, changes) => (at === null ? null : changes.mapPos(at, 1)),
})

const opened = StateField.define<number | null>({
  create: () => null,
  update(at, { changes, effects }) {
    for (const effect of effects) if (effect.is(openPicture)) return effect.value
    return at === null ? null : changes.mapPos(at, 1)
  },
})

const openAtCursor: Command = (view) => {
  const picture = view.state.readOnly ? null : pictureAt(view.state, view.state.selection.main.head)
  if (picture) view.dispatch({ effects: openPicture.of(picture.from) })
  return picture !== null
}

/** Writes what is said of the picture whose panel is open. */
export function describePicture(view: EditorView, words: PictureWords): void {
  const at = view.state.field(opened)
  const picture = at === null || view.state.readOnly ? null : pictureAt(view.state, at)
  const changes = picture ? describing(picture, words) : []
  if (changes.length > 0)
    view.dispatch({ changes, userEvent: 'input', annotations: isolateHistory.of('full') })
}

type Listener = (shown: ShownPicture | null) => void

export class PicturePanel {
  readonly #listeners = new Set<Listener>()
  #shown: ShownPicture | null = null

  readonly extension: Extension = [
    opened,
    ViewPlugin.define((view) => this.#plugin(view)),
    keymap.of([{ key: 'Alt-Enter', run: openAtCursor }]),
  ]

  /** Tells now, and whenever it changes; null while none is open. Returns what stops it. */
  follow(listener: Listener): () => void {
    this.#listeners.add(listener)
    listener(this.#shown)
    return () => this.#listeners.delete(listener)
  }

  #plugin(view: EditorView): PluginValue {
    const measure = {
      key: this,
      read: () => shownIn(view),
      write: (shown: ShownPicture | null) => this.#tell(shown),
    }
    const look = () => {
      if (this.#shown || view.state.field(opened) !== null) view.requestMeasure(measure)
    }
    view.scrollDOM.addEventListener('scroll', look, { passive: true })
    return {
      update({ startState, state, docChanged, geometryChanged }: ViewUpdate) {
        if (startState.field(opened) !== state.field(opened) || docChanged || geometryChanged) look()
      },
      destroy: () => this.#tell(null),
    }
  }

  #tell(shown: ShownPicture | null): void {
    if (shown === this.#shown) return
    this.#shown = shown
    for (const listener of this.#listeners) listener(shown)
  }
}

function shownIn(view: EditorView): ShownPicture | null {
  const at = view.state.field(opened)
  const picture = at === null || view.state.readOnly ? null : pictureAt(view.state, at)
  const place = picture && view.coordsAtPos(picture.from, 1)
  if (!picture || !place) return null
  const { alt, caption, width } = picture
  const { left, top, bottom } = place
  return { alt, caption, width, left, top, bottom, room: view.scrollDOM.getBoundingClientRect() }
}
