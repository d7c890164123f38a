import {
  ChangeSet,
  StateEffect,
  type ChangeDesc,
  type EditorState,
  type Text,
  type Transaction,
} from '@codemirror/state'
import { mendedSigns, signedBlock } from './command-marks.ts'
import { eachMarked, hasAddress, type MarkedNode } from './marked-nodes.ts'
import { isTyped, numberOf, takenBackBy } from './own-steps.ts'
import type { MadeByStep } from './returned-own.ts'
import type { Mend } from './undo-gaps.ts'

/**
 * Halves of pairs of marks that a step of the history leaves: where several have given marks to the same words, one half
 * may be one’s own and the other somebody else’s. A half that says nothing goes, and comes back when that step is taken
 * back. White space that has come to the inner side of a mark goes to the other side, so that the mark means something.
 */

interface Place {
  from: number
  to: number
}

/** What a mend has put somewhere, and what stood there. */
interface Piece extends Place {
  put: string
  text: string
  /** On which side of it words that come back belong. */
  side: -1 | 1
}

interface Mended {
  /** By which step. */
  number: number
  pieces: readonly Piece[]
}

/** Marks that a step took out while they meant something: where in what it took out. */
interface Taken {
  number: number
  text: string
  offsets: readonly number[]
}

export interface Orphans {
  taken: readonly Taken[]
  mended: readonly Mended[]
}

const most = 200
const put = StateEffect.define<{ mended: Mended; back: readonly Mended[] }>()

export const noOrphans: Orphans = { taken: [], mended: [] }

export function orphansAfter(known: Orphans, transaction: Transaction): Orphans {
  let { taken, mended } = known
  const { changes, effects, newDoc } = transaction
  if (transaction.docChanged && mended.length > 0)
    mended = mended.map((one) => ({ ...one, pieces: moved(one.pieces, changes, newDoc) }))
  if (transaction.docChanged && isTyped(transaction)) {
    const came = takenMarks(transaction)
    if (came.length > 0) taken = [...taken, ...came].slice(-most)
  }
  for (const effect of effects)
    if (effect.is(put)) {
      const { mended: one, back } = effect.value
      mended = [...mended.filter(({ number }) => !back.some((other) => other.number === number)), one]
      mended = mended.filter(({ pieces }) => pieces.length > 0).slice(-most)
    }
  return taken === known.taken && mended === known.mended ? known : { taken, mended }
}

const moved = (pieces: readonly Piece[], changes: ChangeDesc, doc: Text): Piece[] =>
  pieces.flatMap((one) => {
    const isGone = one.from === one.to
    const from = changes.mapPos(one.from, isGone ? one.side : 1)
    const to = isGone ? from : changes.mapPos(one.to, -1)
    return to >= from && doc.sliceString(from, to) === one.put ? [{ ...one, from, to }] : []
  })

function takenMarks(transaction: Transaction): Taken[] {
  const { changes, startState } = transaction
  const found: Taken[] = []
  changes.iterChangedRanges((from, to) => {
    const text = startState.sliceDoc(from, to)
    if (to - from > longest || !/[*_~`[\]]/.test(text)) return
    const offsets = pairsIn(startState, { from, to })
      .flatMap(signsOf)
      .filter((at) => at >= from && at < to)
      .map((at) => at - from)
    if (offsets.length > 0) found.push({ number: numberOf(transaction), text, offsets })
  }, true)
  return found
}

function pairsIn(state: EditorState, { from, to }: Place): MarkedNode[] {
  const found: MarkedNode[] = []
  eachMarked(state, from, to, (name, marks) => {
    if (name !== 'Link' || hasAddress(state, marks)) found.push(marks)
  })
  return found
}

const signsOf = ({ open, close }: MarkedNode): number[] => [...placesIn(open), ...placesIn(close)]
const placesIn = ({ from, to }: Place) => Array.from({ length: to - from }, (_, i) => from + i)

const longest = 10_000
const onlySigns = /^(?:[*_~`]+|\[|\]\([^()\s]*\))$/

/**
 * @param step the step of the history
 * @param made what it has done with what was mended of it
 * @param now the state after that
 */
export function orphansMended(
  step: Transaction,
  made: MadeByStep,
  now: EditorState,
  { taken, mended }: Orphans,
): Mend {
  const before = blockOf(made.startState.doc, made.changes)
  if (!before) return { changes: [], effects: [] }
  const numbers = takenBackBy(step)
  const back = mended.filter(({ number }) => numbers.includes(number))
  let all = ChangeSet.of(
    back.flatMap(({ pieces }) => pieces.map(({ from, to, text }) => ({ from, to, insert: text }))),
    now.doc.length,
  )
  let state = now.update({ changes: all, filter: false }).state
  const whole = made.changes.compose(all)
  const isLeft = (place: Place) =>
    whole.mapPos(place.to, -1) - whole.mapPos(place.from, 1) === place.to - place.from
  const mapped = (place: Place): Place => ({
    from: whole.mapPos(place.from, 1),
    to: whole.mapPos(place.to, -1),
  })
  const pairs = pairsIn(made.startState, before)
  let halves: Half[] = pairs.flatMap(({ open, close }) => {
    const pair = { open: mapped(open), close: mapped(close) }
    const isPair = isLeft(open) && isLeft(close)
    return [
      { ...pair.open, side: -1 as const, pair: isPair ? pair : null },
      { ...pair.close, side: 1 as const, pair: isPair ? pair : null },
    ]
  })
  // Mends may have put them elsewhere.
  const elsewhere = pairs
    .flatMap(({ open, close }) => [open, close])
    .filter((place) => !isLeft(place))
    .map(({ from, to }) => ({
      text: made.startState.sliceDoc(from, to),
      offsets: placesIn({ from: 0, to: to - from }),
    }))
  halves = [...halves, ...cameBack(step, whole, taken, elsewhere), ...restored(back, all)].filter(
    ({ from, to }) => from < to,
  )
  const pieces: Piece[] = []
  for (let round = 0; round < mostRounds; round++) {
    const orphans = editsFor(state, halves)
    const edits = orphans.length > 0 ? orphans : seenMended(state, halves)
    if (edits.length === 0) break
    const changes = ChangeSet.of(edits, state.doc.length)
    const at = ({ from, to }: Place): Place => ({ from: changes.mapPos(from, 1), to: changes.mapPos(to, -1) })
    halves = halves
      .map((one) => ({
        ...one,
        ...at(one),
        pair: one.pair && { open: at(one.pair.open), close: at(one.pair.close) },
      }))
      .filter(({ from, to }) => from < to)
    const text = state.doc
    state = state.update({ changes, filter: false }).state
    const earlier = moved(pieces, changes, state.doc)
    pieces.splice(0, pieces.length, ...earlier, ...piecesOf(edits, changes, text))
    all = all.compose(changes)
  }
  if (all.empty && back.length === 0) return { changes: [], effects: [] }
  const effects = [put.of({ mended: { number: numberOf(step), pieces }, back })]
  return { changes: all.empty ? [] : [all], effects }
}

const mostRounds = 6

interface Half extends Place {
  side: -1 | 1
  /** Both halves, where both are left of what was one pair. */
  pair: MarkedNode | null
}

interface Edit extends Place {
  insert: string
  side: -1 | 1
}

function editsFor(state: EditorState, halves: readonly Half[]): Edit[] {
  if (halves.length === 0) return []
  const span = {
    from: Math.min(...halves.map(({ from }) => from)),
    to: Math.max(...halves.map(({ to }) => to)),
  }
  // What closed something opens nothing, though all between two halves of code may be read as code.
  const closing = new Set(halves.flatMap((one) => (one.side === 1 ? placesIn(one) : [])))
  const isMeant = ({ open }: MarkedNode) => !closing.has(open.from)
  const meant = new Set(pairsIn(state, span).filter(isMeant).flatMap(signsOf))
  const all = halves.filter((one) => !placesIn(one).every((at) => meant.has(at)))
  // What is of a pair may say something again once halves are gone.
  const alone = all.filter(({ pair }) => pair === null)
  const orphans = alone.length > 0 ? alone : all
  const spaces = orphans.flatMap(({ pair, side }) => (pair && side === -1 ? spacesMoved(state, pair) : []))
  if (spaces.length > 0) return spaces
  const signs = new Map<number, Edit>()
  for (const { from, to, side } of orphans)
    for (const at of placesIn({ from, to }))
      if (!meant.has(at)) signs.set(at, { from: at, to: at + 1, insert: '', side })
  return [...signs.values()].sort((a, b) => a.from - b.from)
}

/** What the editor takes for marks, and readers see: their markdown is read by other code. */
function seenMended(state: EditorState, halves: readonly Half[]): Edit[] {
  const signs = halves.flatMap(placesIn).filter((at) => /[*~]/.test(state.sliceDoc(at, at + 1)))
  const block = signs.length > 0 ? signedBlock(state.doc, signs[0]!, [...new Set(signs)]) : null
  const edits: Edit[] = []
  if (block)
    mendedSigns(state.doc, block)?.iterChanges((from, to, _from, _to, inserted) => {
      const insert = inserted.toString()
      if (insert !== state.sliceDoc(from, to)) edits.push({ from, to, insert, side: 1 })
    })
  return edits
}

/** White space on the inner side of marks moved to the outer one, unless there is some. */
function spacesMoved(state: EditorState, { open, close }: MarkedNode): Edit[] {
  const words = state.sliceDoc(open.to, close.from)
  if (words.trim() === '') return []
  const before = /^[ \t]*/.exec(words)![0]
  const behind = /[ \t]*$/.exec(words)![0]
  const [first, last] = [state.sliceDoc(open.from - 1, open.from), state.sliceDoc(close.to, close.to + 1)]
  const edits: Edit[] = []
  if (before !== '') {
    if (/\S/.test(first)) edits.push({ from: open.from, to: open.from, insert: before, side: -1 })
    edits.push({ from: open.to, to: open.to + before.length, insert: '', side: 1 })
  }
  if (behind !== '') {
    edits.push({ from: close.from - behind.length, to: close.from, insert: '', side: -1 })
    if (/\S/.test(last)) edits.push({ from: close.to, to: close.to, insert: behind, side: 1 })
  }
  return edits
}

function piecesOf(edits: readonly Edit[], changes: ChangeDesc, doc: Text): Piece[] {
  return edits.map(({ from, to, insert, side }) => {
    const start = changes.mapPos(from, -1)
    return { from: start, to: start + insert.length, put: insert, text: doc.sliceString(from, to), side }
  })
}

/** Marks that the step has brought back, and that meant something when they went. */
function cameBack(
  step: Transaction,
  whole: ChangeSet,
  taken: readonly Taken[],
  elsewhere: readonly Omit<Taken, 'number'>[],
): Half[] {
  const numbers = takenBackBy(step)
  const known = [...taken.filter(({ number }) => numbers.includes(number)), ...elsewhere]
  if (known.length === 0) return []
  const found: Half[] = []
  whole.iterChanges((_fromA, _toA, from, _to, inserted) => {
    // A mend may have put white space beside it, or others’ words behind.
    const all = inserted.toString()
    const bare = all.trim()
    const same =
      known.find(({ text }) => text === all || text === bare) ??
      (onlySigns.test(bare) ? undefined : known.find(({ text }) => all.includes(text)))
    const text = same?.text ?? bare
    const start = from + all.indexOf(text)
    const offsets = same?.offsets ?? (onlySigns.test(text) ? placesIn({ from: 0, to: text.length }) : [])
    for (const at of offsets) found.push({ from: start + at, to: start + at + 1, side: -1, pair: null })
  }, true)
  return found
}

/** Marks that mends had taken out, and that are put back. */
function restored(back: readonly Mended[], all: ChangeSet): Half[] {
  const pieces = back.flatMap((one) => one.pieces)
  return pieces.flatMap(({ from, text, side }, i) => {
    // Several may have stood at one place.
    const before = pieces.slice(0, i).filter((one) => one.from === from)
    const start = before.reduce((at, one) => at + one.text.length, all.mapPos(from, -1))
    return text.trim() === '' ? [] : [{ from: start, to: start + text.length, side, pair: null }]
  })
}

/** The lines that a change is about, with those around them up to empty ones; null where that is much. */
function blockOf(doc: Text, changes: ChangeDesc): Place | null {
  let [from, to] = [doc.length, 0]
  changes.iterChangedRanges((fromA, toA) => {
    from = Math.min(from, fromA)
    to = Math.max(to, toA)
  })
  if (to < from || to - from > longest) return null
  let [first, last] = [doc.lineAt(from), doc.lineAt(to)]
  const isWritten = (number: number) =>
    number >= 1 && number <= doc.lines && doc.line(number).text.trim() !== ''
  while (isWritten(first.number - 1) && last.to - first.from < longest) first = doc.line(first.number - 1)
  while (isWritten(last.number + 1) && last.to - first.from < longest) last = doc.line(last.number + 1)
  return { from: first.from, to: last.to }
}
