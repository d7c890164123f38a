import { ChangeSet, type ChangeDesc, type Text } from '@codemirror/state'
import { toLf } from '../../server/domain/line-endings.ts'
import type { Hunk } from '../../server/domain/hunk.ts'
import { joinTouching } from '../../server/domain/hunk.ts'
import { textOf } from '../../server/domain/shared-text.ts'
import { letterChanges, type LetterChange } from './letter-changes.ts'
import { Offsets } from './offsets.ts'

// Changes of a stored text and of the same text in an editor, in which each line ends with '\n'. Where no line of the
// stored text ends otherwise, they are the same, and none of this is needed.

/** What a change of the stored text does to the editor’s. */
export function toEditorChanges(before: string, after: string, changes: ChangeDesc): LetterChange[] {
  const [old, now] = [new Offsets(before), new Offsets(after)]
  const hunks: Hunk[] = []
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    // A '\r' before it and a '\n' after it may end a line together with what it puts in or leaves.
    const head = before[fromA - 1] === '\r' ? 1 : 0
    const tail = before[toA] === '\n' ? 1 : 0
    hunks.push({ fromA: fromA - head, toA: toA + tail, fromB: fromB - head, toB: toB + tail })
  })
  const inEditor = joinTouching(hunks).map(({ fromA, toA, fromB, toB }) => ({
    fromA: old.toEditor(fromA),
    toA: old.toEditor(toA),
    fromB: now.toEditor(fromB),
    toB: now.toEditor(toB),
  }))
  return letterChanges(toLf(before), toLf(after), inEditor)
}

/**
 * What a change in the editor does to the stored text: lines that it puts in end as the line before them does, and all
 * others stay as they are.
 */
export function toStoredChanges(before: string, changes: ChangeSet): ChangeSet {
  const offsets = new Offsets(before)
  const stored: { from: number; to: number; insert: Text }[] = []
  changes.iterChanges((fromA, toA, _fromB, _toB, inserted) => {
    const from = offsets.toStored(fromA)
    const insert = textOf(inserted.toString().replaceAll('\n', endingNear(before, from)))
    stored.push({ from, to: offsets.toStored(toA), insert })
  })
  const made = ChangeSet.of(stored, before.length)
  const shown = changes.apply(textOf(toLf(before))).toString()
  // Beside a lone '\r' two ends of lines may have become one.
  const isAlike = toLf(made.apply(textOf(before)).toString()) === shown
  return isAlike ? made : inOneStretch(before, shown, changes)
}

/** The same where all from the first change to the last gets line feeds, so that none of them meets a '\r'. */
function inOneStretch(before: string, shown: string, changes: ChangeSet): ChangeSet {
  const offsets = new Offsets(before)
  let [start, end, endShown] = [changes.length, 0, 0]
  changes.iterChangedRanges((fromA, toA, _fromB, toB) => {
    start = Math.min(start, fromA)
    ;[end, endShown] = [toA, toB]
  })
  let [from, to] = [offsets.toStored(start), offsets.toStored(end)]
  for (; before[from - 1] === '\r'; from--) start--
  if (before[to] === '\n') {
    to++
    endShown++
  }
  return ChangeSet.of({ from, to, insert: textOf(shown.slice(start, endShown)) }, before.length)
}

/** How the line before a place ends; if there is none, how the one after it does. */
function endingNear(text: string, at: number): string {
  const before = Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1))
  if (at > 0 && before >= 0) {
    if (text[before] === '\r') return '\r'
    return text[before - 1] === '\r' ? '\r\n' : '\n'
  }
  const [ending] = /\r\n?|\n/.exec(text.slice(at)) ?? ['\n']
  return ending
}
