import fc from 'fast-check'
import { expect, test } from 'vitest'
import { momentsPerSecond, Pace, speeds } from './playback.ts'

test('a long history is played in about a minute, a short one no faster than it can be followed', () => {
  expect(momentsPerSecond(6_000, 1)).toBe(100)
  expect(momentsPerSecond(6_000, 4)).toBe(400)
  expect(momentsPerSecond(10, 1)).toBe(1.5)
  for (const speed of speeds) expect(momentsPerSecond(0, speed)).toBeGreaterThan(0)
})

test('however often one looks, as many moments go by', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 900 })),
      fc.integer({ min: 1, max: 400 }),
      (frames, perSecond) => {
        const pace = new Pace(0)
        let [now, moments] = [0, 0]
        for (const frame of frames) moments += pace.passed((now += frame), perSecond)
        expect(Math.abs(moments - (now * perSecond) / 1_000)).toBeLessThanOrEqual(1)
      },
    ),
  )
})

test('while a page was asleep nothing has been played', () => {
  const pace = new Pace(0)
  expect(pace.passed(3_600_000, 10)).toBe(10)
})
