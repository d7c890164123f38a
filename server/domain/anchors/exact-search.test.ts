import fc from 'fast-check'
import { expect, test } from 'vitest'
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
  const start = performance.now()
  for (let more = 0; more < 5; more++) expect(findFirst(text, 'a'.repeat(3_000 + more))).toBe(-1)
  // Some 100 ms each; the engine's own search takes 7 s for one.
  expect(performance.now() - start).toBeLessThan(5_000)
})
