import { expect, it } from 'vitest'
import { columnChange } from './column-change.ts'

const table = '| a | b |\n| --- | :-: |\n| c | d |\n'

it('tells which columns a table gets or loses, row by row', () => {
  expect(columnChange(table, '| a | b | e |\n| --- | :-: | - |\n| c | d | f |\n')).toEqual({
    ...{ does: 'in', at: 2, rows: [['e'], ['f']] },
  })
  expect(columnChange(table, '| e | g | a | b |\n|-|-|-|-|\n| f | h | c | d |')).toEqual({
    ...{
      does: 'in',
      at: 0,
      rows: [
        ['e', 'g'],
        ['f', 'h'],
      ],
    },
  })
  expect(columnChange(table, '| b |\n| :-: |\n| d |\n')).toEqual({ does: 'out', at: 0, rows: [['a'], ['c']] })
})

it('is nothing of other changes', () => {
  for (const suggested of [
    '| a | e |\n| --- | :-: |\n| c | d |\n',
    '| a | b | e |\n| --- | :-: | - |\n| c | g | f |\n',
    '| a | b |\n| --- | :-: |\n| c | d |\n| e | f |\n',
    'a\nb\nc\n',
    '',
  ])
    expect(columnChange(table, suggested)).toBeNull()
  expect(columnChange('one', 'one | two')).toBeNull()
})

it('compares wide tables cell by cell once', () => {
  const row = (cell: string, count: number, last = '') => `${`| ${cell} `.repeat(count)}| ${last}|`
  const wide = (count: number, last: string) =>
    [row('a', count), row('-', count), row('a', count), row('a', count, last)].join('\n')
  const count = 20_000
  expect(columnChange(wide(count, 'b'), wide(count + 1, 'c'))).toBeNull()
  expect(columnChange(wide(count, 'b'), wide(count + 1, 'b'))).toMatchObject({ does: 'in', at: count })
})
