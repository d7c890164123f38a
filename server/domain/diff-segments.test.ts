import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText, editedText } from './testing/arbitrary-text.ts'
import { diffSegments, type Segment } from './diff-segments.ts'

const without = (kind: Segment['kind'], segments: Segment[]) =>
  segments
    .filter((segment) => segment.kind !== kind)
    .map(({ text }) => text)
    .join('')
const shown = (before: string, after: string) =>
  diffSegments(before, after)
    .map(({ kind, text }) => (kind === 'removed' ? `[-${text}-]` : kind === 'added' ? `{+${text}+}` : text))
    .join('')

describe('a difference told to people', () => {
  it('contains both texts exactly', () => {
    fc.assert(
      fc.property(
        fc.oneof(editedText, fc.record({ before: anyText, after: anyText })),
        ({ before, after }) => {
          const segments = diffSegments(before, after)
          expect(without('added', segments)).toBe(before)
          expect(without('removed', segments)).toBe(after)
          expect(segments.every(({ text }) => text !== '')).toBe(true)
        },
      ),
      { numRuns: 1000 },
    )
  })

  const signs = fc
    .array(fc.constantFrom('*', '**', '***', '~~', '`', '``', '#', 'word', 'a', ' ', '\n'), { maxLength: 20 })
    .map((parts) => parts.join(''))
  it('contains both texts exactly where they are full of signs, and cuts no run of them', () => {
    fc.assert(
      fc.property(signs, signs, (before, after) => {
        const segments = diffSegments(before, after)
        for (const [kind, text] of [
          ['added', before],
          ['removed', after],
        ] as const) {
          expect(without(kind, segments)).toBe(text)
          let at = 0
          for (const segment of segments.filter((one) => one.kind !== kind)) {
            if (at > 0) expect(/^([*~`#])\1$/.test(text.slice(at - 1, at + 1))).toBe(false)
            at += segment.text.length
          }
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('tells whole lines that are put in, and the number that a line behind them has', () => {
    expect(shown('Second item', 'Second item\n- Third item')).toBe('Second item{+\n- Third item+}')
    expect(shown('1. One\n2. Two', '1. One\n2. New\n3. Two')).toBe('1. One{+\n2. New+}\n[-2-]{+3+}. Two')
  })

  it('takes the signs around words as they stand', () => {
    expect(shown('in **margins** of', 'in *edges* of')).toBe('in [-**margins**-]{+*edges*+} of')
    expect(shown('a *word* here', 'a **word** here')).toBe('a [-*-]{+**+}word[-*-]{+**+} here')
    expect(shown('## Title', '# Title')).toBe('[-##-]{+#+} Title')
  })

  it('shows a reworded phrase as one change', () => {
    expect(shown('It goes out for review.', 'It is sent off for review.')).toBe(
      'It [-goes out-]{+is sent off+} for review.',
    )
  })

  it('keeps changes in different lines apart', () => {
    expect(shown('one\ntwo\n', 'uno\ndue\n')).toBe('[-one-]{+uno+}\n[-two-]{+due+}\n')
  })

  it('shows an addition without repeating what stands around it', () => {
    expect(shown('a galley proof', 'a clean galley proof')).toBe('a {+clean +}galley proof')
  })
})
