import { expect, test } from 'vitest'
import { keptMarks, readAround, readContext, withoutMarks } from './stray-marks.ts'

const read = (removed: string, added: string) => {
  const kept = keptMarks(removed, added)
  return [withoutMarks(removed, kept.removed), withoutMarks(added, kept.added)]
}

test('marks that words across bold and a link only take along aren’t seen', () => {
  expect(read(' wide** for a [good ', '** narrow without [')).toEqual([
    ' wide for a good ',
    ' narrow without ',
  ])
  expect(read('reason](https://example.org) or **more', 'cause](https://example.org) and **less')).toEqual([
    'reason or more',
    'cause and less',
  ])
  expect(read('~~a', '~~b')).toEqual(['a', 'b'])
})

test('a mark that others come or go beside isn’t seen either, but these are', () => {
  expect(read('in the [village', 'of the **old [town')).toEqual(['in the village', 'of the **old town'])
  expect(read('the **old [town', 'the [town')).toEqual(['the **old town', 'the town'])
})

test('marks that are changed, whole, or none at all are seen', () => {
  for (const [removed, added] of [
    ['wide**', 'wide'],
    ['a **bold** word', 'a **bolder** word'],
    ['one](https://a.org)', 'one](https://b.org)'],
    ['2 * 3', '2 * 4'],
    ['list[0', 'list[1'],
    ['as [noted]', 'as [said]'],
    ['[^1]: as noted', '[^1]: as said'],
    ['\\*a', '\\*b'],
  ] as const)
    expect(read(removed, added)).toEqual([removed, added])
})

test('words around a passage are read without marks, also where these are cut', () => {
  for (const [text, read] of [
    ['e margins are **very', 'e margins are very'],
    ['reason](https://exam', 'reason'],
    ['see [the *other* one](a.md), 2 * 3', 'see the other one, 2 * 3'],
    ['list[0] and \\*stars\\* [1]', 'list[0] and \\*stars\\* [1]'],
    ['for a [good', 'for a good'],
    ['an [x](javascript:alert(1)) and [y](<a b> "its title")', 'an x and y'],
    ['x](javascript:alert(1)) on', 'x on'],
  ] as const)
    expect(readContext(text)).toBe(read)
})

test('marks right beside a passage belong to its words, and go with them', () => {
  for (const [context, read] of [
    [
      ['and comes back **', '** in the margin, as [ever](htt …'],
      ['and comes back ', ' in the margin, as ever …'],
    ],
    [
      ['a ', '[link'],
      ['a ', 'link'],
    ],
    [
      ['2 * 3 * ', ' * 5'],
      ['2 * 3 * ', ' * 5'],
    ],
  ] as const)
    expect(readAround(context)).toEqual(read)
})
