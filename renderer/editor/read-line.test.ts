import { expect, test } from 'vitest'
import { partsOf, readDrawn, readLine } from './read-line.ts'

test('formulas, code and pictures are each read whole, the first sign deciding', () => {
  for (const [line, words] of [
    ['**a** is $x * y * z$ and `$b$`', 'a is $x * y * z$ and $b$'],
    ['$`a`$ &lt; ![A *fox*](files/fox.png "Seen"), 5$ or $6', '$`a`$ < A fox, 5$ or $6'],
    ['![](files/a.png) \\$a$', 'a picture \\$a$'],
  ] as const)
    expect(readLine(line)).toBe(words)
})

test('for who draws them formulas and pictures are parted from the words', () => {
  expect(partsOf(readDrawn('**a** is $x$ by `$y$`, ![A *fox*](files/fox.png) $$z$$'))).toEqual([
    ...['a is ', '$x$', ' by $y$, ', '![A *fox*](files/fox.png)', ' ', '$$z$$', ''],
  ])
  expect(partsOf(readDrawn('a\uE001$x$\uE002b \uE000'))).toEqual(['a$x$b '])
  expect(partsOf(readDrawn('cut $x$').slice(0, 6))).toEqual(['cut $'])
})
