import { EditorState, Transaction, type Text, type TransactionSpec } from '@codemirror/state'
import { become, ownSuggestions } from './own-suggestions.ts'
import { inserts } from './change-in-editor.ts'
import { documentText, toDocument } from './stretches.ts'
import { fromElsewhere } from '../own-undo.ts'

/** Where one’s own suggestions stand: the editor in which one suggests, or what goes on in its place. */
export interface Desk {
  readonly state: EditorState
  dispatch(spec: TransactionSpec): void
}

/**
 * One’s own suggestions while nobody suggests: the text is read or written in, and they move with it, so that those
 * that aren’t answered yet are neither lost nor taken for others.
 */
export class Unseen implements Desk {
  state: EditorState

  constructor(seen: EditorState) {
    const own = seen.field(ownSuggestions)
    this.state = EditorState.create({ doc: seen.doc, extensions: ownSuggestions.init(() => own) })
  }

  dispatch(spec: TransactionSpec): void {
    this.state = this.state.update(spec).state
  }
}

/** What shows in an editor of the text what stood in another; null where that was of another text. */
export function goingOn({ doc }: { doc: Text }, before: EditorState): TransactionSpec | null {
  const own = before.field(ownSuggestions)
  const { stretches } = own
  const length = toDocument(stretches, before.doc.length)
  if (documentText(before.doc, stretches, 0, length) !== doc.toString()) return null
  const changes = inserts(before, stretches)
  return {
    changes,
    effects: become.of(own),
    annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false)],
  }
}
