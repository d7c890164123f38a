import { EditorSelection, type ChangeSet, type EditorState, type TransactionSpec } from '@codemirror/state'
import { toEditor, without } from './stretches.ts'
import type { Stretches, WrittenSuggestion } from './stretches.ts'

/** A suggestion that a change has made: from where in the document, and how it reads there from now on. */
export interface Made {
  written: WrittenSuggestion
  at: number
  reads: string
  /** Behind how much of that stands what stood behind so much of its words; the same if absent. */
  toRead?: (read: number) => number
}

/**
 * Cursors in what a suggestion had put in stand behind the same words once these have come into the document, so that its
 * author types on there. Nothing where there is no such cursor.
 * @param changes the same in the editor, after which one’s own stand at `after`
 */
export function cursorsKept(
  { selection }: EditorState,
  before: Stretches,
  made: ReadonlyMap<number, Made>,
  changes: ChangeSet,
  after: Stretches,
): Pick<TransactionSpec, 'selection'> {
  if (made.size === 0) return {}
  const kept = (place: number): number | null => {
    const put = before.find(({ from, to, kind }) => kind === 'put in' && from < place && place <= to)
    const one = put && made.get(put.key)
    if (!put || !one) return null
    const { at, reads, toRead, written } = one
    const read = seen(before, put.key, toEditor(before, written.start), place)
    // Others may have written within: whoever stands at its end stays there.
    const isAtEnd = !toRead && read === written.suggested.length
    const wanted = isAtEnd ? reads.length : Math.min(toRead ? toRead(read) : read, reads.length)
    return placeBehind(after, put.key, toEditor(after, at), wanted)
  }
  let isAny = false
  const now = (place: number, side: -1 | 1) => {
    const stays = kept(place)
    isAny ||= stays !== null
    return stays ?? changes.mapPos(place, side)
  }
  const ranges = selection.ranges.map(({ anchor, head, empty }) => {
    if (empty) return EditorSelection.cursor(now(head, -1))
    const side = anchor < head ? 1 : -1
    return EditorSelection.range(now(anchor, side), now(head, side === 1 ? -1 : 1))
  })
  return isAny ? { selection: EditorSelection.create(ranges, selection.mainIndex) } : {}
}

/** What of a text doesn’t count among the words of a suggestion: what it takes out, and what others put in. */
const passedOver = (stretches: Stretches, key: number) =>
  stretches.filter((one) => (one.kind === 'taken out') === (one.key === key))

/** How many characters of a suggestion’s words stand between two places. */
function seen(stretches: Stretches, key: number, from: number, to: number): number {
  const counted = without([{ from, to, kind: 'taken out', key }], passedOver(stretches, key))
  return counted.reduce((sum, part) => sum + part.to - part.from, 0)
}

/** Behind so many characters of a suggestion’s words. */
function placeBehind(stretches: Stretches, key: number, from: number, length: number): number {
  let place = from + length
  for (const one of passedOver(stretches, key)) {
    if (one.from >= place) break
    if (one.to > from) place += one.to - Math.max(from, one.from)
  }
  return place
}
