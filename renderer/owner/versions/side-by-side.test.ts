import { expect, test } from 'vitest'
import { diffSegments } from '../../../server/domain/diff-segments.ts'
import { sideBySide } from './side-by-side.ts'

test('rows hold both texts to the letter, and end where both end a line', () => {
  const old = 'One.\n\nA red house.\nGone.\n\nEnd'
  const young = 'One.\n\nA blue house.\n\nNew.\n\nEnd'
  const rows = sideBySide(diffSegments(old, young))
  const all = (side: 'before' | 'after') => rows.flatMap((row) => row[side].map(({ text }) => text)).join('')
  expect(all('before')).toBe(old)
  expect(all('after')).toBe(young)
  expect(rows[0]).toEqual({
    before: [{ kind: 'same', text: 'One.\n' }],
    after: [{ kind: 'same', text: 'One.\n' }],
  })
  expect(rows.length).toBeGreaterThan(3)
})
