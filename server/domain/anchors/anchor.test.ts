import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { anyText, whole } from '../testing/arbitrary-text.ts'
import { anchorAt } from './anchor.ts'
import { placeAnchor } from './place-anchor.ts'
import { charactersRead, flat } from '../testing/large-text.ts'
import { marked, show } from '../testing/marked-text.ts'

describe('an anchor made from a selection', () => {
  it('holds the words, what stands around them and where they begin', () => {
    const text = 'x'.repeat(40) + 'words' + 'y'.repeat(40)
    expect(anchorAt(text, 40, 45)).toEqual({
      exact: 'words',
      prefix: 'x'.repeat(32),
      suffix: 'y'.repeat(32),
      start: 40,
    })
    expect(anchorAt('all', 0, 3)).toEqual({ exact: 'all', prefix: '', suffix: '', start: 0 })
  })

  it('never cuts a surrogate pair in its context', () => {
    const text = 'a' + '😀'.repeat(20) + 'word' + '😀'.repeat(20)
    const { prefix, suffix } = anchorAt(text, 41, 45)
    expect(prefix).toBe('😀'.repeat(16))
    expect(suffix).toBe('😀'.repeat(16))
    const odd = anchorAt('😀'.repeat(20) + 'b word b' + '😀'.repeat(20), 42, 46)
    expect(odd.prefix.isWellFormed() && odd.suffix.isWellFormed()).toBe(true)
  })

  it('is placed where it was made', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.nat(), (text, a, b) => {
        const [start, end] = [whole(text, a % (text.length + 1)), whole(text, b % (text.length + 1))].sort(
          (x, y) => x - y,
        ) as [number, number]
        expect(placeAnchor(text, anchorAt(text, start, end))).toEqual(start < end ? { start, end } : null)
      }),
    )
  })
})

describe('placing an anchor in a text it wasn’t made on', () => {
  const place = (before: string, after: string) => show(after, placeAnchor(after, marked(before).anchor))

  it('takes the occurrence that fits the context best', () => {
    expect(place('the black cat, the ‹cat› of ours', 'A cat. Then the black cat, the cat of ours')).toBe(
      'A cat. Then the black cat, the ‹cat› of ours',
    )
  })

  it('takes that one also where the same words stand at its offset by now', () => {
    const rows = ['row aa: TODO', 'row bb: ‹TODO›', 'row cc: TODO', 'row dd: TODO', '']
    expect(place(rows.join('\n'), `row 00: TODO\n${rows.join('\n').replace(/[‹›]/g, '')}`)).toBe(
      `row 00: TODO\n${rows.join('\n')}`,
    )
  })

  it('takes the one at its offset where what stood around it has changed, and nothing fits better', () => {
    expect(place('cat. A ‹cat›, a mouse', 'cat. B cat; a rat')).toBe('cat. B ‹cat›; a rat')
  })

  it('takes the nearest of occurrences that fit alike', () => {
    const line = '| yes | no |\n'
    expect(
      placeAnchor(
        '\n' + line.repeat(20),
        anchorAt(line.repeat(20), 10 * line.length + 2, 10 * line.length + 5),
      ),
    ).toEqual({ start: 10 * line.length + 3, end: 10 * line.length + 6 })
  })

  it('takes nearly the same words when they were edited', () => {
    expect(place('So ‹the quick brown fox jumps› over.', 'Well: the quick brown foxes jump over.')).toContain(
      '‹the quick brown fox',
    )
  })

  it('finds a long passage that was edited', () => {
    const passage = Array.from({ length: 120 }, (_, i) => `word${i}`).join(' ')
    const found = place(
      `Intro. ‹${passage}› End.`,
      `New intro here. ${passage.replace('word50', 'other')} End.`,
    )
    expect(found).toBe(`New intro here. ‹${passage.replace('word50', 'other')}› End.`)
  })

  it('gives up when the words are nowhere', () => {
    expect(place('So ‹the quick brown fox› jumps.', 'Something else altogether is said here.')).toBeNull()
    expect(place('a ‹cat› sat', 'a car sat')).toBeNull()
    expect(placeAnchor('text', { exact: '', prefix: '', suffix: '', start: 0 })).toBeNull()
    expect(placeAnchor('text', { exact: 'nowhere', prefix: '', suffix: '', start: 1e9 })).toBeNull()
  })

  it('finds words in a text with CRLF line endings', () => {
    expect(place('one\r\n‹two\r\nthree›\r\n', 'zero\r\none\r\ntwo\r\nthree\r\n')).toBe(
      'zero\r\none\r\n‹two\r\nthree›\r\n',
    )
  })

  it.each([
    ['one letter', 'a', 'a'.repeat(1_000_000)],
    ['a quote as long as may be', 'b' + 'a'.repeat(99_999), 'a'.repeat(1_000_000)],
    ['a quote that is nearly everywhere', 'aaaaaaaaaaab', 'a'.repeat(1_000_000)],
    ['a long quote that is nearly everywhere', 'a'.repeat(300) + 'b', 'a'.repeat(1_000_000)],
  ])('costs no more than it may on a hostile text: %s', (_what, exact, text) => {
    const anchor = { exact, prefix: 'x'.repeat(1000), suffix: 'y'.repeat(1000), start: 2_000_000 }
    const budget = { left: 20_000_000 }
    placeAnchor(text, anchor, budget)
    expect(budget.left).toBeLessThan(20_000_000)
    // What is begun with is finished: one piece of text that nearly agrees everywhere.
    expect(budget.left).toBeGreaterThan(-100_000_000)
  })

  it.each([
    ['one letter', 'a'.repeat(300), 'x'],
    ['nearly one letter', `${'a'.repeat(299)}b`, 'x'],
    ['one letter after another', `b${'a'.repeat(299)}`, 'x'],
  ])('reads a text of %s only a few times over, and compares few of its places', (_what, exact, sign) => {
    const text = flat('a'.repeat(950_000))
    const anchor = { exact, prefix: sign.repeat(32), suffix: sign.repeat(32), start: 500_000 }
    const starts = vi.spyOn(String.prototype, 'startsWith')
    const read = charactersRead(() => placeAnchor(text, anchor))
    const compared = starts.mock.calls.length
    starts.mockRestore()
    expect(read).toBeLessThan(10 * text.length)
    expect(compared).toBeLessThan(20_000)
  })
})
