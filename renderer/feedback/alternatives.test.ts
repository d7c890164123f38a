import { expect, test } from 'vitest'
import { alternativesOf } from './alternatives.ts'

const one = (id: string, start: number, end: number) => ({ id, range: { start, end } })

test('what is suggested for the very same words stands together, and nothing else', () => {
  const groups = alternativesOf([
    one('a', 4, 9),
    one('b', 4, 12),
    one('c', 4, 9),
    one('put in', 9, 9),
    one('put in, too', 9, 9),
    { id: 'gone', range: null },
  ])
  expect(groups.map((group) => group.map(({ id }) => id))).toEqual([
    ['a', 'c'],
    ['b'],
    ['put in'],
    ['put in, too'],
    ['gone'],
  ])
})
