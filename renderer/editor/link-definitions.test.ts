import { expect, it } from 'vitest'
import { linkDefinitions } from './link-definitions.ts'

it('finds what a text’s links are defined by, and nothing that only looks like it', () => {
  const text = [
    'See [the page][page] and [it].',
    '[page]: https://a.b "Title"',
    '   [it]: <https://c.d>\r',
    '[^note]: a footnote',
    '    [code]: https://e.f',
    '```',
    '[in code]: https://g.h',
    '```',
    '[x]: https://i.j',
    '[empty]:',
  ].join('\n')
  expect(linkDefinitions(text).split('\n')).toEqual([
    '[page]: https://a.b "Title"',
    '   [it]: <https://c.d>',
    '[x]: https://i.j',
  ])
})
