import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesOf, isLong, jsonBytes, letOthers } from './slices.ts'

const long = '“a\u0001𝄞"\\é\n'.repeat(150_000)

describe('a long answer', () => {
  it('is the same as one that is made at once', async () => {
    const plain = fc.jsonValue({ maxDepth: 3 })
    const value = fc.array(
      fc.oneof(plain, fc.constant({ text: long, gone: undefined, list: [1, long.slice(1)] })),
      // Each long one is some megabytes.
      { maxLength: 3 },
    )
    await fc.assert(
      fc.asyncProperty(value, async (values) => {
        const data = { data: values, error: null }
        expect((await jsonBytes(data)).equals(Buffer.from(JSON.stringify(data)))).toBe(true)
      }),
      { numRuns: 30 },
    )
  })

  it('is cut within no character, wherever that stands', async () => {
    for (const shift of [0, 1, 2, 3]) {
      const text = 'x'.repeat(shift) + '𝄞'.repeat(700_000)
      expect((await bytesOf(text)).equals(Buffer.from(text))).toBe(true)
      expect(JSON.parse((await jsonBytes(text)).toString())).toBe(text)
    }
  })

  it('lets others have their turn between slices', async () => {
    for (const make of [() => bytesOf(long), () => jsonBytes({ data: long })]) {
      let others = 0
      let ended = false
      const made = make().finally(() => (ended = true))
      while (!ended) {
        await letOthers()
        others++
      }
      await made
      expect(others).toBeGreaterThan(2)
    }
  })

  it('is told from a short one by all its texts together', () => {
    expect(isLong({ data: 'short', error: null })).toBe(false)
    expect(isLong(long)).toBe(true)
    expect(isLong({ data: Array.from({ length: 6000 }, () => ({ body: 'x'.repeat(100) })) })).toBe(true)
  })
})
