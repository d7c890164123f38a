import { expect, it } from 'vitest'
import { countWords } from './word-count.ts'

it.each([
  ['', 0],
  ['  \n\n', 0],
  ['One two  three.', 3],
  ['# A *heading* — with `code`', 4],
  ['don’t well-known snake_case 3.14 1,000', 5],
  ['Ångström naïve e\u0301te\u0301', 3],
  ['Привет, мир', 2],
  ['我喜欢猫。', 4],
  ['日本語 and English', 5],
  ['😀 🎉', 0],
  ['مرحبا بالعالم', 2],
])('the words of %j are %i', (text, count) => {
  expect(countWords(text)).toBe(count)
})
