import type { ChangeDesc, Text } from '@codemirror/state'
import type { Conflict } from '../../server/domain/merge.ts'
import type { Editor } from './editor.ts'

/** Words that the writer and someone else changed at once. Both stand in the text until one is chosen. */
export interface OpenConflict {
  id: number
  /** As they read now: what is typed into either meanwhile is a part of it. */
  mine: string
  theirs: string
  /** Where both stand, in the editor’s offsets; mine up to `mineTo`, theirs from `theirsFrom` on. */
  from: number
  mineTo: number
  theirsFrom: number
  to: number
}

/** The conflicts of a text that wait for its writer, each where its words are now. */
export class Conflicts {
  open = $state.raw<OpenConflict[]>([])
  #count = 0

  add(found: readonly Conflict[]): void {
    if (found.length === 0) return
    this.open = [
      ...this.open,
      ...found.map(({ mine, theirs, at }) => ({
        id: ++this.#count,
        mine,
        theirs,
        from: at.start,
        mineTo: at.start + mine.length,
        theirsFrom: at.end - theirs.length,
        to: at.end,
      })),
    ]
  }

  /** Follows a change of the text, which reads so now. */
  move(changes: ChangeDesc, text: Text): void {
    if (this.open.length === 0) return
    const moved = this.open.map((conflict) => {
      const from = changes.mapPos(conflict.from, 1)
      const mineTo = Math.max(from, changes.mapPos(conflict.mineTo, 1))
      const theirsFrom = Math.max(mineTo, changes.mapPos(conflict.theirsFrom, 1))
      const to = Math.max(theirsFrom, changes.mapPos(conflict.to, -1))
      const [mine, theirs] = [text.sliceString(from, mineTo), text.sliceString(theirsFrom, to)]
      return { ...conflict, from, mineTo, theirsFrom, to, mine, theirs }
    })
    // Where neither stands any more there is nothing to choose.
    this.open = moved.filter(({ mine, theirs }) => mine !== '' || theirs !== '')
  }

  /** Settles one: the words chosen stay, and the others go, which can be undone like anything typed. */
  choose({ id }: OpenConflict, choice: 'mine' | 'theirs' | 'both', editor: Editor | null): void {
    const conflict = this.open.find((one) => one.id === id)
    this.open = this.open.filter((one) => one.id !== id)
    if (!conflict || !editor) return
    const { from, mineTo, theirsFrom, to } = conflict
    const { view } = editor
    if (choice !== 'both')
      view.dispatch({
        changes: choice === 'mine' ? { from: mineTo, to } : { from, to: theirsFrom },
        selection: { anchor: choice === 'mine' ? mineTo : from + (to - theirsFrom) },
        userEvent: 'input.conflict',
      })
    view.focus()
  }
}
