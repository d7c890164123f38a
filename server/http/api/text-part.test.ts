import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Outline, TextPart } from '../../contract/records/text-parts.ts'
import { createRenderer } from '../../markdown/index.ts'
import { createTestGalley, type TestGalley } from '../../testing/galley.ts'

const content =
  '# Proofs\r\n\r\nFirst 🖋.\r\n\r\n## Galleys\n\nLong.\n\n### Deep\n\nDeeper.\n\n## Galleys\n\nAgain.\n\n> # Quoted\n> said\n\nEnd'
const at = (words: string, from = 0) => content.indexOf(words, from)

const markdown = createRenderer({ timeoutMs: 60_000 })
afterAll(() => markdown.close())

let galley: TestGalley
let id: string
beforeEach(async () => {
  galley = await createTestGalley()
  // A busy machine may need longer than readers would wait.
  galley.context.markdown = markdown
  id = (await galley.newDocument({ content })).id
})
const readOutline = async () =>
  (await galley.call('GET', `/api/documents/${id}/outline`, { as: galley.as.reader })).data as Outline
afterEach(() => galley.close())

const ask = (query: string) =>
  galley.call('GET', `/api/documents/${id}/part?${query}`, { as: galley.as.reader })
const part = async (query: string) => (await ask(query)).data as TextPart

describe('a part of a text', () => {
  it('is what stands under a heading, named by id or words', async () => {
    const galleys = content.slice(at('## Galleys'), at('## Galleys', at('Deeper')))
    expect(await part('heading=user-content-galleys')).toEqual({
      ...{ revision: 1, content: galleys, start: at('## Galleys'), end: at('## Galleys', at('Deeper')) },
      ...{ first_line: 5, last_line: 12 },
    })
    expect((await part('heading=%20GALLEYS%20')).content).toBe(galleys)
    expect((await part('heading=galleys-1')).content).toBe('## Galleys\n\nAgain.\n\n')
    expect((await part('heading=Deep')).content).toBe('### Deep\n\nDeeper.\n\n')
    expect((await part('heading=Proofs')).content).toBe(content.slice(0, at('> # Quoted')))
    expect((await part('heading=Quoted')).content).toBe('> # Quoted\n> said\n\nEnd')
  })

  it('is some lines, which end as lines do', async () => {
    expect(await part('lines=1')).toEqual({
      ...{ revision: 1, content: '# Proofs\r\n', start: 0, end: 10, first_line: 1, last_line: 1 },
    })
    expect((await part('lines=3-5')).content).toBe('First 🖋.\r\n\r\n## Galleys\n')
    expect(await part('lines=19-')).toMatchObject({ content: '\nEnd', first_line: 19, last_line: 20 })
    expect(await part('lines=20-999')).toMatchObject({ content: 'End', last_line: 20 })
    expect((await part('lines=1-')).content).toBe(content)
  })

  it('is some lines of what stands under a heading', async () => {
    const { start, ...galleys } = await part('heading=galleys&lines=3-4')
    expect(galleys).toMatchObject({ content: 'Long.\n\n', first_line: 7, last_line: 8 })
    expect(content.slice(start, galleys.end)).toBe(galleys.content)
    expect((await ask('heading=Deep&lines=5')).field).toBe('lines')
  })

  it('has to be there, and without a wish is all', async () => {
    expect((await part('')).content).toBe(content)
    for (const lines of ['0', '21', '5-4', '-3', 'x', '1-2-3', '99999999999'])
      expect(await ask(`lines=${lines}`)).toMatchObject({ code: 'VALIDATION_ERROR', field: 'lines' })
    expect(await ask('heading=Nowhere')).toMatchObject({ code: 'NOT_FOUND', field: 'heading' })
  })

  it('can be read by a link, with its places', async () => {
    const token = await galley.newToken(id, 'comment')
    const url = `/api/documents/${id}/part?lines=7&share_token=${token}`
    const { start, content, revision } = (await galley.call('GET', url, { on: 'share' })).data as TextPart
    const anchor = { exact: content.trim(), start, revision }
    const comment = await galley.newComment(id, { token }, { anchor })
    expect(comment.range).toEqual({ start, end: start + 'Long.'.length })
  })
})

it('the outline has each heading with where it stands', async () => {
  const { revision, headings, limited } = await readOutline()
  expect([revision, limited]).toEqual([1, null])
  expect(
    headings.map(({ text, level, first_line, last_line }) => [text, level, first_line, last_line]),
  ).toEqual([
    ['Proofs', 1, 1, 16],
    ['Galleys', 2, 5, 12],
    ['Deep', 3, 9, 12],
    ['Galleys', 2, 13, 16],
    ['Quoted', 1, 17, 20],
  ])
  for (const { id: name, start, end } of headings)
    expect((await part(`heading=${name}`)).content).toBe(content.slice(start, end))
})

it('an empty text has one empty line and no headings', async () => {
  id = (await galley.newDocument({ content: '' })).id
  expect(await part('lines=1')).toMatchObject({ content: '', first_line: 1, last_line: 1 })
  expect((await readOutline()).headings).toEqual([])
})
