import { MapMode, type ChangeDesc, type Text, type Transaction } from '@codemirror/state'
import { isWrittenOver } from './not-to-return.ts'
import { isByHistory } from './own-steps.ts'
import { isRevival } from './revived.ts'

/** What was deleted here, and what has become of the place since. */

/** Words that were deleted here, where that was, and where someone else’s change has put them back. */
export interface Deletion {
  from: number
  to: number
  text: string
  /** What was put in their place here. */
  put: { from: number; to: number }
  revived: { from: number; to: number } | null
}

const mostDeletions = 200

function moved(deletion: Deletion, changes: ChangeDesc, isOwn: boolean): Deletion {
  const { revived, put } = deletion
  const inside = changes.mapPos(put.from, 1)
  const range = (at: { from: number; to: number }) => ({
    from: changes.mapPos(at.from, -1),
    to: changes.mapPos(at.to, 1),
  })
  return {
    ...deletion,
    ...range(deletion),
    put: isOwn ? range(put) : { from: inside, to: Math.max(inside, changes.mapPos(put.to, -1)) },
    revived: revived && changes.mapPos(revived.from, 1, MapMode.TrackDel) !== null ? range(revived) : null,
  }
}

export function afterOwn(deletions: readonly Deletion[], transaction: Transaction) {
  const { changes, startState, newDoc } = transaction
  const { doc } = startState
  const fresh: Deletion[] = []
  const used = new Set<Deletion>()
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    if (fromA === toA) return
    // What was deleted word by word is looked for as one.
    let text = ''
    let at = fromA
    for (const one of deletions) {
      if (used.has(one) || one.revived || one.from < at || one.to > toA) continue
      used.add(one)
      text += doc.sliceString(at, one.from) + one.text
      at = one.to
    }
    text += doc.sliceString(at, toA)
    if (text === newDoc.sliceString(fromB, toB)) return
    const put = { from: fromB, to: toB }
    fresh.push({ ...put, text, put, revived: null })
  }, true)
  if (fresh.length === 0 && deletions.length === 0) return deletions
  const rest = deletions.flatMap((one) => {
    const now = moved(one, changes, true)
    // Where undo has put all of it back, it isn’t deleted any more.
    const isBack = one.from === one.to && isByHistory(transaction)
    return used.has(one) || (isBack && newDoc.sliceString(now.from, now.to) === one.text) ? [] : [now]
  })
  return [...rest, ...fresh].slice(-mostDeletions).sort((a, b) => a.from - b.from)
}

export function afterOthers(deletions: readonly Deletion[], { changes, newDoc }: Transaction) {
  if (deletions.length === 0) return deletions
  const came: { from: number; to: number }[] = []
  changes.iterChangedRanges((_fromA, _toA, from, to) => {
    if (from === to) return
    const last = came.at(-1)
    // Between words that came, white space may have stood here before by chance.
    if (last && touch(newDoc, last, { from, to })) last.to = to
    else came.push({ from, to })
  }, true)
  const left = deletions.filter(({ put }) => !isWrittenOver(put, changes))
  const moves = left.map((deletion) => moved(deletion, changes, false))
  const puts = moves.map(({ put }) => put)
  return moves.map((now) => {
    if (now.revived) return now
    const revived = came.find(
      (range) =>
        touch(newDoc, range, now, puts) && isRevival(now.text, newDoc.sliceString(range.from, range.to)),
    )
    return revived ? { ...now, revived } : now
  })
}

interface Place {
  from: number
  to: number
}

/** Whether nothing but white space lies between, or what was put here in place of words beside. */
export function touch(doc: Text, a: Place, b: Place, puts: readonly Place[] = []): boolean {
  let from = Math.min(a.to, b.to)
  const to = Math.max(a.from, b.from)
  for (const put of puts)
    if (put.from < put.to && put.from >= from && put.to <= to) {
      if (!isBlank(doc, from, put.from)) return false
      from = put.to
    }
  return isBlank(doc, from, to)
}

const isBlank = (doc: Text, from: number, to: number) =>
  to <= from || (to - from < 8 && doc.sliceString(from, to).trim() === '')
