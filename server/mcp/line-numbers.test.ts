import { expect, test } from 'vitest'
import { countLines, linesFrom, linesOver } from '../domain/line-part.ts'
import { LineNumbers } from './line-numbers.ts'

test.each([
  ['nothing', ''],
  ['one line', 'a'],
  ['several kinds of ends', 'a\r\nb\rc\n\n\r\r\nd'],
  ['an end at the end', 'a\n'],
  ['long lines', `${'x'.repeat(5_000)}\r\n`.repeat(4)],
  ['a pair over a border within', `${'x'.repeat(4_095)}\r\n${'y\n'.repeat(5_000)}`],
])('the lines of a text with %s are those of the interface', (_what, text) => {
  const lines = new LineNumbers(text)
  expect(lines.count).toBe(countLines(text))
  for (let at = 0; at <= text.length; at += text.length > 100 ? 97 : 1)
    expect(lines.at(at)).toBe(linesOver(text, [{ start: at, end: at }])[0]!.first)
  for (const first of [1, 2, 3, 4_000])
    for (const last of [first, first + 2, Infinity]) {
      if (first > lines.count) continue
      const { start, end } = linesFrom(text, first, last)!
      expect(lines.range(first, last)).toEqual({ start, end })
    }
})
