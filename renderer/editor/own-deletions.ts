import { MapMode, type ChangeDesc, type Text, type Transaction } from '@codemirror/state'
import { isWrittenOver } from './not-to-return.ts'
import { numberOf, takenBackBy } from './own-steps.ts'
import { isRevival, isSetApart, restOfWord } from './revived.ts'

/** What was deleted here, and what has become of the place since. */

/** Words that were deleted here, where that was, and where someone else’s change has put them back. */
export interface Deletion {
  from: number
  to: number
  text: string
  /** What was put in their place here. */
  put: { from: number; to: number }
  revived: { from: number; to: number } | null
  /** By which steps, the last of them first. */
  numbers: readonly number[]
  /** What stood there when the last of them took it out, and which words had gone before, where in that. */
  last: string
  before: readonly { at: number; deletion: Deletion }[]
}

const mostDeletions = 200
const mostSteps = 100

function moved(deletion: Deletion, changes: ChangeDesc, isOwn: boolean): Deletion {
  const { revived, put } = deletion
  const inside = changes.mapPos(put.from, 1)
  const range = (at: { from: number; to: number }) => ({
    from: changes.mapPos(at.from, -1),
    to: changes.mapPos(at.to, 1),
  })
  const left = revived && changes.mapPos(revived.from, 1, MapMode.TrackDel) !== null ? range(revived) : null
  return {
    ...deletion,
    ...range(deletion),
    put: isOwn ? range(put) : { from: inside, to: Math.max(inside, changes.mapPos(put.to, -1)) },
    revived: left && left.from < left.to ? left : null,
  }
}

export function afterOwn(deletions: readonly Deletion[], transaction: Transaction) {
  const { changes, startState, newDoc } = transaction
  const { doc } = startState
  const fresh: Deletion[] = []
  const used = new Set<Deletion>()
  const takesBack = takenBackBy(transaction)
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    const came = newDoc.sliceString(fromB, toB)
    for (const one of takesBack.length > 0 ? deletions : []) {
      const back = one.from === fromA && one.to === toA ? broughtBack(one, takesBack) : null
      // What stands there by somebody else’s change is looked for as one.
      if (used.has(one) || back?.text !== came || (one.revived && back.left.length > 0)) continue
      used.add(one)
      fresh.push(...back.left.map((left) => later(left, fromB)))
      return
    }
    if (fromA === toA) return
    // What was deleted word by word is looked for as one.
    let text = ''
    let at = fromA
    const numbers = [numberOf(transaction)]
    const before: { at: number; deletion: Deletion }[] = []
    for (const one of deletions) {
      if (used.has(one) || one.revived || one.from < at || one.to > toA) continue
      used.add(one)
      numbers.push(...one.numbers)
      before.push({ at: one.from - fromA, deletion: one })
      text += doc.sliceString(at, one.from) + one.text
      at = one.to
    }
    text += doc.sliceString(at, toA)
    if (text === came) return
    const put = { from: fromB, to: toB }
    const last = doc.sliceString(fromA, toA)
    const isLong = numbers.length > mostSteps
    fresh.push({ ...put, text, put, revived: null, numbers, last, before: isLong ? [] : before })
  }, true)
  if (fresh.length === 0 && deletions.length === 0) return deletions
  const rest = deletions.filter((one) => !used.has(one)).map((one) => moved(one, changes, true))
  return [...rest, ...fresh].slice(-mostDeletions).sort((a, b) => a.from - b.from)
}

/** What undo or redo brings back of it as it takes back steps, and what is deleted then within that; null if nothing. */
export function broughtBack(
  { numbers, last, before }: Deletion,
  takesBack: readonly number[],
): { text: string; left: Deletion[] } | null {
  if (!takesBack.includes(numbers[0]!)) return null
  let [text, at] = ['', 0]
  const left: Deletion[] = []
  for (const { at: start, deletion } of before) {
    text += last.slice(at, start)
    at = start + deletion.to - deletion.from
    const back = broughtBack(deletion, takesBack)
    left.push(...(back?.left ?? [later(deletion, -deletion.from)]).map((one) => later(one, text.length)))
    text += back?.text ?? last.slice(start, at)
  }
  return { text: text + last.slice(at), left }
}

function later(deletion: Deletion, by: number): Deletion {
  const range = ({ from, to }: Place): Place => ({ from: from + by, to: to + by })
  return { ...deletion, ...range(deletion), put: range(deletion.put) }
}

export function afterOthers(deletions: readonly Deletion[], { changes, newDoc, startState }: Transaction) {
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
  return moves.map((now, i) => {
    if (now.revived) return now
    const rest = restOfWord(startState.doc, left[i]!)
    const revived = came.find(
      (range) =>
        touch(newDoc, range, now, puts) &&
        isRevival(now.text, newDoc.sliceString(range.from, range.to)) &&
        !isSetApart(newDoc, range, rest),
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
