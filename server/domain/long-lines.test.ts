import { Text } from '@codemirror/state'
import { expect, test } from 'vitest'
import { ChangeSet } from './change-set.ts'
import { hasLongerLine, wouldMakeLongerLine } from './long-lines.ts'
import { PiecedText } from './pieced-text.ts'

const most = 10
const x = (length: number) => 'x'.repeat(length)
type Place = [from: number, to: number, insert: string]

/** By its texts alone, and by its places. */
function judged(before: string, ...places: Place[]): [boolean, boolean] {
  const changes = ChangeSet.of(
    places.map(([from, to, insert]) => ({ from, to, insert: Text.of(insert.split('\n')) })),
    before.length,
  )
  const text = PiecedText.of(before)
  const after = text.changed(changes)
  return [hasLongerLine(text, after.whole, most), hasLongerLine(text, after, most, changes)]
}

test.each<[string, boolean, string, ...Place[]]>([
  ['a line as long as it may be', false, 'a\n\nb', [2, 2, x(10)]],
  ['one that is longer', true, 'a\n\nb', [2, 2, x(11)]],
  ['many short ones', false, 'a', [1, 1, `\n${x(10)}`.repeat(9)]],
  ['each way to end a line', false, 'a', [1, 1, `\r${x(9)}\r\n${x(10)}\r\n${x(10)}\n`]],
  ['a letter too many at its end', true, `${x(10)}\nb`, [10, 10, 'x']],
  ['a letter too many at its beginning', true, `a\n${x(10)}`, [2, 2, 'x']],
  ['two that are joined', true, `a\n${x(6)}\n${x(5)}\nb`, [8, 9, '']],
  ['the second of two places', true, `${x(10)}\n${'a\n'.repeat(40)}b`, [0, 9, ''], [91, 91, x(10)]],
  ['several small places in one line', true, x(8), [0, 0, 'ab'], [4, 4, 'cd'], [8, 8, 'ef']],
  ['a long one that stays', false, `${x(30)}\na`, [32, 32, 'b'], [31, 31, 'c']],
  ['a long one that grows', true, `${x(30)}\na`, [30, 30, 'b']],
  ['a long one of which a letter becomes another', false, `${x(30)}\na`, [3, 4, 'b']],
  ['a long one that is broken', false, `${x(40)}\na`, [20, 20, '\n']],
  ['a long one that moves', false, `${x(30)}\na\n`, [0, 31, ''], [33, 33, x(30)]],
  ['a long one more', true, `${x(30)}\na\n`, [33, 33, x(30)]],
])('Of lines that are made longer than they may be is told: %s', (_what, isLonger, before, ...places) => {
  expect(judged(before, ...places)).toEqual([isLonger, isLonger])
})

test('Around what is typed in a long text, only little of that is read', () => {
  const before = PiecedText.of(`${x(9)}\n`.repeat(100_000))
  const changes = ChangeSet.of({ from: 500_000, insert: 'y' }, before.length)
  const after = before.changed(changes)
  let read = 0
  const counted = {
    length: after.length,
    slice: (from?: number, to?: number) => {
      const part = after.slice(from, to)
      read += part.length
      return part
    },
    toString: () => {
      throw new Error('All of it was read')
    },
  }
  expect(hasLongerLine(before, counted, most, changes)).toBe(false)
  expect(read).toBeLessThan(100)
})

test.each<[string, boolean, string, Place]>([
  ['words that fill it', false, `a\n${x(6)}\nb`, [5, 5, x(4)]],
  ['a letter too many', true, `a\n${x(6)}\nb`, [5, 5, x(5)]],
  ['one between other ways to end a line', false, `${x(9)}\r${x(6)}\r\nb`, [12, 12, x(4)]],
  ['a letter too many between such', true, `${x(9)}\r${x(6)}\r\nb`, [12, 12, x(5)]],
  ['lines at the very beginning', false, `\n${x(9)}`, [0, 0, `${x(10)}\n${x(10)}`]],
  ['lines that are joined', true, `${x(6)}\n${x(6)}`, [6, 7, '']],
  ['another word in a longer one', false, `${x(30)}\na`, [3, 6, 'bcd']],
  ['one more letter in a longer one', true, `${x(30)}\na`, [3, 6, 'bcde']],
  ['a longer one that is broken', false, `${x(40)}\na`, [20, 20, '\n']],
  ['another line beside a longer one', true, `${x(30)}\na`, [32, 32, x(10)]],
])('Of lines that a suggestion would make too long is told: %s', (_what, isLonger, before, place) => {
  const [start, end, insert] = place
  expect(wouldMakeLongerLine(before, { start, end }, insert, most)).toBe(isLonger)
})
