import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText, editedText } from '../../../server/domain/testing/arbitrary-text.ts'
import { suggestedPieces, type Piece } from './suggested-pieces.ts'

function applied(original: string, pieces: readonly Piece[]): string {
  let [text, at] = ['', 0]
  for (const { from, to, insert } of pieces) {
    text += original.slice(at, from) + insert
    at = to
  }
  return text + original.slice(at)
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const graphemeEnds = (text: string) =>
  new Set([...segmenter.segment(text)].map(({ index }) => index).concat(text.length))

function expectPieces(original: string, suggested: string): void {
  const pieces = suggestedPieces(original, suggested)
  expect(applied(original, pieces)).toBe(suggested)
  const [before, after] = [graphemeEnds(original), graphemeEnds(suggested)]
  let [last, moved] = [-1, 0]
  for (const { from, to, insert } of pieces) {
    expect(from).toBeGreaterThan(last)
    expect(to - from + insert.length).toBeGreaterThan(0)
    expect(before.has(from) && before.has(to)).toBe(true)
    expect(after.has(from + moved) && after.has(from + moved + insert.length)).toBe(true)
    moved += insert.length - (to - from)
    last = to
  }
}

describe('the pieces of a suggestion', () => {
  it('are a whole line where one is put in whose last words are those before it', () => {
    expect(suggestedPieces('- One item', '- One item\n- New item')).toEqual([
      { from: 10, to: 10, insert: '\n- New item' },
    ])
  })

  it('make what is suggested of the original, and split no grapheme', () => {
    const signs = fc
      .array(
        fc.constantFrom(
          'a',
          'word',
          ' ',
          '\n',
          '\n\n',
          '\n1. ',
          '\n2. ',
          '\r',
          '**',
          'e',
          '\u0301',
          '👩',
          '\u200d',
          '👧',
          '🏽',
          '🇩',
          '🇫',
          '😀',
          '😁',
        ),
        { maxLength: 16 },
      )
      .map((parts) => parts.join(''))
    const pairs = fc.oneof(
      editedText,
      fc.record({ before: anyText, after: anyText }),
      fc.record({ before: signs, after: signs }),
      fc.record({ before: fc.string({ unit: 'binary' }), after: fc.string({ unit: 'binary' }) }),
    )
    fc.assert(
      fc.property(pairs, ({ before, after }) => expectPieces(before, after)),
      { numRuns: 1000 },
    )
  })

  it('are the words of a sentence that differ', () => {
    const original = 'The quick brown fox jumps over the dog.'
    const pieces = suggestedPieces(original, 'The slow brown fox jumps over the lazy dog.')
    expect(pieces.map(({ from, to, insert }) => [original.slice(from, to), insert])).toEqual([
      ['quick', 'slow'],
      ['', 'lazy '],
    ])
  })

  it('tell which number an item has once there is one before it', () => {
    const told = (original: string, suggested: string) => {
      expectPieces(original, suggested)
      return suggestedPieces(original, suggested).map(({ from, to, insert }) => [
        original.slice(from, to),
        insert,
      ])
    }
    expect(told('1. One\n2. Two\n3. Three', '1. One\n2. New\n3. Two\n4. Three')).toEqual([
      ['', '\n2. New'],
      ['2', '3'],
      ['3', '4'],
    ])
    expect(told('2. Two', '3. Two')).toEqual([['2', '3']])
  })

  it('tell what is put in from what is taken out', () => {
    expect(suggestedPieces('', 'new\n')).toEqual([{ from: 0, to: 0, insert: 'new\n' }])
    expect(suggestedPieces('one\n\ntwo', 'one two')).toEqual([{ from: 3, to: 5, insert: ' ' }])
    expect(suggestedPieces('gone', '')).toEqual([{ from: 0, to: 4, insert: '' }])
    expect(suggestedPieces('same', 'same')).toEqual([])
  })

  it('are coarse where the texts are very long', () => {
    const words = (word: string, every: number) =>
      Array.from({ length: 20_000 }, (_, i) => (i % every === every - 1 ? word : `word${i % 7}`)).join(' ')
    const [original, suggested] = [words('one', 3), words('other', 4)]
    const pieces = suggestedPieces(original, suggested)
    expect(pieces.length).toBe(1)
    expect(applied(original, pieces) === suggested).toBe(true)
  })
})
