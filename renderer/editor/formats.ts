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
import { asItReads } from './suggesting/reading.ts'

/** What each formatting command does. */
export const formats: Record<FormatName, StateCommand> = {
  bold: asItReads(toggleInline('**')),
  italic: asItReads(toggleInline('*')),
  strike: asItReads(toggleInline('~~')),
  code: asItReads(toggleCode),
  link: asItReads(toggleLink),
  heading1: asItReads(toggleHeading(1)),
  heading2: asItReads(toggleHeading(2)),
  heading3: asItReads(toggleHeading(3)),
  ordered: asItReads(toggleOrderedList),
  bullets: asItReads(toggleBulletList),
  tasks: asItReads(toggleTaskList),
  done: asItReads(toggleTaskDone),
  quote: asItReads(toggleQuote),
  undo: undoOwn,
  redo: redoOwn,
}
