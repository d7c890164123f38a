import { redo, undo } from '@codemirror/commands'
import type { StateCommand } from '@codemirror/state'
import {
  toggleBulletList,
  toggleCode,
  toggleHeading,
  toggleInline,
  toggleLink,
  toggleOrderedList,
  toggleQuote,
  toggleTaskDone,
  toggleTaskList,
} from './formatting.ts'

export interface Format {
  label: string
  keys: string
  run: StateCommand
}

/** Every formatting command with its shortcut: what the keymap, the toolbar, the palette and the help show. */
export const formats = {
  bold: { label: 'Bold', keys: 'Mod-b', run: toggleInline('**') },
  italic: { label: 'Italic', keys: 'Mod-i', run: toggleInline('*') },
  strike: { label: 'Strikethrough', keys: 'Mod-Shift-x', run: toggleInline('~~') },
  code: { label: 'Code', keys: 'Mod-e', run: toggleCode },
  link: { label: 'Link', keys: 'Mod-Shift-k', run: toggleLink },
  heading1: { label: 'Heading 1', keys: 'Mod-Alt-1', run: toggleHeading(1) },
  heading2: { label: 'Heading 2', keys: 'Mod-Alt-2', run: toggleHeading(2) },
  heading3: { label: 'Heading 3', keys: 'Mod-Alt-3', run: toggleHeading(3) },
  ordered: { label: 'Numbered list', keys: 'Mod-Shift-7', run: toggleOrderedList },
  bullets: { label: 'Bulleted list', keys: 'Mod-Shift-8', run: toggleBulletList },
  tasks: { label: 'Task list', keys: 'Mod-Shift-9', run: toggleTaskList },
  done: { label: 'Tick or untick a task', keys: 'Mod-Enter', run: toggleTaskDone },
  quote: { label: 'Quote', keys: 'Mod-Shift-.', run: toggleQuote },
  undo: { label: 'Undo', keys: 'Mod-z', run: undo },
  redo: { label: 'Redo', keys: 'Mod-Shift-z', run: redo },
} as const satisfies Record<string, Format>

export type FormatName = keyof typeof formats
