import { ChangeSet, Transaction, type EditorState, type TransactionSpec } from '@codemirror/state'
import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import { toLf } from '../../../server/domain/line-endings.ts'
import { fromElsewhere } from '../own-undo.ts'
import { linesOf } from './known-suggestion.ts'
import { become, keyed, movedSent, ownSuggestions } from './own-suggestions.ts'
import { documentText, moved, tidied, toDocument } from './stretches.ts'

/**
 * What keeps the words of a suggestion apart in the editor, as the server has them, whose place it says is gone: where
 * they stand, all of them put in. Null where there are none to keep.
 * @param revision of the text in which the server hasn’t found its place
 */
export function detaching(
  state: EditorState,
  key: number,
  item: Suggestion,
  revision: number,
): TransactionSpec | null {
  const own = state.field(ownSuggestions)
  const { original, suggested } = linesOf(item)
  const stretches = keyed(own.stretches, key)
  const puts = stretches.filter(({ kind }) => kind === 'put in')
  const first = stretches[0]
  const last = puts.at(-1) ?? stretches.at(-1)
  if (!first || !last || suggested === '') return null
  // What is there of them stays as it is, and with it the cursor in it.
  const [from, to] = puts.length > 0 ? [last.from, last.to] : [last.to, last.to]
  const there = state.sliceDoc(from, to)
  const at = suggested.lastIndexOf(there)
  const isKept = at >= 0
  const changes = ChangeSet.of(
    [
      ...puts.slice(0, -1).map((put) => ({ from: put.from, to: put.to })),
      ...(isKept
        ? [
            { from, insert: suggested.slice(0, at) },
            { from: to, insert: suggested.slice(at + there.length) },
          ]
        : [{ from, to, insert: suggested }]),
    ],
    state.doc.length,
  )
  const kept = {
    ...{ from: changes.mapPos(from, -1), to: changes.mapPos(to, 1) },
    ...{ kind: 'put in' as const, key },
  }
  const others = own.stretches.filter((stretch) => stretch.key !== key)
  const start = toDocument(own.stretches, first.from)
  const { prefix = '', suffix = '' } = item.anchor ?? {}
  const apart = {
    ...{ original, revision },
    anchor: { prefix: toLf(prefix), exact: original, suffix: toLf(suffix), start },
    lineEnds: documentText(state.doc, own.stretches, 0, start).split('\n').length - 1,
  }
  return {
    changes,
    effects: become.of({
      ...own,
      stretches: tidied([...moved(others, changes), kept]),
      detached: new Map([...own.detached, [key, apart]]),
      sent: movedSent(own.sent, changes),
    }),
    annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false)],
  }
}
