/** Every formatting command’s name and shortcut: what the keymap, the toolbar, the palette and the help show. */
export const formatNames = {
  bold: { label: 'Bold', keys: 'Mod-b' },
  italic: { label: 'Italic', keys: 'Mod-i' },
  strike: { label: 'Strikethrough', keys: 'Mod-Shift-x' },
  code: { label: 'Code', keys: 'Mod-e' },
  link: { label: 'Link', keys: 'Mod-Shift-k' },
  heading1: { label: 'Heading 1', keys: 'Mod-Alt-1' },
  heading2: { label: 'Heading 2', keys: 'Mod-Alt-2' },
  heading3: { label: 'Heading 3', keys: 'Mod-Alt-3' },
  ordered: { label: 'Numbered list', keys: 'Mod-Shift-7' },
  bullets: { label: 'Bulleted list', keys: 'Mod-Shift-8' },
  tasks: { label: 'Task list', keys: 'Mod-Shift-9' },
  done: { label: 'Tick or untick a task', keys: 'Mod-Enter' },
  quote: { label: 'Quote', keys: 'Mod-Shift-.' },
  undo: { label: 'Undo', keys: 'Mod-z' },
  redo: { label: 'Redo', keys: 'Mod-Shift-z' },
} as const

export type FormatName = keyof typeof formatNames
