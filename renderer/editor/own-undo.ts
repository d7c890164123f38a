import { history, historyField, historyKeymap, isolateHistory, redo, undo } from '@codemirror/commands'
import {
  Prec,
  StateEffect,
  StateField,
  Transaction,
  type Annotation,
  type ChangeDesc,
  type EditorState,
  type Extension,
  type StateCommand,
} from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import type { Range } from '../../server/contract/records/anchors.ts'
import type { AlikeWords } from '../../server/contract/records/changes.ts'
import type { SetApart } from '../../server/domain/merged.ts'
import { followTaken, withTaken, type TakenWords } from '../../server/domain/taken-words.ts'
import { alikeAfter, alikeMended, nothingAlike, putAlike, type KnownAlike } from './alike-words.ts'
import { bringsBack, keepAsItWas, meets } from './as-it-was.ts'
import { marksAfter, marksMended, noMarks, type OthersMarks } from './empty-marks.ts'
import { seamsAfter, seamsMended, seamsTakenBack, type SeamPart } from './block-seams.ts'
import { fromElsewhere } from './from-elsewhere.ts'
import { leftLinesAfter, leftLinesMended, newLeftLine, type LeftLine } from './left-lines.ts'
import { allOf, isWrittenOver, takenOutAgain } from './not-to-return.ts'
import { afterOthers, afterOwn, type Deletion } from './own-deletions.ts'
import { isTyped, numberedSteps, numberOf, takenBackBy } from './own-steps.ts'
import { noOrphans, orphansAfter, orphansMended, type Orphans } from './orphaned-marks.ts'
import { ownWords, putWhole, wholeWords, type MadeByStep } from './returned-own.ts'
import { doubled, parted } from './returned-words.ts'
import { nothingTorn, redoneOnce, standInsMended, tornAfter, type Torn } from './stand-ins.ts'
import { edgesAfter, edgesMended, type Edge } from './taken-edges.ts'
import { redoOther, undoBeside, undoingBeside, undoOther } from './undo-beside.ts'
import { gapsAfter, gapsMended, newGap, type Gap, type Mend } from './undo-gaps.ts'

/** Undoing and redoing what was typed here, and nothing that came from elsewhere. */

export { fromElsewhere }

interface Own {
  deletions: readonly Deletion[]
  gaps: readonly Gap[]
  lines: readonly LeftLine[]
  /** Words that were taken out here and aren’t this writer’s to bring back. */
  taken: readonly TakenWords[]
  torn: Torn
  edges: readonly Edge[]
  seams: readonly SeamPart[]
  marks: OthersMarks
  alike: KnownAlike
  orphans: Orphans
}

/** How words that came met those that were written here, in the text that they leave. */
export interface MetWords {
  /** What both took out. */
  taken?: readonly TakenWords[]
  /** What was put between one’s own words and what came before or behind them. */
  gaps?: readonly SetApart[]
  /** What one’s own side put in where both changed a passage: in whole words, of which letters may have gone. */
  put?: readonly Range[]
  /** What others put in alike, and stands once, and whether they stand by it. */
  alike?: readonly AlikeWords[]
  /** What came, change by change, where several are made one: that has what touches in one piece, with no places inside. */
  inTurn?: readonly ChangeDesc[]
}

const mostTaken = 200
const takenElsewhere = StateEffect.define<readonly TakenWords[]>()
/** What is left of these. */
const leftOfTaken = StateEffect.define<readonly TakenWords[]>()

/** What says of a change that it comes from elsewhere, and how it met what was written here. */
export function metHere(
  state: EditorState,
  changes: ChangeDesc,
  { taken = [], gaps = [], put = [], alike = [], inTurn = [changes] }: MetWords,
): { effects: StateEffect<unknown>[]; annotations: Annotation<unknown>[] } {
  const { deletions } = state.field(own, false) ?? nothing
  // What came may stand on either side.
  const cuts = deletions.flatMap(({ from, numbers }) =>
    [-1, 1].map((side) => ({
      at: inTurn.reduce((at, one) => one.mapPos(at, side), from),
      number: numbers.at(-1)!,
    })),
  )
  const effects = [
    ...(taken.length > 0 ? [takenElsewhere.of(taken)] : []),
    ...gaps.map(({ start, end, isBefore }) => (isBefore ? newLeftLine : newGap).of({ start, end })),
    ...(put.length > 0 ? [putWhole.of({ ranges: put, cuts })] : []),
    ...(alike.length > 0 ? [putAlike.of(alike)] : []),
  ]
  // What is written from here on isn’t one step with what can’t be undone as it was.
  const isMet = effects.length > 0 || deletions.some(({ put }) => isWrittenOver(put, changes))
  const step = isMet ? [isolateHistory.of('before')] : []
  const annotations = [
    fromElsewhere.of(true),
    Transaction.addToHistory.of(false),
    meets.of(effects.length > 0),
  ]
  return { effects, annotations: [...annotations, ...step] }
}

const nothing: Own = {
  ...{ deletions: [], gaps: [], lines: [], taken: [], edges: [], seams: [] },
  ...{ torn: nothingTorn, marks: noMarks, alike: nothingAlike, orphans: noOrphans },
}

const own = StateField.define<Own>({
  create: () => nothing,
  update(value, transaction) {
    let { deletions, taken, torn } = value
    for (const effect of transaction.effects) if (effect.is(leftOfTaken)) taken = effect.value
    if (transaction.docChanged) taken = takenAfter(taken, deletions, transaction)
    const gaps = gapsAfter(value.gaps, transaction)
    const lines = leftLinesAfter(value.lines, transaction)
    for (const effect of transaction.effects)
      if (effect.is(takenElsewhere)) {
        const since = numberOf(transaction)
        const more = effect.value.map((one) => (one.numbers ? one : { ...one, since }))
        taken = withTaken(taken, more).slice(-mostTaken)
      }
    const isFromElsewhere = transaction.annotation(fromElsewhere) === true
    const edges = edgesAfter(value.edges, deletions, torn.came, transaction, isFromElsewhere)
    const marks = marksAfter(value.marks, transaction, isFromElsewhere)
    if (transaction.docChanged) {
      deletions = isTyped(transaction)
        ? afterOwn(deletions, transaction)
        : afterOthers(deletions, transaction)
      torn = tornAfter(torn, transaction, isFromElsewhere)
    }
    const alike = alikeAfter(value.alike, transaction)
    const seams = seamsAfter(value.seams, transaction)
    const orphans = orphansAfter(value.orphans, transaction)
    const now: Own = { deletions, gaps, lines, taken, torn, edges, seams, marks, alike, orphans }
    const parts = Object.keys(now) as (keyof Own)[]
    return parts.every((part) => now[part] === value[part]) ? value : now
  },
})

/** Where words stand that aren’t this writer’s to bring back: also those that others have written over since. */
function takenAfter(
  taken: readonly TakenWords[],
  deletions: readonly Deletion[],
  transaction: Transaction,
): readonly TakenWords[] {
  const { changes } = transaction
  if (isTyped(transaction)) return taken.map((one) => followTaken(one, changes))
  const over = deletions.filter(({ put }) => isWrittenOver(put, changes))
  if (over.length === 0 && taken.length === 0) return taken
  const all = [...taken, ...over.map((one) => allOf(one.text, one))]
  return all.map((one) => followTaken(one, changes)).slice(-mostTaken)
}

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
      const { deletions, gaps, lines, taken, torn, edges, seams, marks, alike } =
        now.field(own, false) ?? nothing
      const kept = takenOutAgain(next, taken)
      dispatch(next)
      if (bringsBack(next)) return true
      now = next.state
      let made: MadeByStep = next
      const mend = ({ changes, effects }: Mend) => {
        if (changes.length === 0) return
        const mended = now.update({ changes, effects, annotations: Transaction.addToHistory.of(false) })
        dispatch(mended)
        now = mended.state
        const { startState } = made
        made = { startState, changes: made.changes.compose(mended.changes), newDoc: now.doc }
      }
      const isAny = ({ changes }: Mend) => changes.length > 0
      const left = kept.left.map((one) => followTaken(one, next!.changes))
      mend({ changes: kept.changes, effects: [leftOfTaken.of(left)] })
      const whole = wholeWords(next, made, taken)
      mend(whole)
      const both = alikeMended(next, made, numberOf(next), alike)
      mend(both)
      const first = kept.changes.length > 0 || isAny(whole) || isAny(both)
      mend(marksMended(next, made, marks))
      const leftLines = leftLinesMended(next, made, lines)
      mend(leftLines)
      const gap = gapsMended(next, made, gaps)
      const mended = [
        ...(made === next
          ? [
              redoneOnce(next, torn),
              { changes: doubled(next, deletions), effects: [] },
              parted(next, deletions),
            ]
          : []),
        gap,
        standInsMended(made, torn),
        edgesMended(made, edges),
      ].find(isAny)
      if (mended) mend(mended)
      mend(seamsTakenBack(next, made, seams))
      // What a merge has made of a line goes as it came.
      if (!isAny(leftLines) && mended !== gap) mend(seamsMended(next, made, torn))
      // What the other mends have moved is known where it is now.
      mend(orphansMended(next, made, now, now.field(own, false)?.orphans ?? noOrphans))
      // Where the words are another’s to bring back it does nothing, rather than take back something elsewhere.
      if (first || made === next || !now.doc.eq(before)) return true
    }
  }

const undoTyped = step(undo)

/** After something done beside the text it only says so, and goes on with what was typed when it is asked again. */
export const undoOwn: StateCommand = (target) => undoBeside(target) || undoOther(target) || undoTyped(target)

const redoTyped = step(redo)

export const redoOwn: StateCommand = (target) => redoOther(target) || redoTyped(target)

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
    ownWords,
    history(),
    ...[keepAsItWas(own), keepAsItWas(ownWords), keepAsItWas(historyField)],
    numberedSteps((transaction) => transaction.docChanged || takenBackBy(transaction).length > 0),
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
