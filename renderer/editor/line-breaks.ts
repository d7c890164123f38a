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

/** How lines are to end after a change, in the places of the text with line feeds. */
export interface WantedEnds {
  /** Those that it puts in, in order; undefined for as the line before them does. */
  put?: readonly (string | undefined)[]
  /** Those that it leaves, by their places before. */
  left?: ReadonlyMap<number, string>
  /** Those that it puts in where no line of the text has an end. */
  otherwise?: string
}

/**
 * What a change in the editor does to the stored text: lines that it puts in end as the line before them does, or as is
 * wanted, and all others stay as they are.
 */
export function toStoredChanges(
  before: string,
  changes: ChangeSet,
  { put = [], left = new Map(), otherwise = '\n' }: WantedEnds = {},
): ChangeSet {
  const offsets = new Offsets(before)
  const stored: { from: number; to: number; insert: Text }[] = []
  let known = 0
  changes.iterChanges((fromA, toA, _fromB, _toB, inserted) => {
    const from = offsets.toStored(fromA)
    const ends = Array.from(
      { length: inserted.lines - 1 },
      () => put[known++] ?? endingNear(before, from) ?? otherwise,
    )
    stored.push({ from, to: offsets.toStored(toA), insert: textOf(withEnds(inserted, ends)) })
  })
  for (const [at, ending] of left)
    stored.push({ from: offsets.toStored(at), to: offsets.toStored(at + 1), insert: textOf(ending) })
  stored.sort((a, b) => a.from - b.from || a.to - b.to)
  const made = ChangeSet.of(stored, before.length)
  return made.compose(keptApart(made, made.apply(textOf(before)).toString()))
}

/** How lines end in a text, in order. */
export const endsAmong = (text: string): readonly string[] => text.match(/\r\n?|\n/g) ?? []

/** Of which lines a change of a text with line feeds puts in the ends, counted in what it makes. */
export function putLines(changes: ChangeSet, before: string): number[] {
  const after = changes.apply(textOf(before))
  const lines: number[] = []
  changes.iterChanges((_fromA, _toA, fromB, _toB, inserted) => {
    const first = after.lineAt(fromB).number - 1
    for (let number = 0; number < inserted.lines - 1; number++) lines.push(first + number)
  })
  return lines
}

function withEnds(text: Text, ends: readonly string[]): string {
  const lines: string[] = []
  for (let number = text.lines; number >= 1; number--) {
    const ending = ends[number - 1] ?? ''
    const isOneWithNext = ending === '\r' && lines.at(-1)?.startsWith('\n')
    lines.push(text.line(number).text + (isOneWithNext ? '\n' : ending))
  }
  return lines.reverse().join('')
}

/** Where a change has put a lone '\r' before a '\n', which would be one end of a line, it becomes a line feed. */
function keptApart(made: ChangeSet, after: string): ChangeSet {
  const places = new Map<number, number>()
  made.iterChangedRanges((_fromA, _toA, fromB, toB) => {
    for (const at of [fromB, toB]) {
      if (after[at - 1] !== '\r' || after[at] !== '\n') continue
      let from = at
      while (after[from - 1] === '\r') from--
      places.set(from, at)
    }
  }, true)
  const changes = [...places].map(([from, to]) => ({ from, to, insert: textOf('\n'.repeat(to - from)) }))
  return ChangeSet.of(changes, after.length)
}

/** How the line ends whose end stands at a place of the stored text. */
export const endingAt = (text: string, at: number) =>
  text[at] === '\r' && text[at + 1] === '\n' ? '\r\n' : text.charAt(at)

export const firstEnding = (text: string): string | undefined => /\r\n?|\n/.exec(text)?.[0]

/** How the line before a place ends; if there is none, how the one after it does, if any. */
function endingNear(text: string, at: number): string | undefined {
  const before = Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1))
  if (at > 0 && before >= 0) {
    if (text[before] === '\r') return '\r'
    return text[before - 1] === '\r' ? '\r\n' : '\n'
  }
  return firstEnding(text.slice(at))
}
