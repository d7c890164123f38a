import { ChangeSet, Text } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { replacementByWords } from './testing/replacement.ts'
import { GalleyError } from '../contract/errors.ts'
import { anyText, changesFor, editedText } from './testing/arbitrary-text.ts'
import {
  applyChanges,
  changesFromJson,
  changesToJson,
  completeChanges,
  hunksFromJson,
  hunksToJson,
  hunksToShape,
} from './change-set.ts'
import { textDiff } from './diff/index.ts'

const textWithChanges = anyText.chain((text) => changesFor(text).map((changes) => ({ text, changes })))

describe('a change set', () => {
  it('made from two texts turns the one into the other, whatever their line endings', () => {
    fc.assert(
      fc.property(editedText, ({ before, after }) => {
        expect(applyChanges(before, replacementByWords(before, 0, before.length, after))).toBe(after)
      }),
      { numRuns: 500 },
    )
  })

  it('applies to a string as CodeMirror applies it to its tree of lines', () => {
    fc.assert(
      fc.property(textWithChanges, ({ text, changes }) => {
        expect(applyChanges(text, changes)).toBe(changes.apply(Text.of(text.split('\n'))).toString())
      }),
      { numRuns: 500 },
    )
  })

  it('survives being written as JSON', () => {
    fc.assert(
      fc.property(textWithChanges, ({ text, changes }) => {
        const read = changesFromJson(JSON.parse(JSON.stringify(changesToJson(changes))))
        expect(applyChanges(text, read)).toBe(applyChanges(text, changes))
        expect(changesToJson(read)).toEqual(changesToJson(changes))
      }),
    )
  })

  it('is written as JSON alike where it is never made', () => {
    fc.assert(
      fc.property(editedText, ({ before, after }) => {
        expect(hunksToJson(textDiff(before, after), before, after)).toEqual(
          changesToJson(replacementByWords(before, 0, before.length, after)),
        )
      }),
      { numRuns: 500 },
    )
  })

  it('replaces a stretch without touching the words that stay', () => {
    const text = 'Say: the big cat sat.'
    const changes = replacementByWords(text, 5, 20, 'the small cat sat')
    expect(changesToJson(changes)).toEqual([9, [3, 'small'], 9])
  })

  it('is refused for a text of another length', () => {
    expect(() => applyChanges('abc', ChangeSet.empty(4))).toThrow(GalleyError)
  })

  it('is refused when it would leave half of a surrogate pair', () => {
    const half = (from: number, to: number, insert = '') =>
      ChangeSet.of({ from, to, insert: Text.of([insert]) }, 'a😀b'.length)
    expect(() => applyChanges('a😀b', half(1, 2))).toThrow('half of a surrogate pair')
    expect(() => applyChanges('a😀b', half(2, 3))).toThrow('half of a surrogate pair')
    expect(() => applyChanges('a😀b', half(2, 2, 'x'))).toThrow('half of a surrogate pair')
    expect(() => applyChanges('a😀b', half(0, 0, '\ud83d'))).toThrow('half of a surrogate pair')
    expect(applyChanges('a😀b', half(1, 3))).toBe('ab')
  })

  it.each([
    ['no array', { 0: 1 }, 'array'],
    ['a count below 0', [-1], 'whole number'],
    ['a fraction', [1.5], 'whole number'],
    ['no count', [['x']], 'whole number'],
    ['a line that is no text', [[0, 7]], 'well-formed strings'],
    ['a line feed within a line', [[0, 'a\nb']], 'well-formed strings'],
    ['half a surrogate pair', [[0, '\ud800']], 'well-formed strings'],
    ['a part that does nothing', [3, 0], 'says nothing'],
    ['an empty insertion', [3, [0, '']], 'says nothing'],
    ['a text that is far too long', [2 ** 31], 'too long'],
  ])('read from JSON is refused with %s', (_what, json, message) => {
    expect(() => changesFromJson(json)).toThrow(message)
    expect(() => changesFromJson(json)).toThrow(GalleyError)
  })
})

it('the shape of a change says where it is, and the text after it completes it', () => {
  fc.assert(
    fc.property(editedText, ({ before, after }) => {
      const hunks = textDiff(before, after)
      const [whole, shape] = [hunksToJson(hunks, before, after), hunksToShape(hunks, before.length)]
      expect(hunksFromJson(shape)).toEqual(hunksFromJson(whole))
      expect(completeChanges(shape, after)).toEqual(whole)
      expect(completeChanges(whole, after)).toEqual(whole)
    }),
  )
})
