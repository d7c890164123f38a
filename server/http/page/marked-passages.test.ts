import { expect, it } from 'vitest'
import { markPassages, type MarkedPassage } from './marked-passages.ts'

const passage = (
  from: [number, number],
  to: [number, number],
  fields: Partial<MarkedPassage> = {},
): MarkedPassage => ({
  from: { block: from[0], char: from[1] },
  to: { block: to[0], char: to[1] },
  ...{ tag: 'mark', isNoteFirst: false, note: () => '' },
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

it('is done in one go, however many passages there are, and however many blocks they go over', async () => {
  const blocks = Array.from({ length: 20_000 }, (_, at) => block(at, 'ab'))
  const over = Array.from({ length: 3_000 }, (_, i) => passage([0, 1], [19_999, 1 + (i % 2)]))
  const marked = await markPassages(blocks.join(''), over)
  expect(marked.match(/<mark/g)).toHaveLength(20_000)
  const words = 'x'.repeat(60_000)
  const within = Array.from(words, (_, i) => passage([0, i], [0, i + 2 - (i % 2)]))
  expect(await markPassages(block(0, words), within)).toBe(block(0, mark(words)))
})
