import { ChangeSet, EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state'
import { closestChanges, type LetterChange } from './letter-changes.ts'

/**
 * Where cursors and selections stand after a change from elsewhere, which takes out and puts in whole words: beside the
 * same letters, as if only those had been changed that differ. A cursor at a word’s end stands at that of what takes its
 * place. Nothing where that is so by itself.
 */
export function keptSelection(state: EditorState, changes: ChangeSet): Pick<TransactionSpec, 'selection'> {
  const { selection, doc } = state
  const isWithin = (from: number, to: number) => (place: number) => from < place && place < to
  const isMet = (from: number, to: number) =>
    selection.ranges.some((range) =>
      range.empty
        ? isWithin(from, to)(range.head)
        : [range.from, range.to].some((place) => from <= place && place <= to),
    )
  const pieces: LetterChange[] = []
  const met: { from: number; to: number }[] = []
  changes.iterChanges((from, to, _fromB, _toB, inserted) => {
    const insert = inserted.toString()
    const isReplaced = from < to && insert !== '' && isMet(from, to)
    if (!isReplaced) return void pieces.push({ from, to, insert })
    met.push({ from, to })
    for (const piece of closestChanges(doc.sliceString(from, to), insert))
      pieces.push({ ...piece, from: from + piece.from, to: from + piece.to })
  })
  if (met.length === 0) return {}
  const letters = ChangeSet.of(pieces, doc.length)
  const ranges = selection.ranges.map((range) =>
    range.empty && !met.some(({ from, to }) => isWithin(from, to)(range.head))
      ? range.map(changes)
      : range.map(letters),
  )
  return { selection: EditorSelection.create(ranges, selection.mainIndex) }
}
