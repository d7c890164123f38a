import { expect, it } from 'vitest'
import { placeFlags } from './name-flags.ts'

const pole = (left: number, top: number, width = 80) => ({ left, top, bottom: top + 20, width })

it('puts a flag on its caret, and below it in the first line', () => {
  expect(placeFlags([pole(40, 100), pole(40, 5)], 18, 360)).toEqual([
    { shift: 0, above: 0, below: 0 },
    { shift: 0, above: null, below: 0 },
  ])
})
it('keeps a flag within the text', () => {
  expect(placeFlags([pole(350, 100), pole(20, 200, 400)], 18, 360).map(({ shift }) => shift)).toEqual([
    -70, -20,
  ])
})
it('keeps the line free that one writes in oneself', () => {
  const above = (own: number) =>
    placeFlags([pole(40, 100)], 18, 360, { top: own, bottom: own + 20 }).map((place) => place.above)
  expect(above(78), 'just above').toEqual([null])
  expect(above(100), 'the same').toEqual([0])
  expect(above(122), 'just below').toEqual([0])
})
it('puts flags above one another where they would cover each other, and nowhere else', () => {
  const places = placeFlags([pole(40, 100), pole(60, 100), pole(200, 100), pole(30, 100)], 18, 360)
  expect(places.map(({ above }) => above)).toEqual([0, 18, 0, 36])
  const low = placeFlags([pole(40, 5), pole(60, 5)], 18, 360)
  expect(low.map(({ below }) => below)).toEqual([0, 18])
  expect(placeFlags([pole(40, 110), pole(40, 100)], 18, 360).map(({ above }) => above)).toEqual([0, 18])
})
