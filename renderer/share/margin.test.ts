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

const reaches = fc.integer({ min: 0, max: 400 })

test('no card covers another or stands above the text, whichever is active', () => {
  fc.assert(
    fc.property(cards, fc.integer({ min: -1, max: 30 }), reaches, (list, active, reach) => {
      const tops = placeCards(list, String(active), gap, reach)
      expect(tops.size).toBe(list.length)
      const placed = list.map((card) => ({ ...card, top: tops.get(card.id)! })).sort((a, b) => a.top - b.top)
      for (const [i, { top }] of placed.entries()) {
        const above = placed[i - 1]
        expect(top).toBeGreaterThanOrEqual(above ? above.top + above.height + gap : 0)
      }
    }),
  )
})

/** What the cards of earlier words than the active one's take up. */
function heightBefore(list: readonly MarginCard[], active: MarginCard): number {
  return list
    .filter(({ wanted }) => wanted < active.wanted)
    .reduce((sum, { height }) => sum + height + gap, 0)
}
// Places close to each other and to the text’s beginning, where room is scarce.
const dense = cards.map((list) => list.map((card) => ({ ...card, wanted: Math.floor(card.wanted / 20) })))
const someCards = fc.oneof(cards, dense)

test('cards stand in the order of their words, wherever those before the active one find room', () => {
  fc.assert(
    fc.property(someCards, fc.integer({ min: -1, max: 29 }), reaches, (list, active, reach) => {
      const chosen = list[active]
      fc.pre(!chosen || heightBefore(list, chosen) <= chosen.wanted + reach)
      const tops = placeCards(list, String(active), gap, reach)
      for (const [i, { id, wanted }] of list.entries())
        for (const later of list.slice(i + 1).filter((card) => card.wanted > wanted))
          expect(tops.get(id)).toBeLessThan(tops.get(later.id)!)
    }),
  )
})

test('the active card stands at its words, or as little below as those before it need, never beyond its reach', () => {
  fc.assert(
    fc.property(someCards, fc.nat({ max: 29 }), reaches, (list, active, reach) => {
      fc.pre(active < list.length)
      const { id, wanted } = list[active]!
      const needed = heightBefore(list, list[active]!)
      const top = placeCards(list, id, gap, reach).get(id)
      expect(top).toBe(needed <= wanted + reach ? Math.max(wanted, needed) : wanted)
    }),
  )
})

test('a card with room stands beside its words', () => {
  const list = [
    { id: 'a', wanted: 0, height: 100 },
    { id: 'b', wanted: 500, height: 100 },
  ]
  expect([...placeCards(list, null, gap, 0).values()]).toEqual([0, 500])
})

test('the active card stands exactly beside its words, and those before it give way upwards', () => {
  const list = [
    { id: 'a', wanted: 400, height: 100 },
    { id: 'b', wanted: 420, height: 100 },
    { id: 'c', wanted: 430, height: 50 },
  ]
  expect(Object.fromEntries(placeCards(list, 'b', gap, 0))).toEqual({ a: 308, b: 420, c: 532 })
})

test('where those before the active card find no room above, it gives way as far as it reaches', () => {
  const list = [
    { id: 'a', wanted: 10, height: 100 },
    { id: 'b', wanted: 60, height: 100 },
    { id: 'c', wanted: 150, height: 100 },
  ]
  expect(Object.fromEntries(placeCards(list, 'c', gap, 80))).toEqual({ a: 0, b: 112, c: 224 })
})

test('those that find no room above a card that can’t give way as far follow behind the active card', () => {
  const list = [
    { id: 'a', wanted: 10, height: 100 },
    { id: 'b', wanted: 20, height: 100 },
    { id: 'c', wanted: 150, height: 100 },
    { id: 'd', wanted: 160, height: 100 },
  ]
  expect(Object.fromEntries(placeCards(list, 'c', gap, 70))).toEqual({ a: 262, b: 20, c: 150, d: 374 })
})
