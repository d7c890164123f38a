import { moveLineDown, moveLineUp } from '@codemirror/commands'
import {
  EditorSelection,
  type ChangeSpec,
  type EditorState,
  type Line,
  type StateCommand,
} from '@codemirror/state'
import { isSuggesting } from './suggesting/own-suggestions.ts'

/** Lines that are moved as one. */
interface MovedBlock {
  from: number
  to: number
}

function selectedBlocks({ doc, selection }: EditorState): MovedBlock[] {
  const blocks: MovedBlock[] = []
  for (const range of selection.ranges) {
    const first = doc.lineAt(range.from)
    let last = doc.lineAt(range.to)
    // A selection that ends at the start of a line doesn’t mean that line.
    if (!range.empty && range.to === last.from) last = doc.line(last.number - 1)
    const before = blocks.at(-1)
    if (before && before.to >= first.from - 1) before.to = Math.max(before.to, last.to)
    else blocks.push({ from: first.from, to: last.to })
  }
  return blocks
}

/**
 * Takes lines out where they stand, and puts them in behind the line above those or below. The line’s end before them
 * goes with them, so that both are right at the end of another line, where others put their lines in.
 */
export function takenElsewhere(
  { doc }: EditorState,
  { from, to }: MovedBlock,
  beyond: Line,
  way: 'up' | 'down',
): ChangeSpec[] {
  const lines = doc.sliceString(from, to)
  const taken = from > 0 ? { from: from - 1, to } : { from, to: to + 1 }
  if (way === 'down') return [taken, { from: beyond.to, insert: `\n${lines}` }]
  return [
    beyond.from > 0 ? { from: beyond.from - 1, insert: `\n${lines}` } : { from: 0, insert: `${lines}\n` },
    taken,
  ]
}

/**
 * Moves the selected lines past the one above or below. Where one suggests, what is taken elsewhere are these, and not the
 * line that they pass, of which others may suggest something.
 */
const moveLines =
  (way: 'up' | 'down', otherwise: StateCommand): StateCommand =>
  ({ state, dispatch }) => {
    if (!isSuggesting(state)) return otherwise({ state, dispatch })
    if (state.readOnly) return false
    const { doc, selection } = state
    const moving = selectedBlocks(state).filter(({ from, to }) => (way === 'up' ? from > 0 : to < doc.length))
    if (moving.length === 0) return false
    const beyond = ({ from, to }: MovedBlock) => doc.lineAt(way === 'up' ? from - 1 : to + 1)
    const by = (at: number) => {
      const block = moving.find(({ from, to }) => from <= at && to >= at)
      return block ? (beyond(block).length + 1) * (way === 'up' ? -1 : 1) : 0
    }
    const ranges = selection.ranges.map(({ anchor, head, from }) => {
      // One that ends in the line behind ends with the text at the most.
      const at = (place: number) => Math.min(doc.length, place + by(from))
      return EditorSelection.range(at(anchor), at(head))
    })
    dispatch(
      state.update({
        changes: moving.flatMap((block) => takenElsewhere(state, block, beyond(block), way)),
        selection: EditorSelection.create(ranges, selection.mainIndex),
        userEvent: 'move.line',
        scrollIntoView: true,
      }),
    )
    return true
  }

export const moveLinesUp = moveLines('up', moveLineUp)
export const moveLinesDown = moveLines('down', moveLineDown)
