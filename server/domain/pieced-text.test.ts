import { ChangeSet, Text } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentHash } from './content-hash.ts'
import { PiecedText } from './pieced-text.ts'

const textOf = (text: string) => Text.of(text.split('\n'))
/** Some letters of one to four bytes, many times over. */
const longText = fc
  .tuple(
    fc.string({ unit: fc.constantFrom('a', 'é', '—', '😀', '\n', ' '), minLength: 1, maxLength: 40 }),
    fc.nat(6_000),
  )
  .map(([unit, times]) => unit.repeat(times))
const edits = fc.array(
  fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), remove: fc.nat(50_000), insert: longText }),
  { maxLength: 12 },
)

/** A place that doesn't halve a pair. */
const whole = (text: string, at: number) => (/^[\udc00-\udfff]/.test(text.slice(at)) ? at - 1 : at)

describe('a text in pieces', () => {
  it('is the text, hash and size that each of its changes makes, and reads like a string', () => {
    fc.assert(
      fc.property(longText, edits, (start, changes) => {
        let [text, pieced] = [start, PiecedText.of(start)]
        for (const { at, remove, insert } of changes) {
          const from = whole(text, Math.floor(at * text.length))
          const to = whole(text, Math.min(text.length, from + remove))
          const change = ChangeSet.of([{ from, to, insert: textOf(insert) }], text.length)
          text = text.slice(0, from) + insert + text.slice(to)
          pieced = pieced.changed(change)
          expect(pieced.length).toBe(text.length)
          expect(pieced.hash).toBe(contentHash(text))
          expect(pieced.bytes).toBe(Buffer.byteLength(text))
          for (const [a, b] of [
            [from, to],
            [from - 5, to + 5],
            [-20, undefined],
            [0, 7],
          ])
            expect(pieced.slice(a, b)).toBe(text.slice(a, b))
        }
        expect(pieced.whole).toBe(text)
        expect(pieced.slice(3, 9)).toBe(text.slice(3, 9))
        expect(pieced.equals(PiecedText.of(text))).toBe(true)
        expect(pieced.equals(PiecedText.of(`${text}.`))).toBe(false)
      }),
      { numRuns: 60 },
    )
  })

  it('takes many changes at one time', () => {
    fc.assert(
      fc.property(longText, fc.array(fc.nat(), { maxLength: 50 }), (start, places) => {
        const sorted = [...new Set(places.map((place) => whole(start, place % (start.length + 1))))].sort(
          (a, b) => a - b,
        )
        const change = ChangeSet.of(
          sorted.map((from) => ({ from, insert: '—x' })),
          start.length,
        )
        const after = change.apply(textOf(start)).toString()
        const pieced = PiecedText.of(start).changed(change)
        expect([pieced.whole, pieced.hash]).toEqual([after, contentHash(after)])
      }),
      { numRuns: 60 },
    )
  })

  it('never ends a piece within a pair, not even one whose halves came together', () => {
    const [high, low] = ['\ud83d', '\ude00']
    const before = `${'a'.repeat(16 * 1024 - 1)}${high}${'b'.repeat(40_000)}`
    const text = `${before}${low}${'c'.repeat(40_000)}`
    const change = ChangeSet.of([{ from: 16 * 1024, to: before.length }], text.length)
    const after = `${'a'.repeat(16 * 1024 - 1)}😀${'c'.repeat(40_000)}`
    expect(PiecedText.of(text).changed(change).hash).toBe(contentHash(after))
  })

  it('costs what is changed, not what is there', () => {
    const text = PiecedText.of('A line of words.\n'.repeat(600_000))
    void text.hash
    let pieced = text
    const cost = (times: number) => {
      const began = process.cpuUsage()
      for (let i = 0; i < times; i++) {
        pieced = pieced.changed(ChangeSet.of([{ from: 5_000_000, insert: 'x' }], pieced.length))
        void pieced.hash
      }
      return process.cpuUsage(began).user
    }
    cost(5)
    // Each of these took more than the copy of ten megabytes.
    expect(cost(20)).toBeLessThan(20 * copyCost(text.whole))
  })
})

function copyCost(text: string): number {
  const began = process.cpuUsage()
  for (let i = 0; i < 5; i++) contentHash(`${text.slice(0, 5_000_000)}x${text.slice(5_000_000)}`)
  return process.cpuUsage(began).user / 5
}
