import type { StateCommand } from '@codemirror/state'
import type { FormatName } from './format-names.ts'
import {
  toggleBulletList,
  toggleCode,
  toggleHeading,
  toggleLink,
  toggleOrderedList,
  toggleQuote,
  toggleTaskDone,
  toggleTaskList,
} from './formatting.ts'
import { toggleInline } from './inline-formatting.ts'
import { redoOwn, undoOwn } from './own-undo.ts'

/** What each formatting command does. */
export const formats: Record<FormatName, StateCommand> = {
  bold: toggleInline('**'),
  italic: toggleInline('*'),
  strike: toggleInline('~~'),
  code: toggleCode,
  link: toggleLink,
  heading1: toggleHeading(1),
  heading2: toggleHeading(2),
  heading3: toggleHeading(3),
  ordered: toggleOrderedList,
  bullets: toggleBulletList,
  tasks: toggleTaskList,
  done: toggleTaskDone,
  quote: toggleQuote,
  undo: undoOwn,
  redo: redoOwn,
}
