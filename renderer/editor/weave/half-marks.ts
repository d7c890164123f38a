import { ChangeSet, type ChangeDesc, type EditorState, type Text } from '@codemirror/state'
import { mendedSigns, signedBlock } from '../command-marks.ts'
import { eachMarked, hasAddress, type MarkedNode } from '../marked-nodes.ts'

/**
 * Halves of pairs of marks that undo or redo leaves: where several have given marks to the same words, one half may be
 * one’s own and the other somebody else’s. A half that says nothing goes. White space that has come to the inner side of a
 * mark goes to the other side, so that the mark means something.
 */

interface Place {
  from: number
  to: number
}

const longest = 10_000
const mostRounds = 6

/** The places of signs that are halves of pairs, around what changes. */
export function signsAround(state: EditorState, changes: ChangeDesc): number[] {
  const block = blockOf(state.doc, changes)
  return block ? pairsIn(state, block).flatMap(signsOf) : []
}

/**
 * What takes out halves that say nothing any more after a change, and says nothing itself that wasn’t said.
 * @param cameBack where signs stand after it that meant something when they went
 */
export function halvesMended(
  before: EditorState,
  changes: ChangeSet,
  after: EditorState,
  cameBack: readonly number[],
): ChangeSet {
  const none = ChangeSet.empty(after.doc.length)
  const block = blockOf(before.doc, changes)
  if (!block) return none
  const isLeft = (place: Place) =>
    changes.mapPos(place.to, -1) - changes.mapPos(place.from, 1) === place.to - place.from
  const mapped = (place: Place): Place => ({
    from: changes.mapPos(place.from, 1),
    to: changes.mapPos(place.to, -1),
  })
  let halves: Half[] = [
    ...pairsIn(before, block).flatMap(({ open, close }) => {
      const pair = { open: mapped(open), close: mapped(close) }
      const isPair = isLeft(open) && isLeft(close)
      return [
        { ...pair.open, side: -1 as const, pair: isPair ? pair : null },
        { ...pair.close, side: 1 as const, pair: isPair ? pair : null },
      ]
    }),
    ...cameBack.map((at) => ({ from: at, to: at + 1, side: -1 as const, pair: null })),
  ].filter(({ from, to }) => from < to)
  let [all, state] = [none, after]
  for (let round = 0; round < mostRounds; round++) {
    const orphans = editsFor(state, halves)
    const edits = orphans.length > 0 ? orphans : seenMended(state, halves)
    if (edits.length === 0) break
    const now = ChangeSet.of(edits, state.doc.length)
    const at = ({ from, to }: Place): Place => ({ from: now.mapPos(from, 1), to: now.mapPos(to, -1) })
    halves = halves
      .map((one) => ({
        ...one,
        ...at(one),
        pair: one.pair && { open: at(one.pair.open), close: at(one.pair.close) },
      }))
      .filter(({ from, to }) => from < to)
    state = state.update({ changes: now, filter: false }).state
    all = all.compose(now)
  }
  return all
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
