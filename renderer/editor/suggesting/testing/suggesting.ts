import type { undo } from '@codemirror/commands'
import { ChangeSet, EditorState, Transaction, type Extension, type TransactionSpec } from '@codemirror/state'
import { fromElsewhere } from '../../own-undo.ts'
import { arriving } from '../arriving-changes.ts'
import type { AtServer } from '../change-in-editor.ts'
import { detachedOf, ownSuggestions, writtenSuggestions } from '../own-suggestions.ts'
import { emptied } from '../shown-suggestions.ts'
import { documentText, toDocument } from '../stretches.ts'
import { suggestingMode } from '../suggesting-mode.ts'

/** An editor’s state in which one suggests. */
export class Suggesting {
  state: EditorState
  constructor(doc: string, extensions: Extension = []) {
    this.state = EditorState.create({ doc, extensions: [suggestingMode(() => undefined), extensions] })
  }

  dispatch(spec: TransactionSpec): void {
    this.state = this.state.update(spec).state
    const empty = emptied(this.state)
    if (empty) this.state = this.state.update(empty).state
  }
  cursor(at: number, head = at): this {
    this.dispatch({ selection: { anchor: at, head } })
    return this
  }
  type(text: string): this {
    this.dispatch({ ...this.state.replaceSelection(text), userEvent: 'input.type' })
    return this
  }
  delete(from: number, to: number, userEvent = 'delete.selection'): this {
    this.dispatch({ changes: { from, to }, selection: { anchor: from }, userEvent })
    return this
  }
  backspace(): this {
    const { head } = this.state.selection.main
    return head === 0 ? this : this.delete(head - 1, head, 'delete.backward')
  }
  others(changes: ChangeSet, atServer?: AtServer): this {
    this.dispatch({
      ...arriving(this.state, changes, atServer),
      annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false)],
    })
    return this
  }
  step(command: typeof undo): boolean {
    return command({ state: this.state, dispatch: ({ state }) => (this.state = state) })
  }

  get stretches() {
    return this.state.field(ownSuggestions).stretches
  }
  /** The text in the editor, with what is put in as [+…] and what is taken out as [-…]. */
  get shown(): string {
    let shown = ''
    let at = 0
    for (const { from, to, kind } of this.stretches) {
      shown += this.state.sliceDoc(at, from)
      shown += `[${kind === 'put in' ? '+' : '-'}${this.state.sliceDoc(from, to)}]`
      at = to
    }
    return shown + this.state.sliceDoc(at)
  }
  get document(): string {
    const { doc } = this.state
    return documentText(doc, this.stretches, 0, toDocument(this.stretches, doc.length))
  }
  get asSuggested(): string {
    const taken = this.stretches.filter(({ kind }) => kind === 'taken out')
    return ChangeSet.of(taken, this.state.doc.length).apply(this.state.doc).toString()
  }
  /** The document with all that is suggested accepted, but what has lost its place. */
  get accepted(): string {
    return this.pending
      .sort((a, b) => b.start - a.start || b.key - a.key)
      .reduce(
        (text, { start, original, suggested }) =>
          text.slice(0, start) + suggested + text.slice(start + original.length),
        this.document,
      )
  }
  get pending() {
    const detached = detachedOf(this.state)
    return [...writtenSuggestions(this.state).values()].filter(({ key }) => !detached.has(key))
  }
  get written() {
    return [...writtenSuggestions(this.state).values()].map(({ start, original, suggested }) => ({
      ...{ start, original, suggested },
    }))
  }
}

export const changeOf = (length: number, from: number, to: number, insert = '') =>
  ChangeSet.of({ from, to, insert }, length)
