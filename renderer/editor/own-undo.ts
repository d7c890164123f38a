import { redo, undo } from '@codemirror/commands'
import {
  Prec,
  Transaction,
  type Annotation,
  type Extension,
  type StateCommand,
  type StateEffect,
} from '@codemirror/state'
import { EditorView, type KeyBinding } from '@codemirror/view'
import type { TakenWords } from '../../server/domain/taken-words.ts'
import type { MetSteps } from '../../server/domain/shared-text.ts'
import { fromElsewhere } from './from-elsewhere.ts'
import { counted } from './own-steps.ts'
import { redoOther, undoBeside, undoingBeside, undoOther } from './undo-beside.ts'
import { came, joins, redoWoven, takenToo, undoWoven, woven, type Joins } from './weave/history.ts'

/** Undoing and redoing what was typed here, and nothing that came from elsewhere. */

export { fromElsewhere }

/** How words that came met those that were written here, in the text that they leave. */
export interface MetWords {
  /** What both took out. */
  taken?: readonly TakenWords[]
  /** Which steps of others are in it. */
  steps?: MetSteps | undefined
  /** How it was merged, where it was. */
  joined?: Joins | undefined
}

/** What says of a change that it comes from elsewhere, and how it met what was written here. */
export function metHere({ taken = [], steps, joined }: MetWords): {
  effects: StateEffect<unknown>[]
  annotations: Annotation<unknown>[]
} {
  return {
    effects: [
      ...(taken.length > 0 ? [takenToo.of(taken)] : []),
      ...(steps ? [came.of(steps)] : []),
      ...(joined ? [joins.of(joined)] : []),
    ],
    annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false)],
  }
}

/** After something done beside the text it only says so, and goes on with what was typed when it is asked again. */
export const undoOwn: StateCommand = (target) =>
  undoBeside(target) || undoOther(target) || undoWoven(target) || undo(target)

export const redoOwn: StateCommand = (target) => redoOther(target) || redoWoven(target) || redo(target)

export const ownUndoKeymap: readonly KeyBinding[] = [
  { key: 'Mod-z', run: undoOwn, preventDefault: true },
  { key: 'Mod-y', mac: 'Mod-Shift-z', run: redoOwn, preventDefault: true },
  { linux: 'Ctrl-Shift-z', run: redoOwn, preventDefault: true },
]

/** `onStop` is called where the writer might expect that undo takes back what was done beside the text. */
export function ownHistory(onStop: () => void): Extension {
  return [
    counted,
    woven,
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
