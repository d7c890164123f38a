import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anchorInSource } from './anchor-in-source.ts'

it('finds words over line breaks, of several places the nearest', () => {
  const source = 'One wide\nmargin, and another wide margin.'
  expect(anchorInSource(source, 'wide margin', 0)).toMatchObject({ exact: 'wide\nmargin', start: 4 })
  expect(anchorInSource(source, 'wide margin', 1)).toMatchObject({ exact: 'wide margin', start: 29 })
})

it('finds nothing where formatting stands between the words', () => {
  expect(anchorInSource('A *wide* margin', 'A wide margin', 0)).toBeNull()
  expect(anchorInSource('Words', '  ', 0)).toBeNull()
})

it('describes exactly the words it found, with whole characters around them', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      (before, words, after) => {
        const source = before + words + after
        const anchor = anchorInSource(source, words, 0)
        if (words.trim() === '') {
          expect(anchor).toBeNull()
          return
        }
        const { exact, prefix, suffix, start } = anchor!
        expect(source.slice(start, start + exact.length)).toBe(exact)
        expect(source.slice(0, start).endsWith(prefix)).toBe(true)
        expect(source.slice(start + exact.length).startsWith(suffix)).toBe(true)
        expect((prefix + suffix).isWellFormed()).toBe(true)
      },
    ),
  )
})
