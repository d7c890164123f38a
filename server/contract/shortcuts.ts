/**
 * The shortcuts that pages listen for themselves, by their commands' ids: one place, so that the desktop's menus show
 * the same ones. `Mod` is Command on Apple's machines, Control elsewhere.
 */
export const shortcuts = {
  palette: 'Mod-k',
  open: 'Mod-o',
  save: 'Mod-s',
  export: 'Mod-Shift-s',
  print: 'Mod-p',
  'copy-formatted': 'Mod-Shift-c',
  find: 'Mod-f',
  comment: 'Mod-Alt-m',
  panel: 'Mod-\\',
  outline: 'Mod-Shift-o',
  reading: 'Mod-Shift-e',
  focus: 'Mod-Shift-f',
  'format-bold': 'Mod-b',
  'format-italic': 'Mod-i',
  'format-strike': 'Mod-Shift-x',
  'format-code': 'Mod-e',
  'format-link': 'Mod-Shift-k',
  'format-heading1': 'Mod-Alt-1',
  'format-heading2': 'Mod-Alt-2',
  'format-heading3': 'Mod-Alt-3',
  'format-ordered': 'Mod-Shift-7',
  'format-bullets': 'Mod-Shift-8',
  'format-tasks': 'Mod-Shift-9',
  'format-done': 'Mod-Enter',
  'format-quote': 'Mod-Shift-.',
  'format-undo': 'Mod-z',
  'format-redo': 'Mod-Shift-z',
} as const
