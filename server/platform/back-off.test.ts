import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backOff } from './back-off.ts'

const waits = { first: 500, longest: 30_000 }

test('waits twice as long each time, up to the longest', () => {
  expect([0, 1, 2, 5, 6, 7].map((failures) => backOff(failures, waits))).toEqual([
    500, 1_000, 2_000, 16_000, 30_000, 30_000,
  ])
  expect(backOff(100_000, waits)).toBe(30_000)
})

test('leaves up to half of it to chance', () => {
  expect(backOff(1, { ...waits, random: () => 0 })).toBe(500)
  expect(backOff(1, { ...waits, random: () => 1 })).toBe(1_000)
})

test('never waits less after one more failure, nor longer than the longest', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.integer({ min: 1, max: 5_000 }),
      fc.nat({ max: 100_000 }),
      (failures, first, more) => {
        const longest = first + more
        const wait = backOff(failures, { first, longest })
        expect(wait).toBeGreaterThanOrEqual(first)
        expect(wait).toBeLessThanOrEqual(longest)
        expect(backOff(failures + 1, { first, longest })).toBeGreaterThanOrEqual(wait)
      },
    ),
  )
})
