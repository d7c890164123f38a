import fc from 'fast-check'
import { expect, test } from 'vitest'
import { counterpart } from './counterpart.ts'
import { readSource } from '../reading/read-source.ts'

test('finds a place among signs that the other text leaves out', () => {
  const source = 'See **the [proof](https://example.org/a/long/address?of=it)** and *then* the proof again.'
  const { said, places } = readSource(source)
  const shown = 'Seetheproofandthentheproofagain.'
  expect(places[counterpart(shown, said, shown.indexOf('then'))]).toBe(source.indexOf('then*'))
  const last = shown.lastIndexOf('proof')
  expect(places[counterpart(shown, said, last)]).toBe(source.lastIndexOf('proof'))
})

test('of words that are said again and again finds those at the same part of the text', () => {
  const line = 'Readslowly.'
  const shown = line.repeat(40)
  const other = `${'|'.repeat(3)}${shown}`
  for (let i = 0; i < 40; i++) expect(counterpart(shown, other, i * line.length)).toBe(3 + i * line.length)
})

test('a text is its own counterpart, place by place', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.nat(), (text, number) => {
      const at = number % (text.length + 1)
      expect(counterpart(text, text, at)).toBe(at)
    }),
  )
})

test('always answers a place in the other text', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.nat(), (one, other, number) => {
      const found = counterpart(one, other, number % (one.length + 1))
      expect(found).toBeGreaterThanOrEqual(0)
      expect(found).toBeLessThanOrEqual(other.length)
    }),
  )
})
