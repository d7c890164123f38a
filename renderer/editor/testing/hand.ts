import { isolateHistory } from '@codemirror/commands'
import { EditorState, type Extension, type Transaction, type TransactionSpec } from '@codemirror/state'
import { toLf } from '../../../server/domain/line-endings.ts'
import type { EditedText } from '../edited-text.svelte.ts'
import type { Editor } from '../editor.ts'
import { keptSelection } from '../kept-selection.ts'
import { metHere, ownHistory, redoOwn, undoOwn } from '../own-undo.ts'
import { isTold, ownStepOf, tellingOwn } from '../weave/history.ts'

/** Who types in a text, undoes and redoes: all of an editor but its picture. */
export class Hand {
  state: EditorState
  readonly #edited: EditedText
  readonly #onTyped: () => void

  /** @param more what the editor has besides */
  constructor(edited: EditedText, more: Extension = [], onTyped = () => {}) {
    this.#edited = edited
    this.#onTyped = onTyped
    this.state = EditorState.create({ doc: toLf(edited.stored), extensions: [ownHistory(() => {}), more] })
    const apply: Editor['apply'] = (changes, met = {}) => {
      const kept = keptSelection(this.state, changes)
      this.state = this.state.update({ changes, ...kept, ...metHere(met) }).state
    }
    const tellOwn: Editor['tellOwn'] = (places) => {
      const told = tellingOwn(this.state, places)
      if (told) this.do(told)
    }
    edited.attach({ apply, tellOwn, documentText: () => this.text } as Editor)
  }

  get text(): string {
    return this.state.doc.toString()
  }

  do(spec: TransactionSpec): void {
    this.take(this.state.update(spec))
  }

  /** Writes letters one after the other in the place of words, as keys do it. */
  typeOver(words: string, letters: string): void {
    const from = this.text.indexOf(words)
    this.replace(from, from + words.length, letters)
  }

  typeAfter(words: string, letters: string): void {
    const at = this.text.indexOf(words) + words.length
    this.replace(at, at, letters)
  }

  replace(from: number, to: number, letters: string): void {
    const [first = '', ...rest] = letters
    const put = (at: number, end: number, insert: string) =>
      this.do({
        changes: { from: at, to: end, insert },
        selection: { anchor: at + insert.length },
        userEvent: insert === '' ? 'delete.selection' : 'input.type',
      })
    // A step of its own.
    this.do({ annotations: isolateHistory.of('full') })
    put(from, to, first)
    for (const [i, letter] of rest.entries()) put(from + 1 + i, from + 1 + i, letter)
  }

  undo(): boolean {
    return undoOwn({ state: this.state, dispatch: (transaction) => this.take(transaction) })
  }

  redo(): boolean {
    return redoOwn({ state: this.state, dispatch: (transaction) => this.take(transaction) })
  }

  take(transaction: Transaction): void {
    this.state = transaction.state
    if (!isTold(transaction)) return
    this.#edited.typed(transaction.changes, ownStepOf([transaction]))
    this.#onTyped()
  }
}
