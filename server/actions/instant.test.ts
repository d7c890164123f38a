import fc from 'fast-check'
import { expect, test } from 'vitest'
import { instant } from './instant.ts'

test('an instant is written as toISOString writes it', () => {
  const times = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 })
  fc.assert(
    fc.property(fc.array(times), (all) => {
      expect(all.map(instant)).toEqual(all.map((ms) => new Date(ms).toISOString()))
    }),
  )
})
