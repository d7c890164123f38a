import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toLf } from './line-endings.ts'

describe('the line endings of a text', () => {
  it('are line feeds in an editor, as many as there were', () => {
    const lines = fc.array(
      fc.string().map((line) => line.replace(/[\r\n]/g, '')),
      { minLength: 1 },
    )
    fc.assert(
      fc.property(lines, fc.constantFrom('\n', '\r\n', '\r'), (parts, ending) => {
        expect(toLf(parts.join(ending))).toBe(parts.join('\n'))
      }),
    )
  })

  it('become line feeds when they were mixed, too', () => {
    expect(toLf('a\r\nb\rc\n')).toBe('a\nb\nc\n')
  })
})
