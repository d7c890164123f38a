import { expect, test } from 'vitest'
import { findNamedPlaces, type NamedWords } from './named-places.ts'

const content = 'One fox. Two foxes.\r\nThree “foxes”, and a hen.\rFour\nfoxes.'
const whole = { start: 0, end: content.length }
const of = (find: string, occurrence?: number): NamedWords => ({ ...whole, find, occurrence })
const words = (found: ReturnType<typeof findNamedPlaces>) =>
  found.kind === 'found'
    ? found.places.map(({ start, end, line }) => [content.slice(start, end), start, line])
    : found.kind

test('finds each place in its order, with its line, whichever line ends the text has', () => {
  const found = findNamedPlaces({
    content,
    named: [of('fox', 4), of('foxes.\nThree'), of('hen.\nFour\nf'), of('fox', 1)],
  })
  expect(words(found)).toEqual([
    ['fox', 52, 4],
    ['foxes.\r\nThree', 13, 1],
    ['hen.\rFour\nf', 42, 2],
    ['fox', 4, 1],
  ])
  const within = { find: 'foxes.\nThree', start: 9, end: 26 }
  expect(words(findNamedPlaces({ content, named: [within] }))).toEqual([['foxes.\r\nThree', 13, 1]])
  expect(words(findNamedPlaces({ content, named: [{ ...within, end: 25 }] }))).toBe('missing')
})

test('says which of them isn’t clear, and shows some of many', () => {
  const many = 'a '.repeat(1_000)
  const named = [
    { find: 'a', start: 0, end: many.length, occurrence: 900 },
    { find: 'a', start: 0, end: many.length },
  ]
  const several = findNamedPlaces({ content: many, named })
  expect(several).toMatchObject({ kind: 'several', item: 1, count: 1_000 })
  expect(several.kind === 'several' && several.shown.length).toBe(8)
  expect(findNamedPlaces({ content: many, named: [{ ...named[0]!, occurrence: 1_001 }] })).toEqual({
    ...{ kind: 'beyond', item: 0, count: 1_000 },
  })
  expect(findNamedPlaces({ content, named: [of('hen'), of('three "Foxes"')] })).toMatchObject({
    ...{ kind: 'missing', item: 1, count: 1 },
    shown: [{ line: 2, words: 'Three “foxes”' }],
  })
})

test('compares a text once for all that name the same words, and no more than it may', () => {
  const large = 'a '.repeat(10_000)
  const range = { start: 0, end: large.length }
  const same = Array.from({ length: 200 }, (_, i) => ({ ...range, find: 'a', occurrence: i * 50 + 1 }))
  const most = large.length * 1.5
  const found = findNamedPlaces({ content: large, named: same, most })
  expect(found.kind === 'found' && found.places.map(({ start }) => start)).toEqual(
    same.map((_, i) => i * 100),
  )
  const others = [...same, { ...range, find: 'b' }]
  expect(findNamedPlaces({ content: large, named: others, most }).kind).toBe('tooMuch')
  const long = [{ ...range, find: 'a'.repeat(1_000) }]
  expect(findNamedPlaces({ content: large, named: long, most }).kind).toBe('tooMuch')
})

test.each([
  ['One sourse.', ['One source.']],
  ['Pricess', ['Prices']],
  ['item three', ['item one', 'item two']],
  ['jumped over', ['jumps over']],
  // The nearest words, and nothing around that wasn’t meant.
  ['clocks striking thirteen', ['clocks were striking thirteen']],
  ['In April a cold day, and bright', ['a bright cold day in April, and']],
  ['quokka', []],
])('words that aren’t there, as %j, are shown with the nearest that are', (find, expected) => {
  const text =
    '# One source.\n\nPrices rose. A quick fox jumps over dogs.\n\n- item one\n- item two\n\nIt was a bright cold day in April, and the clocks were striking thirteen.\n'
  const found = findNamedPlaces({ content: text, named: [{ find, start: 0, end: text.length }] })
  expect(found.kind === 'missing' && found.shown.map(({ words }) => words)).toEqual(expected)
})

test('of a very large text nothing is shown that is only like it', () => {
  const large = `${content}${'x'.repeat(1_000_000)}`
  const named = [{ find: 'three "foxes"', start: 0, end: large.length }]
  expect(findNamedPlaces({ content: large, named })).toEqual({
    kind: 'missing',
    item: 0,
    count: 0,
    shown: [],
  })
})
