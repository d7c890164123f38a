import { expect, it } from 'vitest'
import { madeHeading } from './made-heading.ts'

it('tells which level words get by the line below them, where they stay', () => {
  expect(madeHeading('', 'Title', 'Title\n===', '\nMore')).toEqual({ level: 1, words: 'Title' })
  expect(madeHeading('a\n\n', 'One\ntwo', 'One\ntwo\n  -- ', '')).toEqual({ level: 2, words: 'One\ntwo' })
  expect(madeHeading('', 'Title\n===', 'Title', '')).toEqual({ level: 0, words: 'Title' })
})

it('is nothing of other changes', () => {
  expect(madeHeading('', 'Title', 'Other\n===', '')).toBeNull()
  expect(madeHeading('', 'Title', 'Title\n=-=', '')).toBeNull()
  expect(madeHeading('', 'a\n \nb', 'a\n \nb\n===', '')).toBeNull()
  expect(madeHeading('', '===', '===\n', '')).toBeNull()
})

it('reads a paragraph of any length once', () => {
  const long = 'word '.repeat(100_000)
  expect(madeHeading('', long, `${long}end`, '')).toBeNull()
  expect(madeHeading('', `${long}end`, `${long}end\n---`, '')).toMatchObject({ level: 2 })
})
