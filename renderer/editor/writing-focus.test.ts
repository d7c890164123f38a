import { EditorState } from '@codemirror/state'
import { expect, it } from 'vitest'
import { currentLines } from './writing-focus.ts'

const text = 'one\ntwo\n\nthree\n   \nfour\nfive\nsix'
const lines = (from: string, to = from) => {
  const selection = { anchor: text.indexOf(from), head: text.indexOf(to) }
  const { first, last } = currentLines(EditorState.create({ doc: text, selection }))
  return [first, last]
}

it('is the paragraph around the cursor, ended by blank lines or by the text', () => {
  expect(lines('one')).toEqual([1, 2])
  expect(lines('two')).toEqual([1, 2])
  expect(lines('three')).toEqual([4, 4])
  expect(lines('five')).toEqual([6, 8])
})

it('is every paragraph that a selection touches, whichever way it was made', () => {
  expect(lines('two', 'five')).toEqual([1, 8])
  expect(lines('five', 'two')).toEqual([1, 8])
})

it('is nothing but the line itself between paragraphs, and in an empty text', () => {
  expect(currentLines(EditorState.create({ doc: text, selection: { anchor: 8 } }))).toEqual({
    first: 3,
    last: 3,
  })
  expect(currentLines(EditorState.create({ doc: '' }))).toEqual({ first: 1, last: 1 })
})
