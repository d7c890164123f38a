import { expect, it } from 'vitest'
import { joinAddresses } from './changed-addresses.ts'
import { wordChanges } from './word-changes.ts'

const read = (before: string, after: string) =>
  joinAddresses(after, wordChanges(before, after)).map(({ start, end, removed, words }) => [
    after.slice(start, end),
    removed,
    words && after.slice(words.start, words.end),
  ])

it('tells all that changes of one address as one, with the words of its link', () => {
  expect(
    read(
      'A [the [b]ank](https://bank.example/) here, go.',
      'A [the [b]ank](https://other.example/x) here, come.',
    ),
  ).toEqual([
    ['https://other.example/x', 'https://bank.example/', 'the [b]ank'],
    ['come', 'go', null],
  ])
  expect(read('[a](/one) [b](/one)', '[a](/two) [b](/six)')).toEqual([
    ['/two', '/one', 'a'],
    ['/six', '/one', 'b'],
  ])
})

it('leaves what isn’t of one address alone', () => {
  for (const [before, after] of [
    ['See [a](/one) and [b](/two).', 'See [a](/two).'],
    ['One [word](/one) more.', 'One [other](/two) more.'],
    ['![a](one.png)', '![a](two.png)'],
    ['f](x y)', 'f](x z)'],
  ] as const) {
    const changes = joinAddresses(after, wordChanges(before, after))
    const back = changes.reduceRight<string>(
      (text, { start, end, removed }) => text.slice(0, start) + removed + text.slice(end),
      after,
    )
    expect(back).toBe(before)
  }
  expect(read('![a](one.png)', '![a](two.png)').every(([, , words]) => words === null)).toBe(true)
  expect(read('See [a](/one) and [b](/two).', 'See [a](/two).').every(([, , words]) => words === null)).toBe(
    true,
  )
})
