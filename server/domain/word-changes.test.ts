import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyText, editedText } from './testing/arbitrary-text.ts'
import { wordChanges } from './word-changes.ts'

const put = (after: string, changes: ReturnType<typeof wordChanges>) => {
  let text = ''
  let at = 0
  for (const { start, end, removed } of changes) {
    text += after.slice(at, start) + removed
    at = end
  }
  return text + after.slice(at)
}
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const isEnd = (text: string, at: number) =>
  at === 0 || at === text.length || graphemes.segment(text).containing(at)?.index === at
const isWithinWord = (text: string, at: number) => /^[\p{L}\p{N}]{2}$/u.test(text.slice(at - 1, at + 1))

it('gives the text as it was, and cuts no grapheme', () => {
  const emoji = fc
    .array(fc.constantFrom('👩', '\u200d', '🚀', '🏽', 'e', '\u0301', ' ', '🇩', '🇪', '\r', '\n'), {
      maxLength: 12,
    })
    .map((parts) => parts.join(''))
  const texts = fc.oneof(
    editedText,
    fc.record({ before: anyText, after: anyText }),
    fc.record({ before: emoji, after: emoji }),
  )
  fc.assert(
    fc.property(texts, ({ before, after }) => {
      const changes = wordChanges(before, after)
      expect(put(after, changes)).toBe(before)
      for (const { start, end } of changes) {
        expect(isEnd(after, start)).toBe(true)
        expect(isEnd(after, end)).toBe(true)
      }
    }),
    { numRuns: 1000 },
  )
})

it('cuts no word', () => {
  const words = fc
    .array(fc.constantFrom('proof', 'proofs', 'galley', 'gall', 'a', 'né', '12', '123'), { maxLength: 12 })
    .map((all) => all.join(' '))
  fc.assert(
    fc.property(words, words, (before, after) => {
      for (const { start, end } of wordChanges(before, after)) {
        expect(isWithinWord(after, start)).toBe(false)
        expect(isWithinWord(after, end)).toBe(false)
      }
    }),
    { numRuns: 1000 },
  )
})

it('tells a reworded phrase as one change', () => {
  expect(wordChanges('It goes out for review.\n', 'It is sent out for review.\n')).toEqual([
    { start: 3, end: 10, removed: 'goes' },
  ])
})
