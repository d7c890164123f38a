import { Text } from '@codemirror/state'
import { expect, test } from 'vitest'
import { placeOfWords } from './marks.ts'

const text = Text.of(['One fox, and a brown fox.', 'The end.'])
const at = (from: number, to: number, words: string) => {
  const place = placeOfWords(text, { from, to }, words)
  return [place.from, text.sliceString(place.from, place.to)]
}

test('words stand where they are said to stand, or are the nearest of their kind', () => {
  expect(at(4, 7, 'fox')).toEqual([4, 'fox'])
  // Told of a text that had four letters less, or more, before them.
  expect(at(17, 20, 'fox')).toEqual([21, 'fox'])
  expect(at(25, 28, 'fox')).toEqual([21, 'fox'])
  expect(at(6, 9, 'fox')).toEqual([4, 'fox'])
})

test('words that have changed since stay where they are said to be', () => {
  expect(at(15, 20, 'green')).toEqual([15, 'brown'])
  expect(at(15, 20, '')).toEqual([15, 'brown'])
  const far = Text.of(['fox', 'x'.repeat(1_000), 'dog'])
  expect(placeOfWords(far, { from: 1_005, to: 1_008 }, 'fox')).toEqual({ from: 1_005, to: 1_008 })
})
