import {
  copyLineDown,
  copyLineUp,
  defaultKeymap,
  deleteGroupBackward,
  deleteGroupForward,
  indentLess,
  indentMore,
  insertBlankLine,
  insertNewlineAndIndent,
  moveLineDown,
  moveLineUp,
  splitLine,
  transposeChars,
} from '@codemirror/commands'
import type { StateCommand } from '@codemirror/state'
import type { Command } from '@codemirror/view'
import { moveLinesDown, moveLinesUp } from '../move-lines.ts'
import { asItReads } from './reading.ts'

/** Those of the keys everybody knows that change more than where the cursor is, or take lines elsewhere. */
export const editCommands: readonly StateCommand[] = [
  ...[
    copyLineDown,
    copyLineUp,
    moveLinesDown,
    moveLinesUp,
    splitLine,
    insertBlankLine,
    insertNewlineAndIndent,
  ],
  ...[indentMore, indentLess, deleteGroupBackward, deleteGroupForward, transposeChars],
]
const reading = new Map<Command, Command>([
  ...editCommands.map((command) => [command, asItReads(command)] as const),
  [moveLineDown, asItReads(moveLinesDown)],
  [moveLineUp, asItReads(moveLinesUp)],
])
const read = (command: Command | undefined) => command && (reading.get(command) ?? command)

/** What they do to the text as it reads. */
export const editKeymap = defaultKeymap.map((binding) => ({
  ...binding,
  ...(binding.run ? { run: read(binding.run)! } : {}),
  ...(binding.shift ? { shift: read(binding.shift)! } : {}),
}))
