import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ChangeMap } from '../change-map.ts'
import { applyChanges } from '../change-set.ts'
import { anyText, changesFor } from '../testing/arbitrary-text.ts'
import { anchorAt } from './anchor.ts'
import { findInsertion, followInsertion, isUnseen, wordBeside } from './insertion-place.ts'

const plenty = () => ({ left: 1e9 })

it('is where its anchor says, as long as the same stands on both sides', () => {
  fc.assert(
    fc.property(anyText, fc.nat(), (text, part) => {
      const at = part % (text.length + 1)
      const isHalf = /[\uDC00-\uDFFF]/.test(text[at] ?? '')
      const found = findInsertion(text, anchorAt(text, at, at), plenty())
      expect(found).toEqual(isHalf ? null : { start: at, end: at })
    }),
  )
})

it('is looked for by what stands around it, and is nowhere where that stands twice, or not at all', () => {
  const anchor = { exact: '', prefix: 'one ', suffix: 'two', start: 4 }
  expect(findInsertion('zero one two', anchor, plenty())).toEqual({ start: 9, end: 9 })
  expect(findInsertion('zero one two one two', anchor, plenty())).toBeNull()
  expect(findInsertion('zero one', anchor, plenty())).toBeNull()
  expect(findInsertion('zero one two', anchor, { left: 0 })).toBeNull()
  expect(findInsertion('', { exact: '', prefix: '', suffix: '', start: 1 }, plenty())).toBeNull()
})

it('moves with what stands beside it, and is gone with what stood around it', () => {
  fc.assert(
    fc.property(
      anyText.chain((text) => fc.tuple(fc.constant(text), changesFor(text), fc.nat())),
      ([text, changes, part]) => {
        const at = part % (text.length + 1)
        const place = followInsertion({ start: at, end: at }, [ChangeMap.of(changes)])
        const after = applyChanges(text, changes)
        let isInside = false
        let isBeside = false
        changes.iterChangedRanges((from, to) => {
          isInside ||= from < at && to > at
          isBeside ||= from <= at && to >= at
        }, true)
        expect(place === null).toBe(isInside)
        if (isInside || isBeside || !place) return
        expect([after[place.start - 1], after[place.start]]).toEqual([text[at - 1], text[at]])
      },
    ),
    { numRuns: 300 },
  )
})

it('is shown at the word before it, at a text’s beginning at the one after it', () => {
  const text = '\n\n  One two\n\nthree'
  const shown = (at: number) => {
    const range = wordBeside(text, { start: at, end: at })
    return range && text.slice(range.start, range.end)
  }
  expect([0, 4, 5, 7, 8, 11, 13, text.length].map(shown)).toEqual([
    'One',
    'One',
    'O',
    'One',
    'One',
    'two',
    'two',
    'three',
  ])
  expect(wordBeside(' \n', { start: 1, end: 1 })).toBeNull()
})

/** The word that shows a place between two parts of a text. */
const shown = (before: string, after: string) => {
  const range = wordBeside(before + after, { start: before.length, end: before.length })
  return range && (before + after).slice(range.start, range.end)
}

it('is shown at the word behind it where signs that don’t show stand before it', () => {
  expect(shown('One **', 'two** three')).toBe('two**')
  expect(shown('One [', 'two](a) three')).toBe('two](a)')
  expect(shown('One\n\n- ', 'two three')).toBe('two')
  expect(shown('One\n\n2. ', '**two** three')).toBe('**two**')
  expect(shown('| one | ', 'two |')).toBe('two')
  expect(shown('One **two** ', 'three')).toBe('**two**')
  expect(shown('One “', 'two” three')).toBe('“')
})

it('is shown at words, not at signs alone', () => {
  expect(shown('| a | b |', '\n| c | d |')).toBe('b')
  expect(shown('| a | b |\n| --- | :-: |\n', '| c | d |')).toBe('b')
  expect(shown('', '# Head')).toBe('Head')
  expect(shown('', '1. One')).toBe('One')
  expect(shown('One ', '')).toBe('One')
})

it('is shown for the language of code at its first word, and for sides of cells at the head of the table', () => {
  const text = 'One\n\n```js\nlet a\n```\n\n| a | b |\n| - | - |\n| c | d |\n'
  const shown = (exact: string) => {
    const start = text.indexOf(exact)
    const place = { start, end: start + exact.length }
    const range = wordBeside(text, place)
    return [isUnseen(text, place), range && text.slice(range.start, range.end)]
  }
  for (const words of ['js', '```js', '```js\n']) expect(shown(words)).toEqual([true, 'let'])
  for (const words of ['- |', '| - | - |']) expect(shown(words)).toEqual([true, 'b'])
  expect(shown('let')[0]).toBe(false)
})
