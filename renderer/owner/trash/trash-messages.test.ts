import { expect, it } from 'vitest'
import { keepingWords, leftWords } from './trash-messages.ts'

const at = '2026-03-01T12:00:00.000Z'
const later = (days: number) => Date.parse(at) + days * 24 * 60 * 60 * 1000

it('says how long documents are kept', () => {
  expect(keepingWords(30)).toContain('for 30 days,')
  expect(keepingWords(1)).toContain('for a day,')
  expect(keepingWords(null)).toContain('until you restore them')
})

it('counts the days that are left, the one that has begun too', () => {
  expect(leftWords(at, 30, later(0))).toBe('30 days left')
  expect(leftWords(at, 30, later(0.1))).toBe('30 days left')
  expect(leftWords(at, 30, later(28.5))).toBe('2 days left')
  expect(leftWords(at, 30, later(29.5))).toBe('1 day left')
  expect(leftWords(at, 30, later(30))).toBe('about to go')
  expect(leftWords(at, null, later(3000))).toBe('')
})
