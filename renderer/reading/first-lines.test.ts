import { expect, it } from 'vitest'
import { firstCells, firstLines, firstRows } from './first-lines.ts'

it('leaves what is short as it is', () => {
  expect(firstLines('a\r\nb\n\n')).toEqual({ shown: 'a\r\nb\n\n', isCut: false })
  expect(firstLines('')).toEqual({ shown: '', isCut: false })
  expect(firstRows([['a', 'b']])).toEqual([['a', 'b']])
})

it('cuts what is long behind a line, or between two characters', () => {
  expect(firstLines('a\n'.repeat(100))).toEqual({ shown: 'a\n'.repeat(40).trimEnd(), isCut: true })
  const long = 'b'.repeat(4_990)
  expect(firstLines(`${long}\n${long}`)).toEqual({ shown: long, isCut: true })
  expect(firstLines(`a${'😀'.repeat(5_000)}`)).toEqual({ shown: `a${'😀'.repeat(2_499)}`, isCut: true })
  expect(firstCells(['a', 'b'.repeat(301)])).toEqual(['a', `${'b'.repeat(300)}…`])
  expect(firstRows(Array(1_000).fill(Array(1_000).fill('a')))).toHaveLength(41)
  expect(firstRows([Array(1_000).fill('a')])[0]).toHaveLength(21)
})
