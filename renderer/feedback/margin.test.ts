import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inText } from '../reading/points.ts'
import { inOrder, placeCards, type MarginCard, type UnplacedCard } from './margin.ts'

const gap = 12
const fold = 30
const place = (list: readonly MarginCard[], active: string | null, reach: number) =>
  placeCards(list, active, { gap, reach, fold })
const topsOf = (...args: Parameters<typeof place>) => place(...args).tops
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

// Places close to each other and to the text’s beginning, where room is scarce.
const dense = cards.map((list) => list.map((card) => ({ ...card, wanted: Math.floor(card.wanted / 20) })))
const someCards = fc.oneof(cards, dense)

test('no card covers another, or what stands for those folded away, or stands above the text', () => {
  fc.assert(
    fc.property(someCards, fc.integer({ min: -1, max: 30 }), reaches, (list, active, reach) => {
      const { tops, folded, foldTop } = place(list, String(active), reach)
      expect(tops.size + folded.length).toBe(list.length)
      const shown = list.filter(({ id }) => !folded.includes(id))
      const placed = shown.map((card) => ({ top: tops.get(card.id)!, height: card.height }))
      if (folded.length > 0) placed.push({ top: foldTop, height: fold })
      placed.sort((a, b) => a.top - b.top)
      for (const [i, { top }] of placed.entries()) {
        const above = placed[i - 1]
        expect(top).toBeGreaterThanOrEqual(above ? above.top + above.height + gap : 0)
      }
    }),
  )
})

/** What the cards of earlier words than the active one's take up. */
const heightBefore = (list: readonly MarginCard[], active: number): number =>
  list.slice(0, active).reduce((sum, { height }) => sum + height + gap, 0)

test('cards stand in the order of their words, also of those on one line, whichever is active', () => {
  fc.assert(
    fc.property(someCards, fc.integer({ min: -1, max: 29 }), reaches, (list, active, reach) => {
      const { tops, folded, foldTop } = place(list, String(active), reach)
      const topOf = ({ id }: MarginCard) => (folded.includes(id) ? foldTop : tops.get(id)!)
      for (const [i, card] of list.entries())
        for (const later of list.slice(i + 1)) expect(topOf(card)).toBeLessThanOrEqual(topOf(later))
    }),
  )
})

test('only those that find no room above the active card are folded away, the farthest first', () => {
  fc.assert(
    fc.property(someCards, fc.integer({ min: -1, max: 29 }), reaches, (list, active, reach) => {
      const { folded } = place(list, String(active), reach)
      const chosen = list[active]
      if (!chosen || heightBefore(list, active) <= chosen.wanted + reach) {
        expect(folded).toEqual([])
        return
      }
      expect(folded).toEqual(list.slice(0, folded.length).map(({ id }) => id))
      // With one more of them there would be too little room.
      const left = list
        .slice(folded.length - 1, active)
        .reduce((sum, { height }) => sum + height + gap, fold + gap)
      expect(left).toBeGreaterThan(Math.max(chosen.wanted, fold + gap))
    }),
  )
})

test('the active card stands at its words, or as little below as those before it need, never beyond its reach', () => {
  fc.assert(
    fc.property(someCards, fc.nat({ max: 29 }), reaches, (list, active, reach) => {
      fc.pre(active < list.length)
      const { id, wanted } = list[active]!
      const needed = heightBefore(list, active)
      const top = topsOf(list, id, reach).get(id)
      expect(top).toBe(Math.max(wanted, needed <= wanted + reach ? needed : fold + gap))
    }),
  )
})

test('a card with room stands beside its words', () => {
  const list = [
    { id: 'a', wanted: 0, height: 100 },
    { id: 'b', wanted: 500, height: 100 },
  ]
  expect([...topsOf(list, null, 0).values()]).toEqual([0, 500])
})

test('the active card stands exactly beside its words, and those before it give way upwards', () => {
  const list = [
    { id: 'a', wanted: 400, height: 100 },
    { id: 'b', wanted: 420, height: 100 },
    { id: 'c', wanted: 430, height: 50 },
  ]
  expect(Object.fromEntries(topsOf(list, 'b', 0))).toEqual({ a: 308, b: 420, c: 532 })
})

test('where those before the active card find no room above, it gives way as far as it reaches', () => {
  const list = [
    { id: 'a', wanted: 10, height: 100 },
    { id: 'b', wanted: 60, height: 100 },
    { id: 'c', wanted: 150, height: 100 },
  ]
  expect(Object.fromEntries(topsOf(list, 'c', 80))).toEqual({ a: 0, b: 112, c: 224 })
})

test('those that find no room above a card that can’t give way as far are folded away', () => {
  const list = [
    { id: 'a', wanted: 10, height: 100 },
    { id: 'b', wanted: 20, height: 100 },
    { id: 'c', wanted: 160, height: 100 },
    { id: 'd', wanted: 170, height: 100 },
  ]
  const { tops, folded, foldTop } = place(list, 'c', 60)
  expect(Object.fromEntries(tops)).toEqual({ b: 42, c: 160, d: 272 })
  expect({ folded, foldTop }).toEqual({ folded: ['a'], foldTop: 0 })
})

test('of fifty, a chosen one in the middle leaves all others in order', () => {
  const list = Array.from({ length: 50 }, (_, i) => ({ id: String(i), wanted: i * 40, height: 110 }))
  const { tops, folded } = place(list, '25', 300)
  expect(tops.get('25')).toBe(1000)
  expect(folded).toEqual(list.slice(0, 18).map(({ id }) => id))
  const shown = list.slice(18).map(({ id }) => tops.get(id)!)
  expect(shown).toEqual(shown.toSorted((a, b) => a - b))
})

const unplaced = fc
  .array(
    fc.record({
      from: fc.option(fc.record({ block: fc.nat({ max: 3 }), char: fc.nat({ max: 9 }) })),
      wanted: fc.integer({ min: -20, max: 200 }),
      height: fc.integer({ min: 1, max: 300 }),
    }),
    { maxLength: 12 },
  )
  .map((list): UnplacedCard[] => list.map((card, i) => ({ ...card, id: String(i) })))

test('cards come as their words do in the text, however high these stand on the page', () => {
  fc.assert(
    fc.property(unplaced, (list) => {
      const from = new Map(list.map((card) => [card.id, card.from]))
      const ordered = inOrder(list, inText)
      expect(ordered.map(({ id }) => id).toSorted()).toEqual(list.map(({ id }) => id).toSorted())
      for (const [i, card] of ordered.entries())
        for (const later of ordered.slice(i + 1)) {
          expect(card.wanted).toBeLessThanOrEqual(later.wanted)
          const [a, b] = [from.get(card.id)!, from.get(later.id)!]
          if (a && b) expect(inText(a, b)).toBeLessThanOrEqual(0)
        }
    }),
  )
})

test('of words on one line those in code stand higher, and their card comes in its turn all the same', () => {
  const list = [
    { id: 'plain', wanted: 104, height: 80, from: { block: 0, char: 4 } },
    { id: 'code', wanted: 101, height: 80, from: { block: 0, char: 12 } },
    { id: 'whole', wanted: 0, height: 80, from: null },
  ]
  expect(inOrder(list, inText).map(({ id }) => id)).toEqual(['whole', 'plain', 'code'])
})
