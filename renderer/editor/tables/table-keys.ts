import type { KeyBinding } from '@codemirror/view'
import { asItReads } from '../suggesting/reading.ts'
import { editTable } from './table-commands.ts'

/** Keys for what the bar at a table does, as it shows them. */
export const tableShortcuts = {
  rowUp: 'Alt-ArrowUp',
  rowDown: 'Alt-ArrowDown',
  columnBack: 'Alt-Shift-ArrowLeft',
  columnForth: 'Alt-Shift-ArrowRight',
} as const

/** On Apple’s machines Option with arrows goes by words. */
export const tableKeys: readonly KeyBinding[] = [
  { key: tableShortcuts.rowUp, run: asItReads(editTable('rowUp')) },
  { key: tableShortcuts.rowDown, run: asItReads(editTable('rowDown')) },
  { key: tableShortcuts.columnBack, mac: 'Ctrl-Shift-ArrowLeft', run: asItReads(editTable('columnBack')) },
  { key: tableShortcuts.columnForth, mac: 'Ctrl-Shift-ArrowRight', run: asItReads(editTable('columnForth')) },
]
