import { isolateHistory } from '@codemirror/commands'
import { StateEffect, StateField, type Extension } from '@codemirror/state'
import { keymap, type Command, type EditorView } from '@codemirror/view'
import { attachments } from './attachments.ts'
import type { OriginalChoice } from './originals.ts'
import { PlaceBeside } from '../place-beside.ts'
import { describing, pictureAt, type PictureWords } from './picture-text.ts'

/** What is said of a picture is set beside it: which one that is. */

export interface ShownPicture extends PictureWords {
  /** Whether its original can be chosen. */
  original: OriginalChoice | null
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

/** Has the picture whose panel is open show its original, or what was made smaller of it. Rejects with what to say. */
export async function chooseOriginal(view: EditorView, whole: boolean): Promise<void> {
  const at = view.state.field(opened)
  const picture = at === null || view.state.readOnly ? null : pictureAt(view.state, at)
  const beside = view.state.facet(attachments)
  if (!picture || !beside) return
  const { signal } = new AbortController()
  await beside.originals.choose(view, picture.address, whole, (file, name) =>
    beside.add(file, name, () => {}, signal),
  )
}

/** The panel of an editor's pictures, told to whoever draws it. */
export class PicturePanel {
  readonly #place = new PlaceBeside<ShownPicture>({
    read: shownIn,
    moves: ({ startState, state, docChanged, geometryChanged }) =>
      startState.field(opened) !== state.field(opened) || docChanged || geometryChanged,
  })
  readonly extension: Extension = [
    opened,
    this.#place.extension,
    keymap.of([{ key: 'Alt-Enter', run: openAtCursor }]),
  ]

  follow(listener: (shown: ShownPicture | null) => void): () => void {
    return this.#place.follow(listener)
  }
}

function shownIn(view: EditorView): ShownPicture | null {
  const at = view.state.field(opened)
  const picture = at === null || view.state.readOnly ? null : pictureAt(view.state, at)
  const place = picture && view.coordsAtPos(picture.from, 1)
  if (!picture || !place) return null
  const { alt, caption, width, address } = picture
  const original = view.state.facet(attachments)?.originals.find(address) ?? null
  const { left, top, bottom } = place
  return { alt, caption, width, original, left, top, bottom, room: view.scrollDOM.getBoundingClientRect() }
}
