import { ChangeSet, Transaction, type EditorState, type TransactionSpec } from '@codemirror/state'
import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import { anchorAt } from '../../../server/domain/anchors/anchor.ts'
import { toLf } from '../../../server/domain/line-endings.ts'
import { fromElsewhere } from '../own-undo.ts'
import { linesOf } from './known-suggestion.ts'
import { become, keyed, movedSent, ownSuggestions, type Own } from './own-suggestions.ts'
import { documentText, moved, tidied, toDocument, type WrittenSuggestion } from './stretches.ts'

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

/**
 * Makes of suggestions whose place is gone what stands for itself: all their words, put in, in one piece.
 * @param own as it stands in the text by now
 */
export function detached(
  before: EditorState,
  own: Own,
  gone: readonly WrittenSuggestion[],
  { length, revision }: { length: number; revision: number },
): { changes: ChangeSet; own: Own } {
  if (gone.length === 0) return { changes: ChangeSet.empty(length), own }
  const { doc } = before
  const { stretches: stood } = before.field(ownSuggestions)
  const text = documentText(doc, stood, 0, toDocument(stood, doc.length))
  const known = new Map(own.detached)
  const puts: { from: number; to?: number; insert?: string }[] = []
  const ends = new Map<number, { from: number; to: number }>()
  let shift = 0
  for (const { key, start, original, suggested, parts } of gone) {
    const left = own.stretches.filter((stretch) => stretch.key === key && stretch.kind === 'put in')
    const [first, last] = [left[0], left.at(-1)]
    const put = left.reduce((sum, { from, to }) => sum + to - from, 0)
    if (!first || !last) continue
    known.set(key, {
      original,
      anchor: anchorAt(text, start, start + original.length),
      revision,
      lineEnds: text.slice(0, start).split('\n').length - 1,
    })
    const isOnePiece = last.to - first.from === put
    // Where several stand at one place, what is put in for one isn’t the other’s: they stand one behind the other.
    const from = (isOnePiece ? first.from : last.to - put) + shift
    shift += suggested.length - put
    ends.set(key, { from, to: from + suggested.length })
    if (!isOnePiece) {
      // Words of the document stand between: all is where the last of it is, which stays as it is.
      const end = parts.at(-1)!
      const stays = last.to - last.from === end.length
      for (const one of stays ? left.slice(0, -1) : left) puts.push({ from: one.from, to: one.to })
      puts.push({ from: stays ? last.from : last.to, insert: suggested.slice(0, stays ? end.at : undefined) })
      if (stays) puts.push({ from: last.to, insert: suggested.slice(end.at + end.length) })
      continue
    }
    // The words between stood in the document, and are kept with what was put in there.
    let [at, read] = [first.from, 0]
    for (const part of parts) {
      if (read < part.at) puts.push({ from: at, insert: suggested.slice(read, part.at) })
      at += part.length
      read = part.at + part.length
    }
    if (read < suggested.length) puts.push({ from: at, insert: suggested.slice(read) })
  }
  const changes = ChangeSet.of(puts, length)
  const stretches = own.stretches
    .filter(({ key }) => !ends.has(key))
    .map((stretch) => ({
      ...stretch,
      from: changes.mapPos(stretch.from, 1),
      to: changes.mapPos(stretch.to, -1),
    }))
  for (const [key, { from, to }] of ends) stretches.push({ key, kind: 'put in', from, to })
  return {
    changes,
    own: { ...own, detached: known, stretches: tidied(stretches), sent: movedSent(own.sent, changes) },
  }
}
