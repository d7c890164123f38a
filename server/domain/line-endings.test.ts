import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineEndings, toLf, withLineEndings } from './line-endings.ts'

describe('the line endings of a text', () => {
  it.each([
    ['', 'none'],
    ['one line', 'none'],
    ['a\nb\n', 'lf'],
    ['a\r\nb\r\n', 'crlf'],
    ['a\rb\r', 'cr'],
    ['a\r\nb\n', 'mixed'],
    ['a\rb\r\n', 'mixed'],
    ['a\n\rb', 'mixed'],
  ])('of %j are %s', (text, endings) => {
    expect(lineEndings(text)).toBe(endings)
  })

  it('come back unchanged from an editor when they are all alike', () => {
    const lines = fc.array(fc.string().map((line) => line.replace(/[\r\n]/g, '')))
    fc.assert(
      fc.property(lines, fc.constantFrom('\n', '\r\n', '\r'), (parts, ending) => {
        const text = parts.join(ending)
        expect(withLineEndings(toLf(text), lineEndings(text))).toBe(text)
        expect(toLf(text)).not.toContain('\r')
      }),
    )
  })

  it('become line feeds when they were mixed', () => {
    expect(withLineEndings(toLf('a\r\nb\rc\n'), 'mixed')).toBe('a\nb\nc\n')
  })
})
