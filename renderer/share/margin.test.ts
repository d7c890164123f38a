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

test('no card covers another or stands above the text, whichever is active', () => {
  fc.assert(
    fc.property(cards, fc.integer({ min: -1, max: 30 }), (list, active) => {
      const tops = placeCards(list, String(active), gap)
      expect(tops.size).toBe(list.length)
      const placed = list.map((card) => ({ ...card, top: tops.get(card.id)! })).sort((a, b) => a.top - b.top)
      for (const [i, { top }] of placed.entries()) {
        const above = placed[i - 1]
        expect(top).toBeGreaterThanOrEqual(above ? above.top + above.height + gap : 0)
      }
    }),
  )
})

test('the active card stands at its words, however many others want the same place', () => {
  fc.assert(
    fc.property(cards, fc.nat({ max: 29 }), (list, active) => {
      fc.pre(active < list.length)
      expect(placeCards(list, String(active), gap).get(String(active))).toBe(list[active]!.wanted)
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

test('those that find no room above follow behind the active card', () => {
  const list = [
    { id: 'a', wanted: 10, height: 100 },
    { id: 'b', wanted: 20, height: 100 },
    { id: 'c', wanted: 150, height: 100 },
    { id: 'd', wanted: 160, height: 100 },
  ]
  expect(Object.fromEntries(placeCards(list, 'c', gap))).toEqual({ a: 262, b: 20, c: 150, d: 374 })
})
