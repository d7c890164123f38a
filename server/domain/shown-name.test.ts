import fc from 'fast-check'
import { expect, it } from 'vitest'
import { shownName } from './shown-name.ts'

it.each([
  ['Ada', 'Ada'],
  ['  Ada\t\r\nLovelace ', 'Ada Lovelace'],
  ['\u202eadA\u202c', 'adA'],
  ['\u2066Ada\u2069', 'Ada'],
  ['A\u0000d\u009fa', 'A d a'],
  ['\u202e'.repeat(80), ''],
  ['\u200b\u2060\ufeff \u00ad\u200d', ''],
  ['\u200e', ''],
  ['', ''],
  ['Ada \ud83d', 'Ada \ufffd'],
  ['دیوانه\u200cام', 'دیوانه\u200cام'],
  ['👩\u200d👩\u200d👧', '👩\u200d👩\u200d👧'],
  ['אבג\u200f!', 'אבג\u200f!'],
])('%j', (said, name) => {
  expect(shownName(said)).toBe(name)
})

it('is the same again, no longer than what was said, and on one line', () => {
  const said = fc.string({
    unit: fc.oneof(
      fc.constantFrom('\u202e', '\u2066', '\u0000', '\n', ' ', '\u200d', '\u2028'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 20,
  })
  fc.assert(
    fc.property(said, (text) => {
      const name = shownName(text)
      expect(shownName(name)).toBe(name)
      expect([...name].length).toBeLessThanOrEqual([...text].length)
      expect(name).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u)
    }),
  )
})
