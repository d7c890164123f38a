import { expect, it } from 'vitest'
import { markPassages, type MarkedPassage } from './marked-passages.ts'

const passage = (
  from: [number, number],
  to: [number, number],
  fields: Partial<MarkedPassage> = {},
): MarkedPassage => ({
  from: { block: from[0], char: from[1] },
  to: { block: to[0], char: to[1] },
  ...{ tag: 'mark', isNoteFirst: false, apart: null, note: () => '' },
  ...fields,
})
const block = (at: number, words: string) => `<div class="b" data-b="${at}"><p>${words}</p></div>`
const mark = (words: string) => `<mark class="passage">${words}</mark>`
const del = (words: string) => `<del class="passage">${words}</del>`

it('marks all blocks of a passage, and where passages overlap, both', async () => {
  const page = [block(0, 'ab c'), block(9, 'de'), block(20, 'f&amp;g'), block(30, 'h')].join('')
  const note = () => '<sup>1</sup>'
  const passages = [
    passage([0, 1], [20, 2], { note }),
    passage([9, 1], [20, 1], { tag: 'del' }),
    passage([20, 2], [20, 3], { tag: null, isNoteFirst: true, note: () => '<ins>x</ins>' }),
  ]
  expect(await markPassages(page, passages)).toBe(
    [
      block(0, `a${mark('b c')}`),
      block(9, `${mark('d')}<mark class="passage">${del('e')}</mark>`),
      block(20, `<mark class="passage">${del('f')}</mark>${mark('&amp;')}<sup>1</sup><ins>x</ins>g`),
      block(30, 'h'),
    ].join(''),
  )
})

it('strikes words in the colour of whoever takes them out, once, also over blocks between', async () => {
  const page = [block(0, 'ab'), block(9, 'cd'), block(20, 'ef')].join('')
  const passages = [
    passage([0, 1], [20, 1], { tag: 'del', colour: 3 }),
    passage([9, 1], [9, 2], { tag: 'del', colour: 1 }),
    passage([0, 0], [0, 2]),
  ]
  const struck = (words: string, colour: number) => `<del class="passage person-${colour}">${words}</del>`
  expect(await markPassages(page, passages)).toBe(
    [
      block(0, `${mark('a')}<mark class="passage">${struck('b', 3)}</mark>`),
      block(9, struck('c', 3) + struck('d', 1)),
      block(20, `${struck('e', 3)}f`),
    ].join(''),
  )
})

it('is done in one go, however many passages there are, and however many blocks they go over', async () => {
  const blocks = Array.from({ length: 20_000 }, (_, at) => block(at, 'ab'))
  const over = Array.from({ length: 3_000 }, (_, i) => passage([0, 1], [19_999, 1 + (i % 2)]))
  const marked = await markPassages(blocks.join(''), over)
  expect(marked.match(/<mark/g)).toHaveLength(20_000)
  const words = 'x'.repeat(60_000)
  const within = Array.from(words, (_, i) => passage([0, i], [0, i + 2 - (i % 2)]))
  expect(await markPassages(block(0, words), within)).toBe(block(0, mark(words)))
})

it('puts lines outside of the line that they stand beside, and words outside of a footnote’s number', async () => {
  const put = (at: number, isNoteFirst: boolean, apart: MarkedPassage['apart']) =>
    passage([0, at], [0, at + 1], { tag: null, isNoteFirst, apart, note: (place) => `(${place})` })
  const on = (html: string, one: MarkedPassage) =>
    markPassages(`<div class="b" data-b="0">${html}</div>`, [one]).then((marked) => marked.slice(26, -6))
  expect(await on('<h1>ab</h1>', put(0, true, 'lines'))).toBe('(lines)<h1>ab</h1>')
  expect(await on('<h1>a<em>b</em></h1>', put(1, false, 'lines'))).toBe('<h1>a<em>b</em></h1>(lines)')
  expect(await on('<ul><li>a</li><li>b</li></ul>', put(0, false, 'lines'))).toBe(
    '<ul><li>a(lines)</li><li>b</li></ul>',
  )
  const table =
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td><td>c</td></tr></tbody></table>'
  expect(await on(table, put(1, true, 'rows'))).toBe(table.replace('<tr><td>', '(rows)<tr><td>'))
  expect(await on(table, put(1, false, 'rows'))).toBe(table.replace('</tr></tbody>', '</tr>(rows)</tbody>'))
  expect(await on(table, put(0, false, 'rows'))).toBe(table.replace('<tbody>', '<tbody>(rows)'))
  expect(await on('<p>a<sup><a href="#n">1</a></sup> b</p>', put(1, false, null))).toBe(
    '<p>a<sup><a href="#n">1</a></sup>(words) b</p>',
  )
  expect(await on('<p><a href="#n">a</a> b</p>', put(0, false, null))).toBe(
    '<p><a href="#n">a(link)</a> b</p>',
  )
})

it('keeps what stands at characters of a formula behind it, marked as one', async () => {
  const formula = '<span class="maths"><math><mi>x</mi><mi>y</mi></math></span>'
  const on = (from: number, to: number) => passage([0, from], [0, to], { note: () => '<sup>1</sup>' })
  const marked = (one: MarkedPassage) => markPassages(block(0, `a ${formula} b`), [one])
  const whole = `${mark('<math><mi>x</mi><mi>y</mi></math>')}<sup>1</sup>`
  expect(await marked(on(1, 3))).toBe(block(0, `a <span class="maths">${whole}</span> b`))
  expect(await marked(on(2, 3))).toBe(block(0, `a ${formula.replace('</math>', '</math><sup>1</sup>')} b`))
})
