import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderMarkdown } from './render.ts'
import { wholeMarkup } from './whole-markup.ts'

/** The source with the words in `[[ ]]` chosen. */
function chosen(marked: string) {
  const start = marked.indexOf('[[')
  const end = marked.indexOf(']]') - 2
  return { source: marked.replace('[[', '').replace(']]', ''), range: { start, end } }
}
const widened = (marked: string) => {
  const { source, range } = chosen(marked)
  const { start, end } = wholeMarkup(source, range)
  return source.slice(start, end)
}
const without = (marked: string) => {
  const { source, range } = chosen(marked)
  const { start, end } = wholeMarkup(source, range, true)
  return source.slice(0, start) + source.slice(end)
}

describe('words that are changed', () => {
  test.each([
    ['a [[plain]] word', 'plain'],
    ['all of **[[bold words]]** here', 'bold words'],
    ['some of **bold [[words]]** here', 'words'],
    ['[[some of **bold]] words** here', 'some of **bold words**'],
    ['some **bold [[words** here]]', '**bold words** here'],
    ['*a [[b* c]] d', '*a b* c'],
    ['see [the [[page](https://example.org) or]] not', '[the page](https://example.org) or'],
    ['run `npm [[start` now]]', '`npm start` now'],
    ['- one [[item\n- two]] items', 'item\n- two'],
  ])('%s', (marked, words) => expect(widened(marked)).toBe(words))
})

describe('words that are left out', () => {
  test.each([
    ['a **[[bold]]** word', 'a  word'],
    ['a ***[[bold]]*** word', 'a  word'],
    ['a **bold [[word]]** here', 'a **bold** here'],
    ['run `[[npm start]]` now', 'run  now'],
    ['One.\n\n[[Two **words**]].\n\nThree.\n', 'One.\n\n.\n\nThree.\n'],
    ['One.\n\n[[Two **words**.]]\n\nThree.\n', 'One.\n\nThree.\n'],
    ['One.\n\n[[Two.]]\n', 'One.\n'],
    ['[[One.]]\n\nTwo.\n', 'Two.\n'],
    ['# [[Title]]\n\nText.\n', 'Text.\n'],
    ['[[Title]]\n=====\n\nText.\n', 'Text.\n'],
    ['- one\n- [[two]]\n- three\n', '- one\n- three\n'],
    ['- one\n- [[two]]\n\nText.\n', '- one\n\nText.\n'],
    ['1. one\n2. [[two\n3. three]]\n', '1. one\n'],
    ['- [ ] [[to do]]\n- [x] done\n', '- [x] done\n'],
    ['- [[parent]]\n  - child\n', '  - child\n'],
    ['- [[one]]\n\n  more of it\n', '- more of it\n'],
    ['> [[a quote]]\n\nText.\n', 'Text.\n'],
    ['> a\n>\n> [[b]]\n\nText.\n', '> a\n\nText.\n'],
    ['> - [[a]]\n> - b\n', '> - b\n'],
    ['Text.\n\n```js\n[[const a = 1]]\n```\n\nMore.\n', 'Text.\n\nMore.\n'],
  ])('%s', (marked, left) => {
    expect(without(marked)).toBe(left)
  })

  test('of a whole link take its address with them', () => {
    const source = 'see [the page](https://example.org) or'
    const { start, end } = wholeMarkup(source, { start: 5, end: 13 }, true)
    expect(source.slice(0, start) + source.slice(end)).toBe('see  or')
  })

  test('leave no marker behind, whatever they stand in', () => {
    const source = '# T\n\nA **b** c *d*.\n\n- e\n- *f*\n\n> g\n\n1. h\n\n   i\n'
    for (const word of 'bdefghi') {
      const start = source.indexOf(word)
      const { start: from, end } = wholeMarkup(source, { start, end: start + 1 }, true)
      const left = renderMarkdown(source.slice(0, from) + source.slice(end)).html
      expect(left, word).not.toMatch(/\*|<li>\s*<\/li>|<blockquote>\s*<\/blockquote>|<h1[^>]*>\s*<\/h1>/)
    }
  })
})

const word = fc.integer({ min: 0, max: 5 })
const inline = fc.array(fc.tuple(fc.constantFrom('', '*', '**', '~~', '`'), word), {
  minLength: 1,
  maxLength: 4,
})
const block = fc.tuple(fc.constantFrom('', '# ', '- ', '1. ', '> ', '- [ ] ', '> - '), inline)

test('whatever is left out, what stays says the rest and nothing stands around nothing', () => {
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 6 }), fc.nat(), fc.nat(), (blocks, a, b) => {
      let count = 0
      const source = blocks
        .map(([marker, parts]) => {
          const said = parts.map(([sign, more]) => {
            const words = Array.from({ length: more + 1 }, () => `w${count++}x`).join(' ')
            return `${sign}${words}${sign}`
          })
          return `${marker}${said.join(' ')}\n\n`
        })
        .join('')
      const [from, to] = [a % count, b % count].sort((x, y) => x - y) as [number, number]
      const start = source.indexOf(`w${from}x`)
      const end = source.indexOf(`w${to}x`) + `w${to}x`.length
      // What is shown to be changed is what is then left out.
      const shown = wholeMarkup(source, { start, end })
      const cut = wholeMarkup(source, shown, true)
      const { html } = renderMarkdown(source.slice(0, cut.start) + source.slice(cut.end))
      const rest = Array.from({ length: count }, (_, i) => i).filter((i) => {
        const at = source.indexOf(`w${i}x`)
        return at < shown.start || at >= shown.end
      })
      const said = html
        .replace(/<[^>]*>/g, ' ')
        .split(/\s+/)
        .filter(Boolean)
      expect(said.join(' ')).toBe(rest.map((i) => `w${i}x`).join(' '))
      expect(html).not.toMatch(/<(li|blockquote|h1|em|strong|del|code|p)\b[^>]*>(\s|<input[^>]*>)*<\/\1>/)
    }),
    { numRuns: 1500 },
  )
})
