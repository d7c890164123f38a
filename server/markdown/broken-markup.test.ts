import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { brokenWithout } from './broken-markup.ts'
import { renderMarkdown } from './render.ts'
import { wholeMarkup } from './whole-markup.ts'

/** What stays without the words in `[[ ]]`, or what that would break. */
function without(marked: string): string {
  const start = marked.indexOf('[[')
  const end = marked.indexOf(']]') - 2
  const source = marked.replace('[[', '').replace(']]', '')
  const cut = wholeMarkup(source, wholeMarkup(source, { start, end }), true)
  return brokenWithout(source, cut) ?? source.slice(0, cut.start) + source.slice(cut.end)
}

const head = '| a | b |\n| --- | --- |\n'

describe('a table', () => {
  test.each([
    ['loses words of one cell', `${head}| one [[more]] | two |\n`, `${head}| one  | two |\n`],
    ['loses all words of one cell', `${head}| [[one]] | two |\n`, `${head}|  | two |\n`],
    [
      'loses words of its head',
      `| [[a]] | b |\n| --- | --- |\n| c | d |\n`,
      `|  | b |\n| --- | --- |\n| c | d |\n`,
    ],
    ['loses a row', `${head}| [[one | two]] |\n| c | d |\n`, `${head}| c | d |\n`],
    ['loses its last row', `${head}| c | d |\n| [[one | **two**]] |`, `${head}| c | d |\n`],
    ['loses rows', `${head}| [[one | two |\n| c | d]] |\n| e | f |\n`, `${head}| e | f |\n`],
    ['loses the only words of a row', `${head}| [[one]] | |\n| c | d |\n`, `${head}| c | d |\n`],
    ['without borders loses a row', `a | b\n--- | ---\n[[one | two]]\nc | d\n`, `a | b\n--- | ---\nc | d\n`],
    ['loses the row of its only column', '| a |\n| --- |\n| [[one]] |\n| c |\n', '| a |\n| --- |\n| c |\n'],
    [
      'in a quote loses a row',
      '> | a |\n> | --- |\n> | [[one]] |\n> | c |\n',
      '> | a |\n> | --- |\n> | c |\n',
    ],
    [
      'goes with all its words',
      `One.\n\n| [[a | b |\n| --- | --- |\n| c | d]] |\n\nTwo.\n`,
      'One.\n\nTwo.\n',
    ],
    ['goes with what is above it', `One [[two.\n\n${head}| c | d]] |\n\nThree.\n`, 'One \n\nThree.\n'],
    ['goes with what is below it', `| [[a | b |\n| --- | --- |\n| c | d |\n\nOne]] two.\n`, ' two.\n'],
    [
      'loses rows with all below them',
      `${head}| c | d |\n| [[one | two |\n\nOne.]]\n\nTwo.\n`,
      `${head}| c | d |\n\n\nTwo.\n`,
    ],
  ])('%s', (_, marked, left) => expect(without(marked)).toBe(left))

  test.each([
    ['cells of a row', `${head}| one [[more | two]] |\n`],
    ['whole cells, but not all', '| a | b | c |\n|---|---|---|\n| [[one | two]] | three |\n'],
    ['its head', '| [[a | b]] |\n| --- | --- |\n| one | two |\n'],
    ['its head of one column', '| [[a]] |\n| --- |\n| one |\n'],
    ['its head and a row', '| [[a | b |\n| --- | --- |\n| one | two]] |\n| c | d |\n'],
    [
      'words above and its head',
      `> A quote [[of somebody\n\n| Name]] | Value |\n| --- | --- |\n| one | two |\n`,
    ],
    ['an item and a cell', `1. [[item\n\n${head}| one]] | two |\n`],
    ['words above and rows', `One.\n\nTwo [[three\n\n${head}| one | two]] |\n| c | d |\n`],
    ['a row and words below', `${head}| [[one | two |\n\nOne]] two.\n`],
    ['a cell and words below', `${head}| one | [[two |\n\nOne two.]]\n`],
  ])('isn’t broken by leaving out %s', (_, marked) => expect(without(marked)).toBe('table'))
})

describe('a footnote', () => {
  const text = 'One[^1] two.\n\n'
  test.each([
    ['loses words', `${text}[^1]: A [[long]] note.\n`, `${text}[^1]: A  note.\n`],
    ['loses its first paragraph', `${text}[^1]: [[One.]]\n\n    Two.\n`, `${text}[^1]: \n\n    Two.\n`],
    ['goes with its number', `Zero.\n\n[[${text}[^1]: A note.]]\n`, 'Zero.\n'],
    [
      'stays unseen without its number',
      `Zero. [[One[^1] two]].\n\n[^1]: A note.\n`,
      'Zero. .\n\n[^1]: A note.\n',
    ],
  ])('%s', (_, marked, left) => expect(without(marked)).toBe(left))

  test.each([
    ['empty footnote', `${text}[^1]: [[A note.]]\n`],
    ['empty footnote', `${text}[^1]: [[A note.\n\n    More.]]\n`],
    ['footnote', `One[^1] [[two.\n\n[^1]: A]] note.\n`],
    ['footnote', `[[One[^1] two.\n\n[^1]: A]] note.\n`],
    ['footnote', `One[^1] two[^2].\n\n[^1]: A [[note.\n\n[^2]: An]]other.\n`],
    ['markup', `One[^1] [[two.\n\n[^1]: A note.]]\n`],
  ])('isn’t broken: %s, %j', (broken, marked) => expect(without(marked)).toBe(broken))
})

test('a link keeps what its address is written in', () =>
  expect(without('See [here][a].\n\nSo [[far.\n\n[a]: https://example.org\n\nFar]] away.\n')).toBe('markup'))

const documents = [
  `# Title\n\nIntro with **bold words** and a note[^1].\n\n> A quote of somebody\n\n| Name | Value |\n| --- | --- |\n| one | two |\n| *three* | four \\| five |\n\nAfter *it* all.\n\n[^1]: The note, with \`code\` in it.\n`,
  '1. first item\n2. second **item**\n   - inner\n\n   | a | b |\n   | - | - |\n   | c | d |\n3. third\n\nText[^n] and ![picture](a.png) and [link](https://example.org).\n\n[^n]: One.\n\n    Two.\n\nEnd \\*here\\*.\n',
  '> | q | r |\n> | --- | --- |\n> | s | t |\n>\n> more\n\na | b\n--- | ---\nc | d\n\n- [ ] to do\n- [x] done\n\n```js\nconst a = 1\n```\n\nSetext\n======\n\nline one\nline two $x|y$ end\n',
]
const words = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

test.each(documents)('whatever is left out of %j, no marks show that didn’t', (source) => {
  const point = fc.nat({ max: source.length })
  const before = words(renderMarkdown(source).html)
  let offered = 0
  fc.assert(
    fc.property(point, point, (a, b) => {
      if (a === b) return
      const range = { start: Math.min(a, b), end: Math.max(a, b) }
      const cut = wholeMarkup(source, wholeMarkup(source, range), true)
      if (brokenWithout(source, cut)) return
      offered++
      const left = source.slice(0, cut.start) + source.slice(cut.end)
      const { html } = renderMarkdown(left)
      const now = words(html)
      for (const mark of ['|', '[^', ']:', '---', '*', '`', '#', '> ', '==', '](', '\\'])
        expect(now.split(mark).length, `${mark} in ${left}`).toBeLessThanOrEqual(before.split(mark).length)
      expect(html, left).not.toMatch(/<tr>(\s|<t[hd][^>]*>|<\/t[hd]>)*<\/tr>/)
    }),
    { numRuns: 1500 },
  )
  expect(offered).toBeGreaterThan(100)
})
