import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeCards, type MarginCard } from './margin.ts'

const gap = 12
const cards = fc
  .array(
    fc.record({ wanted: fc.integer({ min: 0, max: 20_000 }), height: fc.integer({ min: 1, max: 600 }) }),
    {
      maxLength: 30,
    },
  )
  .map((list): MarginCard[] =>
    list.sort((a, b) => a.wanted - b.wanted).map((card, i) => ({ ...card, id: String(i) })),
  )

test('no card covers another, whichever is active', () => {
  fc.assert(
    fc.property(cards, fc.integer({ min: -1, max: 30 }), (list, active) => {
      const tops = placeCards(list, String(active), gap)
      expect(tops.size).toBe(list.length)
      for (let i = 1; i < list.length; i++) {
        const before = list[i - 1]!
        expect(tops.get(list[i]!.id)!).toBeGreaterThanOrEqual(tops.get(before.id)! + before.height + gap)
      }
    }),
  )
})

test('a card with room stands beside its words', () => {
  const list = [
    { id: 'a', wanted: 0, height: 100 },
    { id: 'b', wanted: 500, height: 100 },
  ]
  expect([...placeCards(list, null, gap).values()]).toEqual([0, 500])
})

test('the active card stands exactly beside its words, and those before it give way upwards', () => {
  const list = [
    { id: 'a', wanted: 400, height: 100 },
    { id: 'b', wanted: 420, height: 100 },
    { id: 'c', wanted: 430, height: 50 },
  ]
  expect(Object.fromEntries(placeCards(list, 'b', gap))).toEqual({ a: 308, b: 420, c: 532 })
})

test('where there is no room above, all follow from the top', () => {
  const list = [
    { id: 'a', wanted: 10, height: 100 },
    { id: 'b', wanted: 20, height: 100 },
  ]
  expect(Object.fromEntries(placeCards(list, 'b', gap))).toEqual({ a: 10, b: 122 })
})
