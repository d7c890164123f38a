import { ChangeSet, Transaction, type EditorState, type TransactionSpec } from '@codemirror/state'
import { standsBefore } from '../../../server/domain/order-at-place.ts'
import { fromElsewhere } from '../own-undo.ts'
import { putInAt, turnAt, type TurnOf } from './beside-own.ts'
import { become, keyed, movedSent, ownSuggestions } from './own-suggestions.ts'
import { moved, toEditor } from './stretches.ts'

/**
 * Where what one’s own suggestion puts in is to stand in the editor, if the server has it at another place of the document
 * or in another order there than is shown; null where it stands there.
 */
export function otherPlace(state: EditorState, key: number, place: number, turnOf: TurnOf): number | null {
  const own = state.field(ownSuggestions)
  const mine = keyed(own.stretches, key)
  const [first, last] = [mine[0], mine.at(-1)]
  if (!first || !last) return null
  const turn = { ...turnAt(state.doc, own, key, place, turnOf), start: place, end: place }
  const before = putInAt(own, place).findLast(
    (one) => one.key !== key && standsBefore(turnAt(state.doc, own, one.key, place, turnOf), turn),
  )
  const at = before?.to ?? toEditor(own.stretches, place)
  return at >= first.from && at <= last.to ? null : at
}

/**
 * What brings it there. It is the document’s words between that go to its other side, so that the cursor and what undo
 * takes back stay in it; null where others of one’s own stand between.
 */
export function placing(state: EditorState, key: number, at: number): TransactionSpec | null {
  const own = state.field(ownSuggestions)
  const mine = keyed(own.stretches, key)
  const [start, end] = [mine[0]!.from, mine.at(-1)!.to]
  const isBefore = at < start
  const [from, to] = isBefore ? [at, start] : [end, at]
  if (own.stretches.some((one) => one.from < to && one.to > from)) return null
  const changes = ChangeSet.of(
    [
      { from, to },
      { from: isBefore ? end : start, insert: state.doc.slice(from, to) },
    ],
    state.doc.length,
  )
  return {
    changes,
    selection: state.selection.map(changes, isBefore ? -1 : 1),
    effects: become.of({
      ...own,
      // Letters that are beside it there aren’t its words.
      alone: new Set([...(own.alone ?? []), key]),
      stretches: moved(own.stretches, changes),
      sent: movedSent(own.sent, changes),
    }),
    annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false)],
  }
}
