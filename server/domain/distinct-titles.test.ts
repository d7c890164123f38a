import fc from 'fast-check'
import { expect, it } from 'vitest'
import { distinctTitles } from './distinct-titles.ts'

it.each([
  [
    [
      ['Intro', 'a/one.md'],
      ['Other', 'b/one.md'],
    ],
    ['Intro', 'Other'],
  ],
  [
    [
      ['README', 'a/README.md'],
      ['README', 'b/README.md'],
      ['Plan', 'b/plan.md'],
    ],
    ['a/README', 'b/README', 'Plan'],
  ],
  [
    [
      ['README', 'x/a/docs/README.md'],
      ['README', 'x/b/docs/README.md'],
    ],
    ['a/docs/README', 'b/docs/README'],
  ],
  [
    [
      ['README', 'README.md'],
      ['README', 'a/README.md'],
    ],
    ['README', 'a/README'],
  ],
  [
    [
      ['Intro', 'a/one.md'],
      ['Intro', 'a/two.md'],
    ],
    ['a/Intro (one)', 'a/Intro (two)'],
  ],
  [
    [
      ['Intro', 'one.md'],
      ['Intro', 'two.md'],
    ],
    ['Intro (one)', 'Intro (two)'],
  ],
  [
    [
      ['Plan', 'a/one.md'],
      ['plan', 'a\\two.md'],
    ],
    ['a/Plan', 'plan'],
  ],
] as [[string, string][], string[]][])('%j', (texts, titles) => {
  expect(distinctTitles(texts.map(([title, path]) => ({ title, path })))).toEqual(titles)
})

const name = fc.constantFrom('a', 'b', 'c')
it('differ wherever the files do, whatever their order, and hold the title', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(
        fc.record({
          folders: fc.array(name, { maxLength: 3 }),
          file: name,
          title: fc.constantFrom('One', 'Two'),
        }),
        { selector: ({ folders, file }) => [...folders, file].join('/'), maxLength: 12 },
      ),
      (files) => {
        const texts = files.map(({ folders, file, title }) => ({
          title,
          path: [...folders, `${file}.md`].join('/'),
        }))
        const titles = distinctTitles(texts)
        expect(new Set(titles).size).toBe(texts.length)
        for (const [index, title] of titles.entries()) expect(title).toContain(texts[index]!.title)
        expect(distinctTitles(texts.toReversed())).toEqual(titles.toReversed())
      },
    ),
  )
})
