import fc from 'fast-check'
import { expect, it } from 'vitest'
import { codePointLength, firstCodePoints } from './code-points.ts'

it('a text is as long as it has code points', () => {
  expect(codePointLength('a😀b')).toBe(3)
  expect(codePointLength('\ud83d')).toBe(1)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(codePointLength(text)).toBe([...text].length)
    }),
  )
})

it('a text is cut between code points', () => {
  expect(firstCodePoints('a😀b', 2)).toBe('a😀')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, most) => {
      expect(firstCodePoints(text, most)).toBe([...text].slice(0, most).join(''))
    }),
  )
})
