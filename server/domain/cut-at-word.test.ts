import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutAtWord, withoutFirstWord, withoutLastWord } from './cut-at-word.ts'

test('a text is cut behind a whole word', () => {
  expect(cutAtWord('extraordinarily complicated sentences', 32)).toBe('extraordinarily complicated…')
  expect(cutAtWord('extraordinarily complicated sentences', 37)).toBe('extraordinarily complicated sentences')
  expect(cutAtWord('We don’t know', 8)).toBe('We…')
  expect(cutAtWord('校样是在印刷之前送出去审阅的草稿', 6)).toMatch(/^校样是?在?…$/)
})

test('a single word that is longer is cut between graphemes', () => {
  expect(cutAtWord('x'.repeat(50), 10)).toBe(`${'x'.repeat(9)}…`)
  expect(cutAtWord('👩‍👩‍👧‍👦'.repeat(9), 25)).toBe('👩‍👩‍👧‍👦👩‍👩‍👧‍👦…')
  expect(cutAtWord('e\u0301'.repeat(9), 6)).toBe('e\u0301e\u0301…')
})

test('it is never longer than allowed, and begins as the text does', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, most) => {
      const cut = cutAtWord(text, most)
      expect(cut.length).toBeLessThanOrEqual(most)
      expect(text.startsWith(cut.replace(/…$/, ''))).toBe(true)
    }),
  )
})

test('a part of a text is shown without the words in which it may have been cut', () => {
  expect(withoutLastWord('that goes out for r')).toBe('that goes out for')
  expect(withoutFirstWord('aft that goes out')).toBe('that goes out')
  expect([withoutLastWord(''), withoutFirstWord('')]).toEqual(['', ''])
})
