import { expect, it } from 'vitest'
import { quotedWords } from './quoted-words.ts'

const quoted = (exact: string, prefix = 'before ') => quotedWords({ exact, prefix })

it.each([
  ['a **bold** and *slanted* and ~~struck~~ word', 'a bold and slanted and struck word'],
  ['see [the *other* one](https://a.org/b), and [this][one]', 'see the other one, and this'],
  ['very** wide for a [good', 'very wide for a good'],
  ['_one_ snake_case __two__', 'one snake_case two'],
  ['call `f(**rest)` with ``a ` b``', 'call f(**rest) with a ` b'],
  ['![A boat](boat.png) said[^1] <kbd>so</kbd> at <https://a.org>', 'A boat said so at https://a.org'],
  ['2 * 3 \\* 4, list[0] and a_b_c', '2 * 3 * 4, list[0] and a_b_c'],
  ['one\n- two\n> three\n## four', 'one two three four'],
  ['shown\n```js\nconst a = [1](2) ** 3\n```\n', 'shown const a = [1](2) ** 3'],
  ['**', '**'],
])('%s is read as %s', (exact, read) => {
  expect(quoted(exact)).toBe(read)
})

it('leaves signs out that begin a line, and no others', () => {
  expect(quoted('# A *heading*', '\n')).toBe('A heading')
  expect(quoted('- [x] done', '')).toBe('done')
  expect(quoted('| a | b |\n| --- | --- |\n| c | d |', '\n')).toBe('a b c d')
  expect(quoted('# no heading')).toBe('# no heading')
})
