import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText, editedText } from '../testing/arbitrary-text.ts'
import { charactersRead, flat, megabytes, prose, wrapped } from '../testing/large-text.ts'
import { splitsPair } from '../common-ends.ts'
import type { Hunk } from '../hunk.ts'
import { CHANGE_BUDGET } from '../budget.ts'
import { textDiff } from './index.ts'

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

  it.each(['\n\n', ' '])(
    'tells each of many words that were changed, between paragraphs by %j',
    (between) => {
      const text = (changed: boolean) =>
        Array.from({ length: 300 }, (_, i) =>
          Array.from({ length: 20 }, (_, j) =>
            changed && i % 3 === 0 && j === 7 ? 'other' : `w${i}x${j}`,
          ).join(' '),
        ).join(between)
      expect(told(text(false), text(true))).toEqual(
        Array.from({ length: 100 }, (_, i) => [`w${3 * i}x7`, 'other']),
      )
    },
  )

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

  it('changes little but line breaks in a megabyte of text wrapped anew', () => {
    const text = prose(1_000_000)
    const before = wrapped(text, 70)
    const after = wrapped(text, 100)
    const hunks = textDiff(before, after)
    expect(rebuild(before, after, hunks)).toBe(after)
    const wordsTaken = hunks.map(({ fromA, toA }) => before.slice(fromA, toA).trim()).filter(Boolean)
    expect(wordsTaken.length).toBeLessThan(10)
  })

  it('stays small for one word changed in a line of ten megabytes', () => {
    const before = 'word '.repeat(2_000_000)
    const after = before.slice(0, 5_000_000) + 'other ' + before.slice(5_000_000)
    expect(told(before, after)).toEqual([['', 'other ']])
  })
})

const everyNth = (text: string, n: number, edit: (at: number) => string) => {
  const step = Math.floor(text.length / n)
  let edited = ''
  for (let i = 0; i < n; i++)
    edited +=
      text.slice(i * step, (i + 1) * step - 30) + edit(i) + text.slice((i + 1) * step - 20, (i + 1) * step)
  return flat(edited + text.slice(n * step))
}

describe('the difference between two large texts', () => {
  const words = prose(10 * 2 ** 20)
  const rows = Array.from({ length: 700_000 }, (_, i) => `${i % 97},${(i * 7) % 1000},x${i % 13}`).join('\n')

  it.each<[string, string]>([
    ['prose', words],
    ['a table of short rows', rows],
    ['a single line', words.replaceAll('\n', ' ')],
  ])('stays small for many changes scattered over ten megabytes of %s', (_what, before) => {
    const after = everyNth(flat(before), 500, (i) => ` changed${i} `)
    const budget = { left: CHANGE_BUDGET.diff }
    const hunks = textDiff(before, after, budget)
    expect(hunks.length).toBeGreaterThanOrEqual(500)
    expect(hunks.length).toBeLessThan(1100)
    expect(hunks.reduce((sum, { fromA, toA }) => sum + toA - fromA, 0)).toBeLessThan(500 * 60)
    expect(rebuild(before, after, hunks) === after).toBe(true)
    expect(budget.left).toBeGreaterThan(CHANGE_BUDGET.diff / 3)
  })

  it('tells a moved chapter and a corrected word apart from a chapter written anew', () => {
    const text = words.slice(0, 4_000_000)
    const after = flat(
      text.slice(0, 500_000) +
        text.slice(1_000_000, 2_000_000) +
        text.slice(500_000, 1_000_000) +
        prose(500_000, 8) +
        text.slice(2_500_000, 3_000_000) +
        ' a corrected word ' +
        text.slice(3_000_000),
    )
    const hunks = textDiff(text, after)
    expect(rebuild(text, after, hunks) === after).toBe(true)
    expect(hunks.reduce((sum, { fromA, toA }) => sum + toA - fromA, 0)).toBeLessThan(1_010_000)
    expect(hunks.at(-1)!.toB - hunks.at(-1)!.fromB).toBeLessThan(40)
  })

  it('reads no more than it may, and is exact then too', () => {
    const left = 1_000_000
    for (const [before, after] of [
      [words.slice(0, 2_000_000), prose(2_000_000, 8)],
      [rows.slice(0, 2_000_000), rows.slice(0, 2_000_000).replaceAll('x', 'y')],
      [megabytes('\n', 2), megabytes('a\n', 2)],
      [megabytes('a b ', 2), megabytes('b a a ', 2)],
    ] as const) {
      let hunks: Hunk[] = []
      expect(charactersRead(() => (hunks = textDiff(before, after, { left })))).toBeLessThan(left)
      expect(rebuild(before, after, hunks) === after).toBe(true)
    }
  })

  it.each<[string, () => [string, string]]>([
    ['other prose', () => [words, prose(10 * 2 ** 20, 8)]],
    [
      'the same words reversed',
      () => [words.slice(0, 3e6), words.slice(0, 3e6).split(' ').reverse().join(' ')],
    ],
    [
      'the same characters reversed',
      () => [words.slice(0, 10 ** 6), [...words.slice(0, 10 ** 6)].reverse().join('')],
    ],
    ['every line ended otherwise', () => [rows, rows.replaceAll('\n', '\r\n')]],
    ['every row changed', () => [rows.slice(0, 3e6), rows.slice(0, 3e6).replaceAll('x', 'y')]],
    ['nothing but line feeds', () => [words, megabytes('\n', 10)]],
    ['two words in another order', () => [megabytes('a b ', 3), megabytes('b a a ', 3)]],
    ['two lines in another order', () => [megabytes('a\nb\n', 3), megabytes('b\na\na\n', 3)]],
    ['one letter instead of another', () => [megabytes('x', 3), megabytes('y', 3)]],
    [
      'a run that got longer on both sides of a letter',
      () => [megabytes('x', 1), megabytes('x', 1) + 'y' + megabytes('x', 2)],
    ],
  ])('costs no more than it may for %s', (_what, texts) => {
    const [before, after] = texts().map(flat) as [string, string]
    const budget = { left: CHANGE_BUDGET.diff }
    const hunks = textDiff(before, after, budget)
    // What is begun with may be finished.
    expect(budget.left).toBeGreaterThan(-CHANGE_BUDGET.diff / 10)
    expect(rebuild(before, after, hunks) === after).toBe(true)
  })
})

describe('texts that are made to deceive', () => {
  it('are compared exactly where a mark belongs to no script’s words', () => {
    const before = '\u{16ff0}one two three four\u{16ff0} five'
    const after = '\u{16ff0}one zwei three 4\u{16ff1} five six'
    expect(rebuild(before, after, textDiff(before, after))).toBe(after)
  })

  it('are compared exactly where different lines have the same hashes', () => {
    for (const [one, other] of [
      ['\u7e54\u1051\u2000', '\ua9e5\u10c9\uc5c9'],
      ['\ua81b\u113f\u1000', '\u50aa\u119d\u88b3'],
    ]) {
      const before = `first\n${one}\nlast\n`
      const after = `first!\n${other}\nlast!\n`
      expect(rebuild(before, after, textDiff(before, after))).toBe(after)
    }
  })
})

it.each(['x', 'é', '字', ' ', '\u0301', '👩\u200d'])(
  'a run of millions of “%s” has a difference like any other',
  (one) => {
    const after = one.repeat(2_200_000 / one.length)
    const hunks = textDiff('Some text', after)
    expect(hunks.length).toBeGreaterThan(0)
    expect(textDiff(after, 'Some text').length).toBeGreaterThan(0)
  },
)
