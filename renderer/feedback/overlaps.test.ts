import { expect, test } from 'vitest'
import { overlapsOf } from './overlaps.ts'

const one = (id: string, start: number, end: number) => ({ id, range: { start, end } })

test('what changes some of the same words is told of each other, and nothing else', () => {
  const overlaps = overlapsOf([
    one('brown fox', 6, 15),
    one('brown', 6, 11),
    one('brown, too', 6, 11),
    one('behind', 15, 20),
    one('put in', 8, 8),
    { id: 'gone', range: null },
  ])
  const told = [...overlaps].map(([id, others]) => [id, others.map((other) => other.id)])
  expect(Object.fromEntries(told)).toEqual({
    'brown fox': ['brown', 'brown, too'],
    brown: ['brown fox'],
    'brown, too': ['brown fox'],
  })
})
