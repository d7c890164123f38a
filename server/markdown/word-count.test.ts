import { describe, expect, it } from 'vitest'
import { renderPlainly } from './plain.ts'
import { renderMarkdown } from './render.ts'
import { countMarkdownWords, countWords, MarkdownWords } from './word-count.ts'

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

const readText = (html: string) =>
  html.replace(/<span class="img-host">[^<]*<\/span>|<[^>]*>/g, '').replace(/&[a-z]+;/g, ' ')

describe('the words of markdown', () => {
  it.each([
    ['A [link](https://a.example/some/path "with a title") and ![a picture](cat_(1).png).', 5],
    ['A [link][1] and another <https://a.example>.\n\n[1]: https://a.example/path "title"\n', 6],
    ['```python title=x\nprint(1)\n```\n\n~~~~ js\nlet a\n~~~\nb\n~~~~\nafter\n', 6],
    ['- ```sh\n  run it\n  ```\n- then', 3],
    ['Pressed <kbd class="key">Enter</kbd> twice<!-- not that -->.', 3],
    ['It is 1 < 2 and 3 > 2.', 7],
    ['1. One\n2. Two\n- [x] three\n- [ ] four\n> 3) five', 5],
    ['In `a](b)` the <b>code</b> ``is `kept` ``.', 7],
    ['Said[^1] so.\n\n[^1]: By whom?', 4],
    ['---\ntitle: Not this\n---\n\nBut this', 2],
    ['One\r\n[two](x)\r\n\r\n```c\r\nthree\r\n```\r\nfour', 4],
    ['It’s un**believ**able, *three*-four and ~~not~~ this', 6],
    ['One&nbsp;two &mdash; three &#8212; four', 4],
  ])('of %j are %i', (source, count) => expect(countMarkdownWords(source)).toBe(count))

  it('are as many as the page has that readers get', () => {
    const source = [
      '# A title, *with* words',
      'See [the manual](https://a.example/long/path) and `code` on 1,000 pages.',
      '- [x] done',
      '- [ ] to do ~~or not~~',
      '> Quoted &mdash; no.',
      '| a | b |\n| - | - |\n| one two | **three** |',
      '```ts\nconst x = 1\n```',
      '![A cat](https://a.example/cat.png)',
    ].join('\n\n')
    expect(countWords(readText(renderMarkdown(source).html))).toBe(countMarkdownWords(source))
  })

  it('are the same number wherever they are told', () => {
    for (const source of [
      '---\ntitle: On proofs\n---\n\n---\nNot: front matter\n---\n\nA galley.',
      'With a note[^1], x&nbsp;y and $\\alpha + 1$.\n\n[^1]: Which isn’t *short*.',
      '<details><summary>More</summary>\n\nWords\n\n</details>\n\n![Alt text](a.png)',
      'One\r\ntwo\rthree\0 four',
    ])
      expect(renderMarkdown(source).words).toBe(countMarkdownWords(source))
    expect(renderPlainly('A [link](https://a.example/path).', 'time').words).toBe(2)
  })

  it('are counted of hostile texts, too, in a time that grows with their length', () => {
    for (const part of [
      '](a (',
      '](<',
      '[^',
      '`` ` ',
      '<!--',
      '- > ',
      '&a',
      '](a "b',
      '<a ',
      '*~~',
      '[a]: ',
      '][a',
    ])
      expect(countMarkdownWords(part.repeat(200_000))).toBeGreaterThanOrEqual(0)
  })
})

it('counts a word of any length as one, and goes on behind it', () => {
  expect(countWords('a'.repeat(6_000_000))).toBe(1)
  expect(countWords(`${'ab-'.repeat(2_000)}c d`)).toBe(2)
  expect(countWords(`${' '.repeat(3_000)}漢a b`)).toBe(3)
  expect(countWords(`${'a'.repeat(1_001)}漢${'a'.repeat(999)}`)).toBe(3)
})

it('counts a long line piece by piece, between its words', () => {
  const words = new MarkdownWords()
  const line = 'some *words* '.repeat(50_000)
  let pieces = 0
  for (const counting = words.adding(line); !counting.next().done;) pieces++
  expect(pieces).toBeGreaterThan(line.length / 25_000)
  expect(words.count).toBe(100_000)
  expect(countMarkdownWords(line)).toBe(100_000)
  expect(countMarkdownWords(`one ![two](data:image/png;base64,${'ab+c/'.repeat(50_000)}) three`)).toBe(3)
})
