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
    let from = offsets.toStored(fromA)
    const to = offsets.toStored(toA)
    const ending = endingNear(before, from)
    let insert = inserted.toString().replaceAll('\n', ending)
    // What ended two lines must not become one line's end, now that nothing stands between.
    const endsLine = before[from - 1] === '\r' && (insert === '' ? before[to] : insert[0]) === '\n'
    if (endsLine) {
      from--
      insert = `\n${insert}`
    }
    const last = stored.at(-1)
    if (last && from < last.to) {
      // The '\r' went with the change before.
      stored[stored.length - 1] = { ...last, to, insert: last.insert.append(textOf(insert)) }
    } else stored.push({ from, to, insert: textOf(insert) })
  })
  return ChangeSet.of(stored, before.length)
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
