import { shortcuts } from '../../server/contract/shortcuts.ts'

/** Every formatting command’s name and shortcut: what the keymap, the toolbar, the palette and the help show. */
export const formatNames = {
  bold: { label: 'Bold', keys: shortcuts['format-bold'] },
  italic: { label: 'Italic', keys: shortcuts['format-italic'] },
  strike: { label: 'Strikethrough', keys: shortcuts['format-strike'] },
  code: { label: 'Code', keys: shortcuts['format-code'] },
  link: { label: 'Link', keys: shortcuts['format-link'] },
  heading1: { label: 'Heading 1', keys: shortcuts['format-heading1'] },
  heading2: { label: 'Heading 2', keys: shortcuts['format-heading2'] },
  heading3: { label: 'Heading 3', keys: shortcuts['format-heading3'] },
  ordered: { label: 'Numbered list', keys: shortcuts['format-ordered'] },
  bullets: { label: 'Bulleted list', keys: shortcuts['format-bullets'] },
  tasks: { label: 'Task list', keys: shortcuts['format-tasks'] },
  done: { label: 'Tick or untick a task', keys: shortcuts['format-done'] },
  quote: { label: 'Quote', keys: shortcuts['format-quote'] },
  undo: { label: 'Undo', keys: shortcuts['format-undo'] },
  redo: { label: 'Redo', keys: shortcuts['format-redo'] },
} as const

export type FormatName = keyof typeof formatNames

/** Whether a command is on or off at the cursor; the others do something once. */
export const isToggle = (name: FormatName): boolean => !['undo', 'redo', 'done'].includes(name)
