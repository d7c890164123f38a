import { history, historyKeymap, isolateHistory, redo, undo } from '@codemirror/commands'
import {
  Annotation,
  MapMode,
  Prec,
  StateEffect,
  StateField,
  Transaction,
  type ChangeDesc,
  type ChangeSpec,
  type EditorState,
  type Extension,
  type StateCommand,
  type Text,
} from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { separator } from '../../server/domain/merge.ts'
import { textDiff } from '../../server/domain/diff/index.ts'
import type { Range } from '../../server/contract/records/anchors.ts'
import { followTaken, withTaken, type TakenWords } from '../../server/domain/taken-words.ts'
import {
  afterDoing,
  allOf,
  isWrittenOver,
  notToReturn,
  takenOutAgain,
  type NotToReturn,
} from './not-to-return.ts'
import { isRevival } from './revived.ts'
import { undoBeside, undoingBeside } from './undo-beside.ts'

/** Undoing and redoing what was typed here, and nothing that came from elsewhere. */

/** Marks a change that wasn’t typed here. */
export const fromElsewhere = Annotation.define<boolean>()

/** Words that were deleted here, where that was, and where someone else’s change has put them back. */
interface Deletion {
  from: number
  to: number
  text: string
  /** What was put in their place here. */
  put: { from: number; to: number }
  revived: { from: number; to: number } | null
}

/**
 * White space that was put between deleted words that came back and words that came to their place meanwhile. It goes
 * with the former, and is empty while they are away.
 */
interface Gap {
  from: number
  to: number
  text: string
  /** The words that came continue the one before the gap while the deleted ones are away. */
  isWithinWord: boolean
}

/** What a step of the history is followed by: gaps are where they stand after it. */
interface Mend {
  changes: ChangeSpec[]
  gaps: Gap[]
}

interface Own {
  deletions: readonly Deletion[]
  gaps: readonly Gap[]
  /** Words that were taken out here and aren’t this writer’s to bring back. */
  taken: readonly NotToReturn[]
}

/** How words that came met those that were written here, in the text that they leave. */
export interface MetWords {
  /** What both took out. */
  taken?: readonly TakenWords[]
  /** White space that was put between one’s own words and what came behind them. */
  gaps?: readonly Range[]
}

const mostDeletions = 200
const putGap = StateEffect.define<Gap>()
const newGap = StateEffect.define<Range>()
const takenElsewhere = StateEffect.define<readonly TakenWords[]>()
/** What is left of these. */
const leftOfTaken = StateEffect.define<readonly NotToReturn[]>()

/** What says of a change that it comes from elsewhere, and how it met what was written here. */
export function metHere(
  state: EditorState,
  changes: ChangeDesc,
  { taken = [], gaps = [] }: MetWords,
): { effects: StateEffect<unknown>[]; annotations: Annotation<unknown>[] } {
  const effects = [
    ...(taken.length > 0 ? [takenElsewhere.of(taken)] : []),
    ...gaps.map(({ start, end }) => newGap.of({ start, end })),
  ]
  const { deletions } = state.field(own, false) ?? nothing
  // What is written from here on isn’t one step with what can’t be undone as it was.
  const isMet = effects.length > 0 || deletions.some(({ put }) => isWrittenOver(put, changes))
  const step = isMet ? [isolateHistory.of('before')] : []
  return { effects, annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false), ...step] }
}

const nothing: Own = { deletions: [], gaps: [], taken: [] }

const own = StateField.define<Own>({
  create: () => ({ deletions: [], gaps: [], taken: [] }),
  update(value, transaction) {
    let { deletions, gaps, taken } = value
    for (const effect of transaction.effects) if (effect.is(leftOfTaken)) taken = effect.value
    if (transaction.docChanged) taken = takenAfter(taken, deletions, transaction)
    if (transaction.docChanged && gaps.length > 0) gaps = gaps.flatMap((gap) => movedGap(gap, transaction))
    for (const effect of transaction.effects) {
      const gap = effect.is(putGap)
        ? effect.value
        : effect.is(newGap)
          ? gapAt(effect.value, transaction)
          : null
      if (gap) {
        const rest = gaps.filter(({ from, to }) => to < gap.from || from > gap.to)
        gaps = [...rest, gap].slice(-mostDeletions)
      } else if (effect.is(takenElsewhere))
        taken = withTaken(taken, effect.value.map(notToReturn)).slice(-mostDeletions)
    }
    if (transaction.docChanged) {
      deletions = isTyped(transaction)
        ? afterOwn(deletions, transaction)
        : afterOthers(deletions, transaction)
    }
    const isSame = deletions === value.deletions && gaps === value.gaps && taken === value.taken
    return isSame ? value : { deletions, gaps, taken }
  },
})

const gapAt = ({ start, end }: Range, { newDoc }: Transaction): Gap => ({
  ...{ from: start, to: end, text: newDoc.sliceString(start, end) },
  isWithinWord: false,
})

/** Where a gap is after a change, unless that was one of a part of it. It may go with words here, and come back with them. */
function movedGap(gap: Gap, transaction: Transaction): Gap[] {
  const { changes, newDoc } = transaction
  const from = changes.mapPos(gap.from, 1)
  const to = gap.from === gap.to ? from : changes.mapPos(gap.to, -1)
  const start = from - gap.text.length
  const comesBack = gap.from === gap.to && isByHistory(transaction) && changes.mapPos(gap.from, -1) < start
  if (comesBack && newDoc.sliceString(start, from) === gap.text) return [{ ...gap, from: start, to: from }]
  const isGone = to <= from && isTyped(transaction)
  if (isGone) return [{ ...gap, from: to, to }]
  return to - from === gap.to - gap.from ? [{ ...gap, from, to }] : []
}

/** Whether undo or redo has made it. */
export const isByHistory = (transaction: Transaction) =>
  transaction.isUserEvent('undo') || transaction.isUserEvent('redo')

const isTyped = (transaction: Transaction) => transaction.annotation(Transaction.addToHistory) !== false

/** Where words stand that aren’t this writer’s to bring back: also those that others have written over since. */
function takenAfter(
  taken: readonly NotToReturn[],
  deletions: readonly Deletion[],
  transaction: Transaction,
): readonly NotToReturn[] {
  const { changes } = transaction
  if (isTyped(transaction)) return taken.map((one) => afterDoing(one, transaction))
  const over = deletions.filter(({ put }) => isWrittenOver(put, changes))
  if (over.length === 0 && taken.length === 0) return taken
  const all = [...taken, ...over.map((one) => allOf(one.text, one))]
  return all.map((one) => followTaken(one, changes)).slice(-mostDeletions)
}

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

function afterOwn(deletions: readonly Deletion[], { changes, startState, newDoc }: Transaction) {
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
  const rest = deletions.filter((one) => !used.has(one)).map((one) => moved(one, changes, true))
  return [...rest, ...fresh].slice(-mostDeletions).sort((a, b) => a.from - b.from)
}

function afterOthers(deletions: readonly Deletion[], { changes, newDoc }: Transaction) {
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
  return left.map((deletion) => {
    const now = moved(deletion, changes, false)
    if (now.revived) return now
    const revived = came.find(
      (range) => touch(newDoc, range, now) && isRevival(now.text, newDoc.sliceString(range.from, range.to)),
    )
    return revived ? { ...now, revived } : now
  })
}

/** Whether nothing but white space lies between. */
function touch(doc: Text, a: { from: number; to: number }, b: { from: number; to: number }): boolean {
  const from = Math.min(a.to, b.to)
  const to = Math.max(a.from, b.from)
  return to <= from || (to - from < 8 && doc.sliceString(from, to).trim() === '')
}

/**
 * What takes out again the words that a step of the history put beside the same words. Those of them that are not there
 * go where they belong.
 */
function doubled({ changes, newDoc }: Transaction, deletions: readonly Deletion[]): ChangeSpec[] {
  const found: ChangeSpec[] = []
  changes.iterChangedRanges((_fromA, _toA, from, to) => {
    if (from === to) return
    const text = newDoc.sliceString(from, to)
    for (const { revived, text: deleted } of deletions) {
      if (!revived || !deleted.includes(text)) continue
      const start = changes.mapPos(revived.from, 1)
      const end = Math.max(start, changes.mapPos(revived.to, -1))
      if (!touch(newDoc, { from, to }, { from: start, to: end })) continue
      found.push({ from, to })
      if (text !== deleted) return
      for (const { fromA, fromB, toB } of textDiff(newDoc.sliceString(start, end).trimEnd(), text.trim())) {
        if (fromB < toB) found.push({ from: start + fromA, insert: text.trim().slice(fromB, toB) })
      }
      return
    }
  }, true)
  return found
}

/**
 * What puts deleted words that a step of the history brought back on the right side of words that came to their place
 * meanwhile: the history puts them behind those, wherever they stood. Where the white space between them doesn’t tell,
 * what was here goes first, as in a merge.
 */
function parted({ changes, startState, newDoc }: Transaction, deletions: readonly Deletion[]): Mend {
  const found: Mend = { changes: [], gaps: [] }
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    if (fromA !== toA) return
    const back = newDoc.sliceString(fromB, toB)
    const place = deletions.find(
      ({ from, to, text, revived }) => !revived && from < to && to === fromA && text === back,
    )
    if (!place) return
    const came = startState.doc.sliceString(place.from, place.to)
    const start = fromB - came.length
    if (newDoc.sliceString(start, fromB) !== came) return
    const sides = {
      before: newDoc.sliceString(Math.max(0, start - 2), start),
      after: newDoc.sliceString(toB, toB + 2),
    }
    if (!goesFirst(back, came, sides)) return
    const gap = continuesWord(back, came, sides) ? '' : separator(back, came)
    // What came is moved, so that redo still finds what was brought back.
    found.changes.push({ from: start, to: fromB })
    found.changes.push({ from: toB, insert: gap + came })
    if (gap) {
      const from = toB - came.length
      found.gaps.push({ from, to: from + gap.length, text: gap, isWithinWord: isGlued(sides.before, came) })
    }
  }, true)
  return found
}

/** Whether what was here goes before what came. */
function goesFirst(back: string, came: string, sides: Sides): boolean {
  if (isApart(came, back)) return false
  if (!isGlued(back, came) || continuesWord(back, came, sides)) return true
  if (continuesWord(came, back, sides)) return false
  // The beginning of a word goes back to its end, if that has got no other beginning.
  return !isGlued(back, sides.after) || isGlued(came, back)
}

interface Sides {
  before: string
  after: string
}

/** Whether two texts that meet are in one word that both of them stood in. */
function continuesWord(first: string, second: string, { before, after }: Sides): boolean {
  return (
    (isWord(first) && isGlued(before, first) && isGlued(before, second)) ||
    (isWord(second) && isGlued(first, after) && isGlued(second, after))
  )
}

const isWord = (text: string) => /^[\p{L}\p{N}\p{M}_'’]+$/u.test(text)

/** Whether the words at the ends of two texts that meet become one. */
const isGlued = (before: string, after: string) => separator(before, after) !== ''

/**
 * What closes the gaps behind words that a step of the history took away again, and opens those behind words that it
 * brought back.
 */
function gapsMended(
  { changes, newDoc }: Pick<Transaction, 'changes' | 'newDoc'>,
  gaps: readonly Gap[],
): Mend {
  const found: Mend = { changes: [], gaps: [] }
  if (gaps.length === 0) return found
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    for (const gap of gaps) {
      const isOpen = gap.from < gap.to
      if (gap.from !== toA || isOpen === (fromA === toA)) continue
      const before = newDoc.sliceString(Math.max(0, toB - 2), toB)
      const end = toB + gap.to - gap.from
      const isGluedNow = isGlued(before, newDoc.sliceString(end, end + 2))
      if (isOpen && fromB === toB && newDoc.sliceString(toB, end) === gap.text) {
        if (isGluedNow && !gap.isWithinWord) continue
        found.changes.push({ from: toB, to: end })
        found.gaps.push({ ...gap, from: toB, to: toB })
      } else if (!isOpen && isGluedNow) {
        found.changes.push({ from: toB, insert: gap.text })
        found.gaps.push({ ...gap, from: toB, to: toB + gap.text.length })
      }
    }
  }, true)
  return found
}

/** Whether white space lies between. */
const isApart = (before: string, after: string) => /\s$/.test(before) || /^\s/.test(after)

/**
 * A step of the history that leaves out words which are there already, and puts others where they were; one of nothing
 * else is passed over.
 */
const step =
  (command: StateCommand): StateCommand =>
  ({ state, dispatch }) => {
    let now: EditorState = state
    let stepped = false
    for (;;) {
      let next: Transaction | undefined
      command({ state: now, dispatch: (transaction) => (next = transaction) })
      if (!next) return stepped
      stepped = true
      const before = now.doc
      const { deletions, gaps, taken } = now.field(own, false) ?? nothing
      const kept = takenOutAgain(next, taken)
      dispatch(next)
      now = next.state
      let made: Pick<Transaction, 'changes' | 'newDoc'> = next
      if (kept.changes.length > 0) {
        const without = now.update({
          changes: kept.changes,
          effects: leftOfTaken.of(kept.left.map((one) => afterDoing(one, next!))),
          annotations: Transaction.addToHistory.of(false),
        })
        dispatch(without)
        now = without.state
        made = { changes: next.changes.compose(without.changes), newDoc: now.doc }
      }
      const mended = (
        made === next
          ? [{ changes: doubled(next, deletions), gaps: [] }, parted(next, deletions), gapsMended(next, gaps)]
          : [gapsMended(made, gaps)]
      ).find(({ changes }) => changes.length > 0)
      if (mended) {
        const without = now.update({
          changes: mended.changes,
          effects: mended.gaps.map((gap) => putGap.of(gap)),
          annotations: Transaction.addToHistory.of(false),
        })
        dispatch(without)
        now = without.state
      } else if (made === next) return true
      // Where the words are another’s to bring back it does nothing, rather than take back something elsewhere.
      if (made !== next || !now.doc.eq(before)) return true
    }
  }

const undoTyped = step(undo)

/** After something done beside the text it only says so, and goes on with what was typed when it is asked again. */
export const undoOwn: StateCommand = (target) => undoBeside(target) || undoTyped(target)

export const redoOwn = step(redo)

export const ownUndoKeymap = historyKeymap.map((binding) =>
  binding.run === undo
    ? { ...binding, run: undoOwn }
    : binding.run === redo
      ? { ...binding, run: redoOwn }
      : binding,
)

/** `onStop` is called where the writer might expect that undo takes back what was done beside the text. */
export function ownHistory(onStop: () => void): Extension {
  return [
    own,
    history(),
    undoingBeside(onStop),
    // From the browser’s own menus.
    Prec.high(
      EditorView.domEventHandlers({
        beforeinput(event, view) {
          if (event.inputType !== 'historyUndo' && event.inputType !== 'historyRedo') return false
          event.preventDefault()
          return event.inputType === 'historyUndo' ? undoOwn(view) : redoOwn(view)
        },
      }),
    ),
  ]
}
