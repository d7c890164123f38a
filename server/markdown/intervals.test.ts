import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Intervals } from './intervals.ts'

const stretches = fc.array(
  fc.oneof(
    fc.constant({ start: -1, length: 0 }),
    fc.record({ start: fc.nat(30), length: fc.integer({ min: 1, max: 8 }) }),
  ),
  { maxLength: 40 },
)

it('finds what looking at each would find, in any order and where they overlap', () => {
  fc.assert(
    fc.property(stretches, fc.nat(36), fc.integer({ min: 0, max: 12 }), (list, start, length) => {
      const starts = Int32Array.from(list, (one) => one.start)
      const ends = Int32Array.from(list, (one) => (one.start < 0 ? -1 : one.start + one.length))
      const touched = list.flatMap((_, i) =>
        starts[i]! >= 0 && starts[i]! < start + length && ends[i]! > start ? [i] : [],
      )
      const expected = touched.length > 0 ? { first: touched[0], last: touched.at(-1) } : null
      expect(new Intervals(starts, ends).touching(start, start + length)).toEqual(expected)
    }),
    { numRuns: 2_000 },
  )
})

it('finds nothing in nothing', () => {
  expect(new Intervals(new Int32Array(), new Int32Array()).touching(0, 5)).toBeNull()
})
