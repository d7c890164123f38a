import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toLf } from '../../server/domain/line-endings.ts'
import { Offsets } from './offsets.ts'

const texts = fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', '\r', 'b '), maxLength: 40 })

it('finds the same place in the stored text and in the editor’s', () => {
  fc.assert(
    fc.property(texts, fc.nat(), (stored, n) => {
      const edited = toLf(stored)
      const at = n % (edited.length + 1)
      const offsets = new Offsets(stored)
      expect(offsets.toEditor(offsets.toStored(at))).toBe(at)
      expect(toLf(stored.slice(0, offsets.toStored(at)))).toBe(edited.slice(0, at))
    }),
  )
})
it('takes a place within a CRLF for the one before it', () => {
  expect(new Offsets('a\r\nb').toEditor(2)).toBe(1)
})
