import { StateEffect, type ChangeDesc, type Text, type Transaction } from '@codemirror/state'
import type { Deletion } from './own-deletions.ts'
import { isByHistory, isTyped } from './own-steps.ts'
import type { Came, Place } from './stand-ins.ts'
import { isGlued, movedGap, type Mend } from './undo-gaps.ts'

/**
 * White space beside words that were deleted here, of which others have taken some meanwhile: “ EEE”, where “EEE” was
 * deleted here and the space by somebody’s undo. Without it the words would run into others when they come back, so they
 * bring it with them, and take it along when they go again.
 */
export interface Edge {
  from: number
  to: number
  /** What stands there of it with the words. Empty while they are away. */
  text: string
  /** What stood there when the words were deleted. */
  run: string
  side: 'before' | 'after'
  /** What is around the words was one word while they were away. */
  isWithinWord: boolean
}

const most = 200
const putEdge = StateEffect.define<Edge>()

export function edgesAfter(
  known: readonly Edge[],
  deletions: readonly Deletion[],
  came: readonly Came[],
  transaction: Transaction,
  isFromElsewhere: boolean,
): readonly Edge[] {
  const { changes, effects } = transaction
  let edges = known
  if (transaction.docChanged && edges.length > 0) {
    const isByKeys = isTyped(transaction) && !isByHistory(transaction)
    // What is typed there is beside other words than those that were deleted.
    const left = isByKeys ? edges.filter(({ from, to }) => !changes.touchesRange(from, to)) : edges
    edges = left.flatMap((one) => movedGap(one, transaction))
  }
  for (const effect of effects)
    if (effect.is(putEdge)) {
      const { value } = effect
      const isOther = ({ from, to, side }: Edge) => side !== value.side || to < value.from || from > value.to
      edges = [...edges.filter(isOther), value]
    }
  if (isFromElsewhere && transaction.docChanged) edges = withTaken(edges, deletions, came, transaction)
  return edges.length > most ? edges.slice(-most) : edges
}

function withTaken(
  known: readonly Edge[],
  deletions: readonly Deletion[],
  came: readonly Came[],
  { changes, startState, newDoc }: Transaction,
): readonly Edge[] {
  const found: Edge[] = []
  for (const { from, to, revived, numbers } of deletions) {
    if (from < to || revived || !changes.touchesRange(from - longest, from + longest)) continue
    const since = came.filter((one) => one.since > numbers[0]!)
    for (const side of ['before', 'after'] as const) {
      const run = withoutCome(runAt(startState.doc, from, side), from, side, since)
      const at = changes.mapPos(from, side === 'before' ? -1 : 1)
      const begin = side === 'before' ? from - run.length : from
      if (!isCutIn(changes, begin, begin + run.length)) continue
      if (missing(run, runAt(newDoc, at, side)) === '') continue
      const isKnown = [...known, ...found].some((one) => one.side === side && one.from <= at && one.to >= at)
      if (!isKnown) found.push({ from: at, to: at, text: '', run, side, isWithinWord: false })
    }
  }
  return found.length === 0 ? known : [...known, ...found]
}

/** The white space at a place without what has come there. */
function withoutCome(run: string, at: number, side: Edge['side'], came: readonly Place[]): string {
  const begin = side === 'before' ? at - run.length : at
  const isOf = (place: number) => came.some(({ from, to }) => from <= place && place < to)
  return [...run].filter((_, i) => !isOf(begin + i)).join('')
}

/** Whether something was only taken out there: beside what others have put in, white space is where they want it. */
function isCutIn(changes: ChangeDesc, begin: number, end: number): boolean {
  let isCut = false
  let isPut = false
  changes.iterChangedRanges((from, to, fromB, toB) => {
    isCut ||= from < end && to > begin
    isPut ||= fromB < toB && from <= end && to >= begin
  })
  return isCut && !isPut
}

/** What puts white space beside words that a step of the history brought back, and takes it from where they went again. */
export function edgesMended(
  { changes, newDoc }: Pick<Transaction, 'changes' | 'newDoc'>,
  edges: readonly Edge[],
): Mend {
  const found: Mend = { changes: [], effects: [] }
  if (edges.length === 0) return found
  let shift = 0
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    if (fromA < toA && fromB < toB) return
    const isIn = fromA === toA
    for (const side of ['before', 'after'] as const) {
      const [beginning, end] = [side === 'before' ? fromA : toA, side === 'before' ? fromB : toB]
      const edge = edges.find(
        (one) =>
          one.side === side &&
          (one.text === '') === isIn &&
          (side === 'before' ? one.to : one.from) === beginning,
      )
      if (!edge) continue
      if (isIn) {
        const text = lacking(newDoc, { from: fromB, to: toB }, edge)
        if (text === '') continue
        found.changes.push({ from: end, insert: text })
        const from = end + shift
        const isWithinWord = isOneWord(newDoc, fromB, toB)
        found.effects.push(putEdge.of({ ...edge, from, to: from + text.length, text, isWithinWord }))
        shift += text.length
      } else {
        const from = side === 'before' ? end - edge.text.length : end
        const to = from + edge.text.length
        if (from < 0 || newDoc.sliceString(from, to) !== edge.text) continue
        if (!edge.isWithinWord && isOneWord(newDoc, from, to)) continue
        found.changes.push({ from, to })
        found.effects.push(putEdge.of({ ...edge, from: from + shift, to: from + shift, text: '' }))
        shift -= edge.text.length
      }
    }
  }, true)
  return found
}

/** What has to be put at an edge of words that are back. */
function lacking(doc: Text, words: { from: number; to: number }, { run, side }: Edge): string {
  const outside = runAt(doc, side === 'before' ? words.from : words.to, side)
  const inside = runAt(
    doc.slice(words.from, words.to),
    side === 'before' ? 0 : words.to - words.from,
    side === 'before' ? 'after' : 'before',
  )
  if (side === 'before' && words.from === 0) return ''
  if (side === 'after' && words.to === doc.length && !run.includes('\n')) return ''
  return missing(run, outside + inside)
}

/** Which of the white space that stood at a place is needed there besides what there is. */
function missing(run: string, now: string): string {
  if (now === '')
    return run.replace(/\n{3,}/g, '\n\n').replace(/[ \t]+$/, (spaces) => (run === spaces ? ' ' : spaces))
  // More than one blank line parts nothing more than one does.
  return '\n'.repeat(Math.max(0, Math.min(2, lineEndsIn(run)) - lineEndsIn(now)))
}

const lineEndsIn = (text: string) => text.split('\n').length - 1

const longest = 16

function runAt(doc: Text, at: number, side: Edge['side']): string {
  const [from, to] =
    side === 'before' ? [Math.max(0, at - longest), at] : [at, Math.min(doc.length, at + longest)]
  const found = (side === 'before' ? /\s*$/ : /^\s*/).exec(doc.sliceString(from, to))
  return found?.[0] ?? ''
}

const isOneWord = (doc: Text, end: number, begin: number) =>
  isGlued(doc.sliceString(Math.max(0, end - 2), end), doc.sliceString(begin, begin + 2))
