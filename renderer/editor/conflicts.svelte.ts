import type { ChangeDesc, Text } from '@codemirror/state'
import type { Conflict } from '../../server/domain/merged.ts'
import type { Editor } from './editor.ts'

/** Words that the writer and someone else changed at once. Both stand in the text until one is chosen. */
export interface OpenConflict {
  id: number
  /** As they read now: what is typed into either meanwhile is a part of it. */
  mine: string
  theirs: string
  /** What stands in the text of mine, while that isn’t all: with it comes what the other took away from around it. */
  put: string | null
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
      ...found.map(({ mine, put, theirs, at }) => ({
        id: ++this.#count,
        mine,
        theirs,
        put: put ?? null,
        from: at.start,
        mineTo: at.start + (put ?? mine).length,
        theirsFrom: at.end - theirs.length,
        to: at.end,
      })),
    ]
  }

  /** Takes over those of another copy of the text, which this change makes of that one’s, and which reads so now. */
  takeOver(others: Conflicts, changes: ChangeDesc, text: Text): void {
    others.move(changes, text)
    this.open = [...this.open, ...others.open.map((conflict) => ({ ...conflict, id: ++this.#count }))]
    others.open = []
  }

  /** Follows a change of the text, which reads so now. */
  move(changes: ChangeDesc, text: Text): void {
    if (this.open.length === 0) return
    const moved = this.open.map((conflict) => {
      const from = changes.mapPos(conflict.from, 1)
      const mineTo = Math.max(from, changes.mapPos(conflict.mineTo, 1))
      const theirsFrom = Math.max(mineTo, changes.mapPos(conflict.theirsFrom, 1))
      const to = Math.max(theirsFrom, changes.mapPos(conflict.to, -1))
      const [standing, theirs] = [text.sliceString(from, mineTo), text.sliceString(theirsFrom, to)]
      const isAsPut = standing === conflict.put
      const mine = isAsPut ? conflict.mine : standing
      return { ...conflict, from, mineTo, theirsFrom, to, mine, theirs, put: isAsPut ? standing : null }
    })
    // Where neither stands any more there is nothing to choose.
    this.open = moved.filter(({ mine, theirs }) => mine !== '' || theirs !== '')
  }

  /** Settles one: the words chosen stay, and the others go, which can be undone like anything typed. */
  choose({ id }: OpenConflict, choice: 'mine' | 'theirs' | 'both', editor: Editor | null): void {
    const conflict = this.open.find((one) => one.id === id)
    this.open = this.open.filter((one) => one.id !== id)
    if (!conflict || !editor) return
    const { from, mine, put, mineTo, theirsFrom, to } = conflict
    const { view } = editor
    const whole = put === null ? [] : [{ from, to: mineTo, insert: mine }]
    const changes = {
      mine: [...whole, { from: mineTo, to }],
      theirs: [{ from, to: theirsFrom }],
      both: whole,
    }[choice]
    const anchor =
      choice === 'mine' ? from + (put === null ? mineTo - from : mine.length) : from + (to - theirsFrom)
    if (changes.length > 0) view.dispatch({ changes, selection: { anchor }, userEvent: 'input.conflict' })
    view.focus()
  }
}
