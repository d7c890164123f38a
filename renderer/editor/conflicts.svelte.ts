import type { ChangeDesc } from '@codemirror/state'
import type { Conflict } from '../../server/domain/merge.ts'
import type { Editor } from './editor.ts'

/** Words that the writer and someone else changed at once. Both stand in the text until one is chosen. */
export interface OpenConflict {
  id: number
  mine: string
  theirs: string
  /** Where both stand, in the editor’s offsets. */
  from: number
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
        to: at.end,
      })),
    ]
  }

  /** Follows a change of the text. */
  move(changes: ChangeDesc): void {
    this.open = this.open.map((conflict) => ({
      ...conflict,
      from: changes.mapPos(conflict.from, 1),
      to: changes.mapPos(conflict.to, -1),
    }))
  }

  /** Settles one: the words chosen stay, and can be undone like anything typed. */
  choose(conflict: OpenConflict, choice: 'mine' | 'theirs' | 'both', editor: Editor | null): void {
    this.open = this.open.filter(({ id }) => id !== conflict.id)
    if (choice === 'both' || !editor) return
    const { from, to } = conflict
    const { view } = editor
    view.dispatch({
      changes: { from, to, insert: view.state.toText(conflict[choice]) },
      selection: { anchor: from, head: from + conflict[choice].length },
      userEvent: 'input.conflict',
    })
  }
}
