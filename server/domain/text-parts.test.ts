import fc from 'fast-check'
import { expect, test } from 'vitest'
import { longText, textParts } from './text-parts.ts'

const words = fc
  .array(fc.oneof(fc.lorem({ maxCount: 3 }), fc.constantFrom('東京都', '😀', '\n\n', 'x'.repeat(1_500))), {
    minLength: 5,
    maxLength: 40,
  })
  .chain((some) =>
    fc.constantFrom(' ', '', '\n').map((between) => {
      const once = some.join(between)
      return once.repeat(Math.ceil((longText * 2) / Math.max(1, once.length)))
    }),
  )

test('what stands together stands together in a part, wherever the text is cut', () => {
  fc.assert(
    fc.property(words, fc.nat(), fc.integer({ min: 1, max: 1_000 }), (text, where, length) => {
      const parts = textParts(text)
      const start = where % text.length
      const end = Math.min(text.length, start + length)
      expect(parts.some((part) => part.start <= start && end <= part.end)).toBe(true)
      expect(parts[0]!.start).toBe(0)
      expect(parts.at(-1)!.end).toBe(text.length)
      for (const part of parts) {
        expect(part.end - part.start).toBeLessThanOrEqual(200_000)
        expect(text.slice(part.start, part.end).isWellFormed()).toBe(true)
      }
    }),
    { numRuns: 50 },
  )
})

test('no word is cut, as far as words go', () => {
  const text = Array.from({ length: 100_000 }, (_, n) => `word${n}`).join(' ')
  const whole = new Set(text.split(' '))
  for (const { start, end } of textParts(text))
    for (const word of text.slice(start, end).trim().split(' ')) expect(whole.has(word)).toBe(true)
})

test('a short text is one part', () => {
  expect(textParts('')).toEqual([{ start: 0, end: 0 }])
  expect(textParts('a b')).toEqual([{ start: 0, end: 3 }])
})
