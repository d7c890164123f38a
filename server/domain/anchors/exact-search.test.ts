import fc from 'fast-check'
import { expect, test } from 'vitest'
import { charactersRead } from '../testing/large-text.ts'
import { findFirst } from './exact-search.ts'

test('the first occurrence is the one that the engine’s own search finds, in repetitive text too', () => {
  const repetitive = fc
    .array(fc.constantFrom('a', 'b', 'aaaaaaaaaaaaaaaa', 'abab'), { maxLength: 60 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(repetitive, repetitive, repetitive, (before, words, after) => {
      expect(findFirst(before + after, words)).toBe((before + after).indexOf(words))
      expect(findFirst(before + words + after, words)).toBe((before + words + after).indexOf(words))
    }),
    { numRuns: 2_000 },
  )
  const lines = `${'a'.repeat(299)}b`.repeat(300)
  for (const words of ['a'.repeat(299), `${'a'.repeat(200)}ba`, 'a'.repeat(300), `${lines}c`]) {
    expect(findFirst(`${lines}${words}`, words)).toBe(`${lines}${words}`.indexOf(words))
    expect(findFirst(lines, words)).toBe(lines.indexOf(words))
  }
})

test('a long repetition that is nowhere does not take its length times the text’s', () => {
  const text = `${'a'.repeat(2_999)}b`.repeat(3_000)
  for (let more = 0; more < 5; more++) {
    const words = 'a'.repeat(3_000 + more)
    const read = charactersRead(() => expect(findFirst(text, words)).toBe(-1))
    expect(read).toBeLessThan(6 * text.length)
    // The engine's own search reads none that are counted, and takes 7 s.
    expect(read).toBeGreaterThanOrEqual(text.length)
  }
})
