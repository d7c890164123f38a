import { expect, test } from 'vitest'
import { asItStands } from './as-it-stands.ts'

test('a suggestion is read among the words that stand around it by now', () => {
  const anchor = { exact: 'quick', prefix: 'teh ', suffix: ' proof', start: 4 }
  const now = { before: 'and the ', behind: ' proof' }
  const placed = { anchor, range: { start: 8, end: 13 }, around: now }
  expect(asItStands(placed).anchor).toEqual({ ...anchor, prefix: 'and the ', start: 8 })
  for (const one of [
    { anchor, range: placed.range },
    { anchor, range: null, around: now },
    { ...placed, anchor: null },
  ])
    expect(asItStands(one)).toBe(one)
})
