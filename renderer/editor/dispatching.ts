import { isolateHistory } from '@codemirror/commands'
import {
  Compartment,
  Transaction,
  type AnnotationType,
  type EditorState,
  type Extension,
} from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { madeBy } from './others.ts'
import { fromElsewhere } from './own-undo.ts'

// The way in which CodeMirror takes what Chrome on Android composes lets nothing be made of it: in Suggesting, where the
// words it stands for stay, letters came to stand among those of others. Without it the text is read as elsewhere.
Object.assign(EditorView, { EDIT_CONTEXT: false })

const kept: readonly AnnotationType<unknown>[] = [
  fromElsewhere,
  madeBy,
  isolateHistory,
  Transaction.addToHistory,
  Transaction.userEvent,
]

const annotationsOf = (transaction: Transaction) =>
  kept.flatMap((type) => {
    const value = transaction.annotation(type)
    return value === undefined ? [] : [type.of(value)]
  })

/**
 * Where reading a text as markdown throws, it is shown plain from then on: whatever is changed arrives in the editor all
 * the same.
 */
export class ReadAsMarkdown {
  isPlain = false
  readonly #onPlain: () => void
  readonly #compartment = new Compartment()

  constructor(onPlain: () => void) {
    this.#onPlain = onPlain
  }

  /** What is left out where the text is shown plain. */
  extension(markdown: Extension): Extension {
    return this.#compartment.of(this.isPlain ? [] : markdown)
  }

  /** Makes a view, plain if it can’t be made otherwise. */
  view(parent: HTMLElement, stateOf: () => EditorState): EditorView {
    const before = [...parent.children]
    const make = () =>
      new EditorView({
        parent,
        state: stateOf(),
        dispatchTransactions: (transactions, view) => this.#dispatch(transactions, view),
      })
    try {
      return make()
    } catch (error) {
      for (const child of parent.children) if (!before.includes(child)) child.remove()
      this.#giveUp(error)
      return make()
    }
  }

  #giveUp(error: unknown): void {
    console.error('The text is shown plain:', error)
    this.isPlain = true
    // Who is told may look at the editor.
    queueMicrotask(this.#onPlain)
  }

  #dispatch(transactions: readonly Transaction[], view: EditorView): void {
    const [first] = transactions
    try {
      view.update(transactions)
    } catch (error) {
      if (this.isPlain || !first) throw error
      this.#giveUp(error)
      const plain = this.#compartment.reconfigure([])
      // It is in the state, and couldn’t be drawn: all is drawn anew.
      if (view.state !== first.startState)
        return view.setState(view.state.update({ effects: plain, filter: false }).state)
      const last = transactions.at(-1)!
      view.dispatch({
        changes: transactions.map(({ changes }) => changes).reduce((all, one) => all.compose(one)),
        selection: last.newSelection,
        effects: [...transactions.flatMap(({ effects }) => effects), plain],
        annotations: annotationsOf(last),
        scrollIntoView: last.scrollIntoView,
        filter: false,
      })
    }
  }
}
