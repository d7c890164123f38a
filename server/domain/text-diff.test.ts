import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText, editedText } from './arbitrary-text.ts'
import { splitsPair, textDiff, type Hunk } from './text-diff.ts'

const rebuild = (before: string, after: string, hunks: Hunk[]) => {
  let text = ''
  let at = 0
  for (const { fromA, toA, fromB, toB } of hunks) {
    text += before.slice(at, fromA) + after.slice(fromB, toB)
    at = toA
  }
  return text + before.slice(at)
}
const told = (before: string, after: string) =>
  textDiff(before, after).map((hunk) => [
    before.slice(hunk.fromA, hunk.toA),
    after.slice(hunk.fromB, hunk.toB),
  ])

/** Deterministic prose of about so many characters. */
function prose(length: number): string {
  let seed = 7
  const random = (n: number) => Math.floor(((seed = (seed * 1664525 + 1013904223) >>> 0) / 2 ** 32) * n)
  const vocabulary = Array.from({ length: 3000 }, () =>
    Array.from({ length: 2 + random(9) }, () => 'etaoinshrdlucmfwyp'[random(18)]).join(''),
  )
  let text = ''
  while (text.length < length) {
    const words = Array.from({ length: 80 }, () => vocabulary[Math.min(random(3000), random(3000))])
    text += words.join(' ') + '.\n\n'
  }
  return text
}
const wrapped = (text: string, width: number) =>
  text.replace(/[^\n]+/g, (paragraph) =>
    paragraph.replace(new RegExp(`(.{1,${width}})( |$)`, 'g'), '$1\n').trim(),
  )

describe('the difference between two texts', () => {
  it('always turns the one into the other', () => {
    fc.assert(
      fc.property(
        fc.oneof(editedText, fc.record({ before: anyText, after: anyText })),
        ({ before, after }) => {
          expect(rebuild(before, after, textDiff(before, after))).toBe(after)
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('comes in order, without empty or touching hunks', () => {
    fc.assert(
      fc.property(editedText, ({ before, after }) => {
        let last: Hunk | undefined
        for (const hunk of textDiff(before, after)) {
          expect(hunk.toA - hunk.fromA + hunk.toB - hunk.fromB).toBeGreaterThan(0)
          if (last) expect(hunk.fromA).toBeGreaterThan(last.toA)
          if (last) expect(hunk.fromA - last.toA).toBe(hunk.fromB - last.toB)
          last = hunk
        }
      }),
    )
  })

  it('never splits a word or a surrogate pair', () => {
    const inWord = (text: string, at: number) =>
      at > 0 && /^[\p{sc=Latin}\p{N}\p{M}]{2}$/u.test(text.slice(at - 1, at + 1))
    fc.assert(
      fc.property(editedText, ({ before, after }) => {
        for (const { fromA, toA, fromB, toB } of textDiff(before, after)) {
          for (const [text, at] of [
            [before, fromA],
            [before, toA],
            [after, fromB],
            [after, toB],
          ] as const) {
            expect(splitsPair(text, at)).toBe(false)
            expect(inWord(text, at)).toBe(false)
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  it('is empty for equal texts', () => {
    expect(textDiff('', '')).toEqual([])
    expect(textDiff('same\r\n', 'same\r\n')).toEqual([])
  })

  it('replaces whole words', () => {
    expect(told('The colour of it', 'The color of it')).toEqual([['colour', 'color']])
    expect(told('👩‍👩‍👧 went', '👩‍👩‍👦 went')).toEqual([['👩‍👩‍👧', '👩‍👩‍👦']])
    expect(told('我喜欢猫。', '我喜欢狗。')).toEqual([['猫', '狗']])
  })

  it('tells a sentence, a line or a paragraph that was added or removed as one', () => {
    expect(told('The dog barked. The end.', 'The dog barked. The cat sat. The end.')).toEqual([
      ['', 'The cat sat. '],
    ])
    expect(told('- one\n- two\n- three\n', '- one\n- three\n')).toEqual([['- two\n', '']])
    expect(told('The A.\n\nThe B.\n', 'The A.\n\nThe A and B.\n\nThe B.\n')).toEqual([
      ['', 'The A and B.\n\n'],
    ])
  })

  it('sees a change of line endings in each line end only', () => {
    expect(told('a\r\nb\r\n', 'a\nb\n')).toEqual([
      ['\r\n', '\n'],
      ['\r\n', '\n'],
    ])
  })

  it('changes little but line breaks in a megabyte of text wrapped anew, and ends soon', () => {
    const text = prose(1_000_000)
    const before = wrapped(text, 70)
    const after = wrapped(text, 100)
    const started = performance.now()
    const hunks = textDiff(before, after)
    expect(performance.now() - started).toBeLessThan(5000)
    expect(rebuild(before, after, hunks)).toBe(after)
    const wordsTaken = hunks.map(({ fromA, toA }) => before.slice(fromA, toA).trim()).filter(Boolean)
    expect(wordsTaken.length).toBeLessThan(10)
  })

  it('ends soon, with coarser hunks, on texts made to be hard', () => {
    const text = prose(500_000)
    const hard: [string, string][] = [
      ['a b '.repeat(250_000), 'b a a '.repeat(170_000)],
      ['a\nb\n'.repeat(250_000), 'b\na\na\n'.repeat(170_000)],
      [text, [...text].reverse().join('')],
      [text.split(' ').reverse().join(' '), text],
      ['x'.repeat(1_000_000), 'x'.repeat(500_000) + 'y' + 'x'.repeat(500_000)],
    ]
    for (const [before, after] of hard) {
      const started = performance.now()
      const hunks = textDiff(before, after)
      expect(performance.now() - started).toBeLessThan(5000)
      expect(rebuild(before, after, hunks)).toBe(after)
    }
  })

  it('stays small for one word changed in a line of ten megabytes', () => {
    const before = 'word '.repeat(2_000_000)
    const after = before.slice(0, 5_000_000) + 'other ' + before.slice(5_000_000)
    expect(told(before, after)).toEqual([['', 'other ']])
  })
})

it.each(['x', 'é', '字', ' ', '\u0301', '👩\u200d'])(
  'a run of millions of “%s” has a difference like any other',
  (one) => {
    const after = one.repeat(5_500_000 / one.length)
    const hunks = textDiff('Some text', after)
    expect(hunks.length).toBeGreaterThan(0)
    expect(textDiff(after, 'Some text').length).toBeGreaterThan(0)
  },
)
