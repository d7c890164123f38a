import { history, historyKeymap, redo, undo } from '@codemirror/commands'
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
import { isRevival } from './revived.ts'

/** Undoing and redoing what was typed here, and nothing that came from elsewhere. */

/** Marks a change that wasn’t typed here. */
export const fromElsewhere = Annotation.define<boolean>()

/** The writer has just done something beside the text that changed it. */
export const stopUndo = StateEffect.define<null>()

/** Words that were deleted here, where that was, and where someone else’s change has put them back. */
interface Deletion {
  from: number
  to: number
  text: string
  revived: { from: number; to: number } | null
}

interface Own {
  deletions: readonly Deletion[]
  /** What was done last was done beside the text, which undo takes nothing of. */
  stops: boolean
}

const mostDeletions = 200
const goOn = StateEffect.define<null>()

const own = StateField.define<Own>({
  create: () => ({ deletions: [], stops: false }),
  update(value, transaction) {
    let { deletions, stops } = value
    for (const effect of transaction.effects) {
      if (effect.is(stopUndo)) stops = true
      else if (effect.is(goOn)) stops = false
    }
    if (transaction.docChanged) {
      const typed = transaction.annotation(Transaction.addToHistory) !== false
      if (typed) stops = false
      deletions = typed ? afterOwn(deletions, transaction) : afterOthers(deletions, transaction)
    }
    return stops === value.stops && deletions === value.deletions ? value : { deletions, stops }
  },
})

function moved(deletion: Deletion, changes: ChangeDesc): Deletion {
  const { revived } = deletion
  const range = (at: { from: number; to: number }) => ({
    from: changes.mapPos(at.from, -1),
    to: changes.mapPos(at.to, 1),
  })
  return {
    ...deletion,
    ...range(deletion),
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
    if (text !== newDoc.sliceString(fromB, toB)) fresh.push({ from: fromB, to: toB, text, revived: null })
  }, true)
  if (fresh.length === 0 && deletions.length === 0) return deletions
  const rest = deletions.filter((one) => !used.has(one)).map((one) => moved(one, changes))
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
  return deletions.map((deletion) => {
    const now = moved(deletion, changes)
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
function parted({ changes, startState, newDoc }: Transaction, deletions: readonly Deletion[]): ChangeSpec[] {
  const found: ChangeSpec[] = []
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    if (fromA !== toA) return
    const back = newDoc.sliceString(fromB, toB)
    const place = deletions.find(
      ({ from, to, text, revived }) => !revived && from < to && to === fromA && text === back,
    )
    if (!place) return
    const came = startState.doc.sliceString(place.from, place.to)
    const isBefore = newDoc.sliceString(fromB - came.length, fromB) === came
    if (!isBefore || isApart(came, back)) return
    // What came is moved, so that redo still finds what was brought back.
    found.push({ from: fromB - came.length, to: fromB })
    found.push({ from: toB, insert: separator(back, came) + came })
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
      const { deletions } = now.field(own, false) ?? { deletions: [] }
      const twice = doubled(next, deletions)
      const mended = twice.length > 0 ? twice : parted(next, deletions)
      dispatch(next)
      now = next.state
      if (mended.length === 0) return true
      const without = now.update({ changes: mended, annotations: Transaction.addToHistory.of(false) })
      dispatch(without)
      now = without.state
      if (!now.doc.eq(before)) return true
    }
  }

const undoTyped = step(undo)

/** After something done beside the text it only says so, and goes on with what was typed when it is asked again. */
export const undoOwn: StateCommand = (target) => {
  const { state, dispatch } = target
  if (!state.field(own, false)?.stops) return undoTyped(target)
  dispatch(state.update({ effects: goOn.of(null) }))
  return true
}

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
    EditorView.updateListener.of((update) => {
      if (update.transactions.some(({ effects }) => effects.some((effect) => effect.is(goOn)))) onStop()
    }),
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
