import fc from 'fast-check'
import { crc32 as zlibs } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { contentHash, crc32, hasherLike, isHashOf } from './content-hash.ts'

/** Halves of surrogate pairs among them. */
const anyText = fc.string({
  unit: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\ud83d', '\ude00')),
})
const wholeText = fc.string({ unit: 'binary' })

/** Of the texts below, as revisions had it before. */
const earlier = { a: 7929297801672961, revenge: 4051478007546757 }

describe('the hash of a text', () => {
  it('is CRC-32 of its UTF-8, here as in a browser', () => {
    expect(contentHash('123456789')).toBe(0xcbf43926)
    fc.assert(
      fc.property(anyText, (text) => {
        expect(crc32(text)).toBe(zlibs(text))
        expect(contentHash(text)).toBe(zlibs(text))
      }),
    )
  })

  it('tells texts apart', () => {
    fc.assert(
      fc.property(wholeText, wholeText, (a, b) => {
        expect(contentHash(a) === contentHash(b)).toBe(a === b)
      }),
    )
  })

  it('goes on from part to part', () => {
    fc.assert(
      fc.property(fc.array(wholeText), (parts) => {
        const hasher = hasherLike(0)
        for (const part of parts) hasher.add(part)
        expect(hasher.value).toBe(contentHash(parts.join('')))
        expect(parts.reduce((before, part) => crc32(part, before), 0)).toBe(hasher.value)
      }),
    )
  })
})

it('a text is told by the hash that it was given before, too', () => {
  for (const [text, hash] of Object.entries(earlier)) {
    expect([isHashOf(hash, text), isHashOf(hash, `${text}.`)]).toEqual([true, false])
    expect([isHashOf(contentHash(text), text), isHashOf(contentHash(text), `${text}.`)]).toEqual([
      true,
      false,
    ])
    const hasher = hasherLike(hash)
    for (const letter of text) hasher.add(letter)
    expect(hasher.value).toBe(hash)
  }
  expect(isHashOf(null, '')).toBe(false)
})

it('one of before that is as small as today’s is told, too', () => {
  // Found by trying.
  const [text, hash] = ['4adx', 2975343116] as const
  expect(hash).toBeLessThan(2 ** 32)
  expect([isHashOf(hash, text), isHashOf(hash, `${text}.`)]).toEqual([true, false])
})
