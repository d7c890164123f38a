import { expect, test } from 'vitest'
import { anchorAt } from '../../server/domain/anchors/anchor.ts'
import { wordsAfter, wordsBefore } from './context.ts'

const around = (text: string, words: string) => {
  const start = text.indexOf(words)
  const anchor = anchorAt(text, start, start + words.length)
  return [wordsBefore(anchor), wordsAfter(anchor)]
}

test('context begins and ends with whole words and says where it was cut', () => {
  expect(
    around(
      'A galley proof is the very first draft that goes out for review before anything is printed.',
      'goes out',
    ),
  ).toEqual(['… is the very first draft that ', ' for review before anything is …'])
})

test('a short text is its own context', () => {
  expect(around('It goes out now.', 'goes out')).toEqual(['It ', ' now.'])
})

test('context stays on the line of the words', () => {
  expect(around('# A heading before\n\nIt goes out.\n\nAnother paragraph after it.', 'goes out')).toEqual([
    'It ',
    '.',
  ])
})

test('what a program’s anchor has cut within a word is shown without that word', () => {
  const anchor = { start: 100, exact: 'draft', prefix: 'ery first ', suffix: ' that goes out for r' }
  expect([wordsBefore(anchor), wordsAfter(anchor)]).toEqual(['… first ', ' that goes out for …'])
})

test('marks go with the word that they were cut from', () => {
  const anchor = { start: 100, exact: 'draft', prefix: 'most** first ', suffix: ' that was *still' }
  expect([wordsBefore(anchor), wordsAfter(anchor)]).toEqual(['… first ', ' that was …'])
})
