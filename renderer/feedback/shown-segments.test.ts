import { expect, test } from 'vitest'
import { diffSegments } from '../../server/domain/diff-segments.ts'
import { withoutOuterBreaks } from './shown-segments.ts'

const shown = (before: string, after: string, context: [string, string] = ['', '']) =>
  withoutOuterBreaks(diffSegments(before, after), context).map(({ kind, text }) => [kind, text])

test('lines that come or go are shown without the empty ones around them', () => {
  expect(shown('All of it.\n\n', '')).toEqual([['removed', 'All of it.']])
  expect(shown('', '\n\nA new one.')).toEqual([['added', 'A new one.']])
  expect(shown('\n\n  - an item', '')).toEqual([['removed', '  - an item']])
})

test('what parts them from words beside them stays, and so does what is nothing but line breaks', () => {
  expect(shown('All of it.\n\n', '', ['', 'Next.'])).toEqual([['removed', 'All of it.\n\n']])
  expect(shown('', '\n\nA new one.', ['Before.', ''])).toEqual([['added', '\n\nA new one.']])
  expect(shown('One.\nTwo.', 'One.\n\nTwo.')).toEqual(
    diffSegments('One.\nTwo.', 'One.\n\nTwo.').map(({ kind, text }) => [kind, text]),
  )
  expect(shown('One.', 'One.\n\n').at(-1)).toEqual(['added', '\n\n'])
})
