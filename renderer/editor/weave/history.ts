import { isolateHistory } from '@codemirror/commands'
import {
  Annotation,
  ChangeSet,
  EditorSelection,
  StateEffect,
  StateField,
  Transaction,
  type ChangeDesc,
  type EditorState,
  type StateCommand,
  type Text,
  type TransactionSpec,
} from '@codemirror/state'
import type { OwnStep } from '../../../server/domain/doing.ts'
import type { MetSteps } from '../../../server/domain/shared-text.ts'
import { disjoint } from '../../../server/domain/told-steps.ts'
import { fromElsewhere } from '../from-elsewhere.ts'
import { doingOf, isTyped, numberOf, takenBackBy, takesBack, toldStep } from '../own-steps.ts'
import { bounded, mostPieces } from './bounded.ts'
import { commonLetters } from './common.ts'
import { splicesOf } from './splices.ts'
import { signsAround } from './half-marks.ts'
import { joined, nearest, type JoinedPart, type Touched } from './joined.ts'
import { tidying } from './tidying.ts'
import { anonymous, first, tidyingFrom, Weave, type Labels, type Piece } from './weave.ts'

/** A place between letters, by the letters beside it. */
interface Point {
  before: number | null
  behind: number | null
}

type Selected = readonly { anchor: Point; head: Point }[]

/** Something that was done here, which undo takes back at once. */
export interface Step {
  /** By which the weave knows it: the number of its first transaction. */
  readonly id: number
  /** Of the transactions that have done it, or undone it once it is undone. */
  readonly numbers: readonly number[]
  /** What was selected before it, and after it. */
  readonly before: Selected
  readonly after: Selected | null
  /** What was tidied for it, which goes once it is turned again. */
  readonly tidied: readonly number[]
  /** The letters of it that are signs and meant something when they went. */
  readonly signs: readonly number[]
  /** The first letter that has come since what undo would bring back was there, and the same of redo. */
  readonly since: { undo: number; redo: number }
  /** Where others came first with all that it did, so that no letter is its own: the first of these. */
  readonly overtakenAt?: number
}

export interface History {
  readonly weave: Weave
  readonly done: readonly Step[]
  readonly undone: readonly Step[]
  /** When the last step was done, 0 where nothing goes on with it. */
  readonly time: number
  /** What that has changed, in the text now. */
  readonly changed: readonly number[]
  /** Whether something else was selected since. */
  readonly isMoved: boolean
  /** Whether anything has come from others. */
  readonly isAlone: boolean
  /** Whether all that was done last stands as it was done. */
  readonly isFresh: boolean
  /** Texts that have stood, the newest last: what undo and redo bring back of them is as it was, whatever it means. */
  readonly stood: readonly Text[]
  /** Whether what was known before had to be given up. */
  readonly isAnew: boolean
}

const mostSteps = 100
const groupDelay = 500

/** How words that came met what is here. */
export const came = StateEffect.define<MetSteps>()
/** Words of one’s own that others took out as well, in the words of one’s own steps. */
export const takenToo = StateEffect.define<readonly TakenToo[]>()

export interface TakenToo {
  words: string
  taken: readonly { start: number; end: number }[]
  numbers: readonly number[] | null
  at: { start: number; end: number }
}

/** What undo or redo has found to do. */
const planned = Annotation.define<{ changes: ChangeSet; history: History; turn: Turn }>()

interface Turn {
  undo: readonly number[]
  redo: readonly number[]
}
const tidies = StateEffect.define<{ id: number; way: 'undo' | 'redo' }>()

/** A step of others, by the number of who did it and theirs of it. */
export const othersStep = (writer: number, number: number): number => -(writer * 2 ** 32 + number)
const unnamed = (transaction: Transaction) => -(anonymous + numberOf(transaction))

const begun = ({ length }: Text): History => ({
  ...{ weave: Weave.of(length), done: [], undone: [] },
  ...{ time: 0, changed: [], isMoved: false, isAlone: true, isFresh: true, stood: [], isAnew: false },
})

export const woven = StateField.define<History>({
  create: ({ doc }) => begun(doc),
  update(value, transaction) {
    const plan = transaction.annotation(planned)
    if (plan)
      return plan.changes === transaction.changes ? plan.history : otherThanPlanned(value, plan, transaction)
    const isolate = transaction.annotation(isolateHistory)
    let now = isolate === 'full' || isolate === 'before' ? closed(value) : value
    now = isTyped(transaction) ? afterOwn(now, transaction) : orAnew(afterOthers, now, transaction)
    return isolate === 'full' || isolate === 'after' ? closed(now) : now
  },
})

/**
 * What others tell of their steps may be anything: where it leads to what isn’t the text, undo begins anew, and no editor
 * stops for it.
 */
function orAnew(
  after: (history: History, transaction: Transaction) => History,
  history: History,
  transaction: Transaction,
): History {
  try {
    const now = after(history, transaction)
    if (now === history || now.weave.length === transaction.newDoc.length) return now
  } catch (error) {
    console.error('Undo begins anew:', error)
  }
  return { ...begun(transaction.newDoc), isAnew: true }
}

/** Something has made another change of what undo or redo would do. */
function otherThanPlanned(
  { weave }: History,
  { history, turn }: { history: History; turn: Turn },
  transaction: Transaction,
): History {
  const labels = { put: [], taken: [], otherwise: unnamed(transaction), takesBack: true }
  const read = readOf(transaction.startState)
  return { ...history, weave: weave.changed(splicesOf(transaction.changes), read, labels, turn) }
}

const mostStood = 100
const withStood = (stood: readonly Text[], { doc }: EditorState) => [...stood, doc].slice(-mostStood)

const closed = (history: History): History => (history.time === 0 ? history : { ...history, time: 0 })

const readOf =
  ({ doc }: EditorState) =>
  (from: number, to: number) =>
    doc.sliceString(from, to)

function afterOwn(history: History, transaction: Transaction): History {
  const { changes, docChanged, startState } = transaction
  if (!docChanged) return transaction.selection ? { ...history, isMoved: true } : history
  const time = transaction.annotation(Transaction.time) ?? 0
  const last = history.done.at(-1)
  const goesOn = last !== undefined && isOneWith(history, transaction, time)
  const number = numberOf(transaction)
  const id = goesOn ? last.id : number
  let done: readonly Step[]
  if (goesOn) done = [...history.done.slice(0, -1), { ...last, numbers: [...last.numbers, number] }]
  else {
    const before = pointsOf(history.weave, startState.selection)
    const known =
      last && !last.after ? [...history.done.slice(0, -1), { ...last, after: before }] : history.done
    done = [
      ...known,
      { id, numbers: [number], before, after: null, tidied: [], signs: [], since: { undo: 0, redo: 0 } },
    ]
  }
  const signs = signsThatGo(startState, history.weave, changes)
  if (signs.length > 0)
    done = done.map((one) => (one.id === id ? { ...one, signs: [...one.signs, ...signs] } : one))
  const weave = history.weave.written(splicesOf(changes), id, readOf(startState))
  const since = { undo: weave.nextId, redo: 0 }
  done = done.map((one) => (one.id === id ? { ...one, since } : one))
  const changed = rangesAfter(goesOn ? history.changed : [], changes)
  const stood = goesOn ? history.stood : withStood(history.stood, startState)
  return bounds({ ...history, stood, weave, done, undone: [], time, changed, isMoved: false, isFresh: true })
}

/** Whether undo takes it back in one with what was done before. */
function isOneWith(
  { time: last, changed, isMoved }: History,
  transaction: Transaction,
  time: number,
): boolean {
  const event = transaction.annotation(Transaction.userEvent)
  if (event !== undefined && !/^(input\.type|delete)($|\.)/.test(event)) return false
  if (event === 'input.type.compose') return true
  return !isMoved && last > 0 && time - last < groupDelay && isAdjacent(changed, transaction.changes)
}

function isAdjacent(ranges: readonly number[], changes: ChangeDesc): boolean {
  let is = false
  changes.iterChangedRanges((from, to) => {
    for (let i = 0; i < ranges.length; i += 2) is ||= to >= ranges[i]! && from <= ranges[i + 1]!
  })
  return is
}

const mostRanges = 100

function rangesAfter(ranges: readonly number[], changes: ChangeDesc): number[] {
  const all = ranges.map((at, i) => changes.mapPos(at, i % 2 === 0 ? -1 : 1))
  changes.iterChangedRanges((_fromA, _toA, from, to) => {
    const last = all.length - 1
    if (all.length === 2 && from <= all[1]! && to >= all[0]!) {
      all[0] = Math.min(all[0]!, from)
      all[1] = Math.max(all[1]!, to)
    } else if (last < mostRanges) all.push(from, to)
  })
  return all
}

function bounds(history: History): History {
  const { done, undone } = history
  const isLong = done.length > mostSteps + 20
  if (!isLong && history.weave.pieces.length <= mostPieces) return history
  const kept = isLong ? done.slice(-mostSteps) : done
  const known = bounded(history.weave, [...kept, ...undone])
  return { ...history, weave: known, done: kept }
}

/** After a change that isn’t one’s own to take back. */
function afterOthers(history: History, transaction: Transaction): History {
  const { changes, docChanged, effects, startState } = transaction
  let told: MetSteps | null = null
  let too: readonly TakenToo[] = []
  let join: Joins | null = null
  let tidy: { id: number; way: 'undo' | 'redo' } | null = null
  for (const effect of effects) {
    if (effect.is(came)) told = effect.value
    if (effect.is(takenToo)) too = effect.value
    if (effect.is(joins)) join = effect.value
    if (effect.is(tidies)) tidy = effect.value
  }
  if (!docChanged && !told && too.length === 0 && !join) return history
  const read = readOf(startState)
  let now = { ...history, isFresh: false, isAlone: history.isAlone && !transaction.annotation(fromElsewhere) }
  if (tidy !== null) {
    const stack = tidy.way === 'undo' ? 'undone' : 'done'
    const { id } = tidy
    const steps = now[stack].map((step, i, { length }) =>
      i === length - 1 ? { ...step, tidied: [...step.tidied, id] } : step,
    )
    return { ...now, [stack]: steps, weave: now.weave.written(splicesOf(changes), id, read) }
  }
  const turn = told
    ? {
        undo: told.undone.map((one) => othersStep(told.writer, one)),
        redo: told.redone.map((one) => othersStep(told.writer, one)),
      }
    : {}
  const labelled = (all: MetSteps['put']) =>
    disjoint(all).map(([from, to, step]) => ({ from, to, step: othersStep(told!.writer, step) }))
  /** What each of their steps has taken out. */
  const tookToo = new Map<number, string[]>()
  for (const { step, says } of told?.tookToo ?? []) {
    const named = othersStep(told!.writer, step)
    tookToo.set(named, [...(tookToo.get(named) ?? []), says])
  }
  const tookWords = (words: string) =>
    [...tookToo].find(([, all]) => tookToo.size === 1 || all.some((says) => says.includes(words)))?.[0] ??
    labels.otherwise
  const labels: Labels = {
    put: told ? labelled(told.put) : [],
    taken: told ? labelled(told.taken) : [],
    otherwise: unnamed(transaction),
    ...(tookToo.size === 1 ? { takenOtherwise: [...tookToo.keys()][0]! } : {}),
    takesBack: told === null || told.undone.length + told.redone.length > 0,
  }
  let weave = join
    ? joinedBy(now, join, transaction, labels.otherwise)
    : now.weave.changed(splicesOf(changes), read, labels, turn)
  if (told?.parted) weave = weave.parted(told.parted, (piece) => isOwnGone(piece, weave.undone))
  const known = too.length > 0 ? withTakenToo(weave, history, too, tookWords) : weave
  now = { ...now, weave: known, done: known === weave ? now.done : overtaken(now.done, weave, known) }
  if (docChanged) now.stood = withStood(now.stood, startState)
  if (docChanged) now.changed = now.changed.map((at, i) => changes.mapPos(at, i % 2 === 0 ? -1 : 1))
  return bounds(now)
}

/** Whether it is gone by what was done here. */
const isOwnGone = ({ by, out }: Piece, undone: ReadonlySet<number>): boolean =>
  out.some((step) => step > first && !undone.has(step)) || by.some((step) => step > first && undone.has(step))

/** How others’ text and one’s own were merged. */
export interface Joins {
  /** What others have done, brought over the text that stood here; null where it has come before. */
  over: ChangeSet | null
  parts: readonly JoinedPart[]
  /** Words that both wrote alike, and that stand once. */
  alike: readonly Place[]
  /** What the merge has put between one’s own words and others’, and whether it is of those behind it. */
  gaps: readonly (Place & { isBefore: boolean })[]
}

interface Place {
  start: number
  end: number
}

export const joins = StateEffect.define<Joins>()

const isOwn = (step: number) => step > first && step < tidyingFrom

function joinedBy(
  { weave, done }: Pick<History, 'weave' | 'done'>,
  { over, parts, alike, gaps }: Joins,
  transaction: Transaction,
  otherwise: number,
): Weave {
  const { startState, newDoc } = transaction
  const labels = { put: [], taken: [], otherwise, takesBack: true }
  const before = over ? weave.changed(splicesOf(over), readOf(startState), labels) : weave
  const doc = over ? over.apply(startState.doc) : startState.doc
  const read = (from: number, to: number) => doc.sliceString(from, to)
  const made = joined(before, parts, { read, text: newDoc.toString() }, { isOwn, otherwise })
  let now = made.weave
  const touched = touchedBy(now, weave, done)
  for (const place of made.fresh) {
    const gap = gaps.find(({ start, end }) => start < place.to && place.from < end)
    const step = nearest(touched, place, gap?.isBefore ?? false)
    if (step !== null) now = now.within([place], (piece) => ({ ...piece, by: [step] }))
  }
  return now.within(
    alike.map(({ start, end }) => ({ from: start, to: end })),
    (piece) => (piece.by.some((one) => !isOwn(one)) ? piece : { ...piece, by: [...piece.by, otherwise] }),
  )
}

/** Where one’s own steps have written something, or taken it out, also what stands again since `before`. */
function touchedBy(weave: Weave, before: Weave, done: readonly Step[]): Touched[] {
  const gone = before.pieces.flatMap(({ id, length, out }) => {
    const step = out.findLast((one) => isOwn(one) && !before.undone.has(one))
    return step === undefined ? [] : [{ id, end: id + length, step }]
  })
  const found: Touched[] = []
  let from = 0
  for (const piece of weave.pieces) {
    const { id, length } = piece
    const to = weave.stands(piece) ? from + length : from
    const takenToo = done.findLast(
      ({ overtakenAt }) => overtakenAt !== undefined && overtakenAt >= id && overtakenAt < id + length,
    )
    const step =
      to > from
        ? (piece.by.findLast(isOwn) ?? gone.find((one) => one.id < id + length && id < one.end)?.step)
        : (piece.out.findLast(isOwn) ?? takenToo?.id)
    if (step !== undefined) found.push({ from, to, step })
    from = to
  }
  return found
}

/** What tells others which of one’s own steps have written what stands at places of the text. */
export function tellingOwn(state: EditorState, places: readonly Place[]): TransactionSpec | null {
  const history = state.field(woven, false)
  if (!history || places.length === 0) return null
  const standing: { start: number; end: number; step: number }[] = []
  let [at, next] = [0, 0]
  for (const piece of history.weave.pieces) {
    if (!history.weave.stands(piece)) continue
    const [start, end] = [at, at + piece.length]
    at = end
    while (next < places.length && places[next]!.end <= start) next++
    const step = piece.by.find((one) => isOwn(one) && !history.weave.undone.has(one))
    if (step === undefined) continue
    for (let i = next; i < places.length && places[i]!.start < end; i++)
      standing.push({ start: Math.max(start, places[i]!.start), end: Math.min(end, places[i]!.end), step })
  }
  if (standing.length === 0) return null
  return {
    effects: toldStep.of({ part: null, undone: [], redone: [], standing }),
    annotations: Transaction.addToHistory.of(false),
  }
}

/** Letters that are gone here by one’s own steps, and that others had taken out before these came to them. */
function withTakenToo(
  weave: Weave,
  { done, undone }: History,
  all: readonly TakenToo[],
  tookWords: (words: string) => number,
): Weave {
  const idOf = new Map(
    [...done, ...undone].flatMap(({ id, numbers }) => numbers.map((one) => [one, id] as const)),
  )
  let now = weave
  for (const { words, taken, numbers } of all) {
    const steps = new Set(
      numbers?.flatMap((one) => idOf.get(one) ?? []) ?? [...done, ...undone].map(({ id }) => id),
    )
    const gone = now.pieces.filter((piece) => piece.out.some((one) => steps.has(one)) && !now.stands(piece))
    const ids = gone.flatMap((piece) => Array.from({ length: piece.length }, (_, i) => piece.id + i))
    // Letters between them may have been gone before.
    const common = commonLetters(gone.map(({ text }) => text).join(''), words)
    for (const { start, end } of taken) {
      const letters = new Set<number>()
      for (const { a, b, length } of common)
        for (let i = 0; i < length; i++) if (start <= b + i && b + i < end) letters.add(ids[a + i]!)
      now = now.outOf(letters, tookWords(words.slice(start, end)), steps)
    }
  }
  return now
}

export const pointsOf = (weave: Weave, selection: EditorSelection): Selected =>
  selection.ranges.map(({ anchor, head }) => {
    const point = weave.lettersAt(anchor)
    return { anchor: point, head: anchor === head ? point : weave.lettersAt(head) }
  })

function selectionOf(weave: Weave, selected: Selected | null, length: number): EditorSelection | null {
  const at = ({ before, behind }: Point): number | null => {
    const [left, right] = [before, behind].map((id) => (id === null ? null : weave.placeOf(id)))
    if (right?.isThere) return right.place
    if (left?.isThere) return left.place + 1
    if (behind === null && before === null) return 0
    return right?.place ?? left?.place ?? (behind === null ? length : null)
  }
  const ranges = selected?.map(({ anchor, head }) => ({ anchor: at(anchor), head: at(head) })) ?? []
  if (ranges.length === 0 || ranges.some(({ anchor, head }) => anchor === null || head === null)) return null
  return EditorSelection.create(
    ranges.map(({ anchor, head }) =>
      EditorSelection.range(Math.min(length, anchor!), Math.min(length, head!)),
    ),
  )
}

const names = ({ pieces }: Weave, step: number): boolean =>
  pieces.some(({ by, out }) => by.includes(step) || out.includes(step))

const overtaken = (steps: readonly Step[], before: Weave, after: Weave): readonly Step[] =>
  steps.map((step): Step => {
    const letter = before.pieces.find(({ by, out }) => by.includes(step.id) || out.includes(step.id))?.id
    return letter !== undefined && !names(after, step.id) ? { ...step, overtakenAt: letter } : step
  })

/** One of which nothing is left, since all of it stands as before it, is passed over. */
const turning =
  (way: 'undo' | 'redo'): StateCommand =>
  ({ state, dispatch }) => {
    let now = state
    const take = (transaction: Transaction) => {
      dispatch(transaction)
      now = transaction.state
    }
    for (;;) {
      const last = now.field(woven, false)
      const step = (way === 'undo' ? last?.done : last?.undone)?.at(-1)
      const isLeft = step && last ? step.overtakenAt !== undefined || names(last.weave, step.id) : undefined
      const isTurned = turn(way, now, take)
      if (!isTurned || isLeft !== false) return isTurned || now !== state
    }
  }

function turn(
  way: 'undo' | 'redo',
  state: EditorState,
  dispatch: (transaction: Transaction) => void,
): boolean {
  const history = state.field(woven, false)
  if (!history || state.readOnly) return false
  const [from, to] = way === 'undo' ? [history.done, history.undone] : [history.undone, history.done]
  const step = from.at(-1)
  if (!step) return false
  const turned: Turn =
    way === 'undo'
      ? { undo: [step.id, ...step.tidied], redo: [] }
      : { undo: [...step.tidied], redo: [step.id] }
  const { weave, splices } = history.weave.turned(turned, readOf(state))
  const changes = ChangeSet.of(splices, state.doc.length)
  const after = step.after ?? pointsOf(history.weave, state.selection)
  const number = numberOf({ startState: state })
  const signs = history.isAlone ? [] : signsThatGo(state, history.weave, changes)
  const other = way === 'undo' ? 'redo' : 'undo'
  // What was parted before is to be parted again.
  const since = step.tidied.length > 0 ? step.since : { ...step.since, [other]: weave.nextId }
  const one = { ...step, after, numbers: [number], tidied: [], signs: [...step.signs, ...signs], since }
  const rest = from.slice(0, -1)
  const now: History = {
    ...history,
    ...{ weave, time: 0, changed: [], isMoved: false, isFresh: false },
    stood: withStood(history.stood, state),
    done: way === 'undo' ? rest : [...to, one],
    undone: way === 'undo' ? [...to, one] : rest,
  }
  const selected = way === 'undo' ? step.before : step.after
  const selection = selectionOf(weave, selected, changes.newLength) ?? placed(changes)
  const transaction = state.update({
    changes,
    ...(selection ? { selection } : {}),
    effects: [
      ...step.numbers.map((one) => takesBack.of(one)),
      toldStep.of({
        part: null,
        undone: turned.undo,
        redone: turned.redo,
        standing: [...standingOf(weave, turned.undo), ...backOf(history.weave, weave)],
      }),
    ],
    annotations: planned.of({ changes, history: now, turn: turned }),
    userEvent: way,
    scrollIntoView: true,
  })
  dispatch(transaction)
  if (history.isAlone || !transaction.docChanged) return true
  const isAsItStood = (text: Text) => history.stood.some((doc) => doc.eq(text))
  const steps = new Set([...turned.undo, ...turned.redo])
  const known = {
    steps,
    signs: new Set(step.signs),
    since: step.since[way],
    isAgain: way === 'redo',
    isAsItStood,
  }
  const tidied = tidying(transaction, history.weave, weave, known)
  if (tidied.empty) return true
  const id = tidyingFrom + numberOf({ startState: transaction.state })
  const spec = transaction.state.update({
    changes: tidied,
    effects: [tidies.of({ id, way }), toldStep.of({ part: id, undone: [], redone: [], standing: [] })],
    annotations: Transaction.addToHistory.of(false),
  })
  dispatch(spec)
  return true
}

const sign = /[*_~`[\]]/

/** Which letters that a change takes out are signs that mean something. */
function signsThatGo(state: EditorState, weave: Weave, changes: ChangeSet): number[] {
  let has = false
  changes.iterChangedRanges(
    (from, to) => (has ||= to - from < 2000 && sign.test(state.sliceDoc(from, to))),
    true,
  )
  if (!has) return []
  const places = new Set(signsAround(state, changes))
  const found: number[] = []
  changes.iterChangedRanges((from, to) => {
    for (let at = from; at < to; at++) if (places.has(at)) found.push(weave.lettersAt(at).behind!)
  }, true)
  return found
}

/** Where one sees what has changed. */
function placed(changes: ChangeSet): EditorSelection | null {
  let at: number | null = null
  changes.iterChangedRanges((_fromA, _toA, _fromB, toB) => (at = toB))
  return at === null ? null : EditorSelection.single(at)
}

/** Letters of these steps that stand, since others have written them as well. */
function standingOf(weave: Weave, steps: readonly number[]) {
  const found: { start: number; end: number; step: number }[] = []
  let place = 0
  for (const piece of weave.pieces) {
    if (!weave.stands(piece)) continue
    const step =
      piece.by.length > 1 && !piece.by.includes(first)
        ? piece.by.find((one) => steps.includes(one))
        : undefined
    if (step !== undefined) found.push({ start: place, end: place + piece.length, step })
    place += piece.length
  }
  return found
}

/** What comes back of one’s own letters, of which others may not have heard. */
function backOf(before: Weave, after: Weave) {
  const found: { start: number; end: number; step: number }[] = []
  let place = 0
  for (const piece of before.pieces) {
    if (!after.stands(piece)) continue
    const step = before.stands(piece)
      ? undefined
      : piece.by.find((one) => one > first && !after.undone.has(one))
    if (step !== undefined) found.push({ start: place, end: place + piece.length, step })
    place += piece.length
  }
  return found
}

export const undoWoven = turning('undo')
export const redoWoven = turning('redo')

export const undoDepth = (state: EditorState): number => state.field(woven, false)?.done.length ?? 0
export const redoDepth = (state: EditorState): number => state.field(woven, false)?.undone.length ?? 0

const known = new WeakMap<History, { undo: boolean; redo: boolean }>()

/** Which of undo and redo would change the text. */
export function turnable(history: History): { undo: boolean; redo: boolean } {
  // Nobody has taken any of it out.
  if (history.isAlone || history.isFresh)
    return { undo: history.done.length > 0, redo: history.undone.length > 0 }
  let found = known.get(history)
  if (!found) known.set(history, (found = lookedUp(history)))
  return found
}

function lookedUp({ weave, done, undone }: History) {
  const ids = (all: readonly Step[]) => new Set(all.map(({ id }) => id))
  const [doneIds, undoneIds] = [ids(done), ids(undone)]
  const found = { undo: false, redo: false }
  for (const { by, out } of weave.pieces) {
    const writes = by.filter((one) => !weave.undone.has(one))
    const takes = out.filter((one) => !weave.undone.has(one))
    if (takes.length === 0 && writes.length > 0) {
      found.undo ||= writes.length === 1 && doneIds.has(writes[0]!)
      found.redo ||= out.some((one) => undoneIds.has(one))
    } else if (takes.length === 0) found.redo ||= by.some((one) => undoneIds.has(one))
    else found.undo ||= writes.length > 0 && takes.length === 1 && doneIds.has(takes[0]!)
  }
  return found
}

/** Whether something is to be told of it. */
export const isTold = ({ docChanged, effects }: Transaction): boolean =>
  docChanged || effects.some((effect) => effect.is(toldStep))

/** Transactions that come at once are one. */
export function ownStepOf(transactions: readonly Transaction[]): OwnStep {
  const doings = transactions.map(doingOf)
  const [first] = transactions
  const doing = doings.find((one) => one === 'undo' || one === 'redo') ?? doings.at(-1) ?? 'typing'
  const told = transactions.flatMap(({ effects }) =>
    effects.flatMap((one) => (one.is(toldStep) ? [one.value] : [])),
  )
  const last = transactions.at(-1)
  const own = told.length > 0 ? told.at(-1)!.part : (last?.state.field(woven, false)?.done.at(-1)?.id ?? null)
  return {
    doing,
    number: first ? numberOf(first) : 0,
    goesOn:
      doing === 'typing' && first !== undefined && undoDepth(first.startState) === undoDepth(first.state),
    takesBack: transactions.flatMap(takenBackBy),
    part: doing === 'typing' || told.length > 0 ? own : null,
    undone: told.flatMap(({ undone }) => undone),
    redone: told.flatMap(({ redone }) => redone),
    standing: told.flatMap(({ standing }) => standing),
  }
}
