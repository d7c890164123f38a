import { StateEffect, type ChangeDesc, type Text, type Transaction } from '@codemirror/state'
import { isTyped, numberOf, takenBackBy } from './own-steps.ts'
import { isApart, isGlued, movedGap, type Mend } from './undo-gaps.ts'

/**
 * Others’ words that came into what was written here, or against it, stay when that is undone. White space that was
 * written here with it would go, and they would run into what stands behind: “my great words ” around somebody’s “great”.
 * So some of it stays, and goes when the words come back. It is the same where others took out words at the edge of what
 * was written here, with the white space that kept theirs apart: “EEE ” of “brown EEE fox”, where “ EEE” was written here.
 */

export interface Place {
  from: number
  to: number
}

export interface StandIn extends Place {
  text: string
}

/** What came, and the number of the last thing done by then. */
export interface Came extends Place {
  since: number
}

export interface Torn {
  /** Others’ words against which nothing has been written here since. */
  came: readonly Came[]
  /** Where others took out words, and nothing has been written here since. */
  cuts: readonly number[]
  /** White space that stands in for what went with one’s own words. Empty while these are there. */
  standIns: readonly StandIn[]
}

const most = 200
const putStandIn = StateEffect.define<StandIn>()

export const nothingTorn: Torn = { came: [], cuts: [], standIns: [] }

export function tornAfter(torn: Torn, transaction: Transaction, isFromElsewhere: boolean): Torn {
  let { came, cuts, standIns } = torn
  if (standIns.length > 0) standIns = standIns.flatMap((one) => movedGap(one, transaction))
  for (const effect of transaction.effects)
    if (effect.is(putStandIn)) {
      const { value } = effect
      standIns = [...standIns.filter(({ from, to }) => to < value.from || from > value.to), value].slice(
        -most,
      )
    }
  if (came.length > 0) came = left(came, transaction).filter(({ from, to }) => from < to)
  if (cuts.length > 0)
    cuts = left(
      cuts.map((at) => ({ from: at, to: at })),
      transaction,
    ).map(({ from }) => from)
  if (isFromElsewhere) {
    came = withCome(came, transaction.changes, numberOf(transaction))
    cuts = withCuts(cuts, transaction.changes)
  }
  const isSame = came === torn.came && cuts === torn.cuts && standIns === torn.standIns
  return isSame ? torn : { came, cuts, standIns }
}

/** Where they are now, but for those against which something was written here. */
function left<One extends Place>(came: readonly One[], transaction: Transaction): One[] {
  const { changes } = transaction
  const puts: Place[] = []
  if (isTyped(transaction))
    changes.iterChangedRanges((from, to, fromB, toB) => {
      if (fromB < toB) puts.push({ from, to })
    })
  const apart = came.filter((one) => !puts.some(({ from, to }) => from <= one.to && one.from <= to))
  return placesAfter(apart, changes)
}

export const placesAfter = <One extends Place>(places: readonly One[], changes: ChangeDesc): One[] =>
  places.map((one) => ({ ...one, from: changes.mapPos(one.from, 1), to: changes.mapPos(one.to, -1) }))

function withCuts(cuts: readonly number[], changes: ChangeDesc): readonly number[] {
  const all = new Set(cuts)
  changes.iterChangedRanges((_fromA, _toA, from, to) => {
    if (from === to) all.add(from)
  })
  return all.size === cuts.length ? cuts : [...all].slice(-most)
}

function withCome(came: readonly Came[], changes: ChangeDesc, since: number): readonly Came[] {
  const all = [...came]
  changes.iterChangedRanges((_fromA, _toA, from, to) => {
    if (from === to) return
    // What is typed letter by letter is one.
    const index = all.findIndex((one) => one.from <= to && from <= one.to)
    const [known] = index < 0 ? [] : all.splice(index, 1)
    all.push({ from: Math.min(from, known?.from ?? from), to: Math.max(to, known?.to ?? to), since })
  })
  return all.length === came.length && all.at(-1) === came.at(-1) ? came : all.slice(-most)
}

type Step = Pick<Transaction, 'changes' | 'newDoc' | 'startState'>

/** What keeps others’ words apart after a step of the history as they were, and takes out what did so before. */
export function standInsMended(step: Step, torn: Torn): Mend {
  const { changes, newDoc } = step
  const found: Mend = { changes: [], effects: [] }
  if (torn === nothingTorn) return found
  const came = placesAfter(torn.came, changes)
  const put = (at: number, known: StandIn | null, text: string) => {
    found.changes.push({ from: at, insert: text })
    found.effects.push(putStandIn.of({ ...known, from: at, to: at + text.length, text }))
  }
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    if (fromA < toA && fromB < toB) return
    const closed = torn.standIns.find(({ from, to }) => from === to && fromA <= from && from <= toA)
    if (fromB < toB) {
      const open = torn.standIns.find(({ from, to }) => from < to && (from === fromA || to === fromA))
      if (!open || !newDoc.sliceString(fromB, toB).includes(open.text)) return
      const from = open.to === fromA ? fromB - open.text.length : toB
      found.changes.push({ from, to: from + open.text.length })
      found.effects.push(putStandIn.of({ ...open, from, to: from }))
    } else if (closed) {
      if (runsTogether(newDoc, toB, toB, closed.text)) put(toB, closed, closed.text)
    } else {
      const gone = step.startState.doc.sliceString(fromA, toA)
      const text = keptOf(gone, newDoc, toB, came) || keptAtCut(gone, torn.cuts, fromA, toA)
      if (text !== '' && runsTogether(newDoc, toB, toB, text)) put(toB, null, text)
    }
  }, true)
  return found
}

/** What takes white space out again that redo has put beside words that others have put there since with as much of their own. */
export function redoneOnce(step: Transaction, { came: known }: Torn): Mend {
  const found: Mend = { changes: [], effects: [] }
  if (known.length === 0 || !step.isUserEvent('redo')) return found
  const { changes, newDoc } = step
  const undone = Math.min(...takenBackBy(step))
  // What was there by then stood beside that white space before.
  const since = known.filter((one) => one.since > undone)
  const came = placesAfter(since, changes)
  changes.iterChangedRanges((fromA, toA, from, to) => {
    const text = newDoc.sliceString(from, to)
    if (fromA < toA || text === '' || text.trim() !== '') return
    const beside = [newDoc.sliceString(beginOf(came, from), from), newDoc.sliceString(to, endOf(came, to))]
    const isThere = beside.some((words) => words.startsWith(text) || words.endsWith(text))
    if (isThere && !runsTogether(newDoc, from, to, text)) found.changes.push({ from, to })
  })
  return found
}

/** Which white space of what has gone has to stay there. */
function keptOf(gone: string, doc: Text, at: number, came: readonly Place[]): string {
  const [start, end] = [beginOf(came, at), endOf(came, at)]
  if (start === at && end === at) return ''
  // Without what came, what stands there would run together as well: so it did before.
  const isOne = start < at ? !isApartAt(doc, start, at) : !isApartAt(doc, at, end)
  if (isOne) return ''
  const [head = '', tail = ''] = [/^\s+/.exec(gone)?.[0], /\s+$/.exec(gone)?.[0]]
  return start < at ? tail || head : head || tail
}

/** Which white space of what has gone may have to stay where others took out words at its edge. */
function keptAtCut(gone: string, cuts: readonly number[], from: number, to: number): string {
  if (!cuts.includes(from) && !cuts.includes(to)) return ''
  return (/^\s+/.exec(gone) ?? /\s+$/.exec(gone))?.[0] ?? ''
}

/** Whether white space stands at the end of what goes up to one place, or before what begins at another. */
function isApartAt(doc: Text, end: number, begin: number): boolean {
  const [before, after] = [doc.sliceString(Math.max(0, end - 2), end), doc.sliceString(begin, begin + 2)]
  return before === '' || after === '' || isApart(before, after)
}

/** Where the words begin that came up to a place. */
function beginOf(came: readonly Place[], at: number): number {
  const one = came.find(({ from, to }) => from < at && to === at)
  return one ? beginOf(came, one.from) : at
}

function endOf(came: readonly Place[], at: number): number {
  const one = came.find(({ from, to }) => from === at && to > at)
  return one ? endOf(came, one.to) : at
}

/** Whether words or lines up to one place and from another that white space kept apart would run into each other. */
function runsTogether(doc: Text, end: number, begin: number, text: string): boolean {
  const [before, after] = [doc.sliceString(Math.max(0, end - 2), end), doc.sliceString(begin, begin + 2)]
  if (before === '' || after === '' || isApart(before, after)) return false
  return text.includes('\n') || isGlued(before, after)
}
