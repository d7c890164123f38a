import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Document } from '../../contract/records/documents.ts'
import { createTestGalley, type TestGalley, type TestOptions } from '../../testing/galley.ts'

let galley: TestGalley
let as: { key: string }
beforeEach(async () => {
  galley = await createTestGalley()
  as = galley.as.owner
})
afterEach(() => galley.close())

const list = (query = '') => galley.call('GET', `/api/documents${query}`, { as })
const patch = (id: string, json: unknown, headers: Record<string, string> = {}) =>
  galley.call('PATCH', `/api/documents/${id}`, { as, json, headers })

describe('the list', () => {
  it('shows only summaries, the latest change first, and nobody else’s', async () => {
    const first = await galley.newDocument({ title: 'First', content: 'secret text' })
    galley.clock.now += 5
    const second = await galley.newDocument({ title: 'Second' })
    await galley.newDocument({ title: 'Theirs' }, galley.as.stranger)
    const titles = async () => ((await list()).data as Document[]).map((one) => one.title)
    expect(await titles()).toEqual(['Second', 'First'])
    galley.clock.now += 5
    await patch(first.id, { content: 'changed' })
    expect(await titles()).toEqual(['First', 'Second'])
    const { data, text } = await list()
    expect(Object.keys(data[1]).sort()).toEqual(['created_at', 'id', 'title', 'updated_at'])
    expect(data[1]).toEqual({
      id: second.id,
      title: 'Second',
      created_at: second.created_at,
      updated_at: second.updated_at,
    })
    expect(text).not.toContain('changed')
  })

  it('pages without repeating or skipping, even where all times are the same', async () => {
    const made = new Set<string>()
    for (let i = 0; i < 130; i++) made.add((await galley.newDocument()).id)
    expect((await list()).data).toHaveLength(50)
    expect((await list('?limit=100')).data).toHaveLength(100)
    expect((await list('?limit=101')).data).toHaveLength(100)
    expect((await list('?limit=99999999999999999999')).data).toHaveLength(100)
    for (const size of [1, 7, 50]) {
      const pages: string[] = []
      for (let offset = 0; offset < 140; offset += size)
        pages.push(
          ...((await list(`?limit=${size}&offset=${offset}`)).data as Document[]).map((one) => one.id),
        )
      expect(pages).toHaveLength(130)
      expect(new Set(pages)).toEqual(made)
    }
    expect((await list('?offset=130')).data).toEqual([])
    expect((await list('?offset=99999999999999999999999')).data).toEqual([])
  })

  it.each(
    [
      '0',
      '-1',
      '1.5',
      '1.0',
      'ten',
      '',
      ' ',
      '1e1',
      '0x10',
      '+5',
      '%2B5',
      '5%20',
      'NaN',
      'Infinity',
      'null',
      '٣',
    ]
      .map((value) => `limit=${value}`)
      .concat([
        'offset=-1',
        'offset=1.5',
        'offset=x',
        'offset=',
        'offset=1e1',
        'limit=1&limit=2',
        'offset=0&offset=1',
      ]),
  )('refuses ?%s', async (query) => {
    expect((await list(`?${query}`)).code).toBe('VALIDATION_ERROR')
  })

  it.each([
    'limit=1',
    'limit=100',
    'offset=0',
    'limit=007',
    'unknown=1',
    'limit[]=0',
    '%6Cimit=1',
    'q=',
    '&&',
    '?',
  ])('takes ?%s', async (query) => {
    expect((await list(`?${query}`)).status).toBe(200)
  })

  it('can’t be had with a share token, whatever stands beside it', async () => {
    const { id } = await galley.newDocument()
    const token = await galley.newToken(id, 'edit')
    for (const beside of [{}, as, galley.as.session])
      expect((await galley.call('GET', '/api/documents', { as: { ...beside, token } })).code).toBe(
        'UNAUTHORIZED',
      )
  })
})

describe('search', () => {
  const titles = async (q: string) =>
    ((await list(`?q=${encodeURIComponent(q)}`)).data as Document[]).map((one) => one.title)

  it('finds words in title and text, the title before the text, with a snippet', async () => {
    await galley.newDocument({ title: 'Other', content: `${'Words before. '.repeat(40)}A **galley** proof.` })
    await galley.newDocument({ title: 'The galley', content: 'Nothing.' })
    await galley.newDocument({ title: 'Not', content: 'at all' })
    await galley.newDocument({ title: 'Their galley', content: 'galley' }, galley.as.stranger)
    expect(await titles('galley')).toEqual(['The galley', 'Other'])
    const { data } = await list('?q=galley')
    expect(data[1].snippet).toContain('galley')
    expect(data[1].snippet.length).toBeLessThan(400)
    expect(await titles('gall')).toHaveLength(2)
    expect(await titles('GALLEY proof')).toEqual(['Other'])
    expect(await titles('galley nothere')).toEqual([])
    expect((await list('?q=galley&limit=1&offset=1')).data.map((one: Document) => one.title)).toEqual([
      'Other',
    ])
    expect((await list('?q=galley&limit=0')).code).toBe('VALIDATION_ERROR')
  })

  it('sees every change at once, and nothing that is gone', async () => {
    const { id } = await galley.newDocument({ title: 'T', content: 'before' })
    expect(await titles('before')).toEqual(['T'])
    await patch(id, { content: 'after' })
    expect([await titles('before'), await titles('after')]).toEqual([[], ['T']])
    await galley.call('DELETE', `/api/documents/${id}`, { as })
    expect(await titles('after')).toEqual([])
  })

  it.each([
    '"',
    '""',
    '*',
    'a*',
    'NEAR(a b)',
    'a AND',
    'OR',
    '-a',
    'title:x',
    '(',
    '^',
    '\0',
    'a\0b',
    "';--",
    '%',
    '.',
  ])('takes %j for words and nothing more', async (q) => {
    await galley.newDocument({ title: 'a', content: 'near AND or' })
    expect((await list(`?q=${encodeURIComponent(q)}`)).status).toBe(200)
  })

  it('finds what holds a NUL, a BOM, CRLF or characters beyond the BMP', async () => {
    await galley.newDocument({ title: 'Odd', content: '\uFEFFfirst\r\nsec\0ond 𝔤𝔞𝔩 後書き' })
    for (const q of ['first', '𝔤𝔞𝔩', '後書', '書き']) expect(await titles(q)).toEqual(['Odd'])
  })
})

describe('what a list says with details', () => {
  const excerpts = async (query = '') =>
    ((await list(`?details=true${query}`)).data as { title: string; excerpt?: string }[]).map(
      ({ title, excerpt }) => [title, excerpt],
    )

  it('is the beginning of each text, as it is now', async () => {
    const json = { title: 'On proofs', content: '# On proofs\n\nA **galley** goes out.' }
    const { data } = await galley.call('POST', '/api/documents', { as, json })
    expect(await excerpts()).toEqual([['On proofs', 'A galley goes out.']])
    await patch(data.id as string, { content: 'It came *back*.' })
    expect(await excerpts()).toEqual([['On proofs', 'It came back.']])
    await patch(data.id as string, { content: '' })
    expect(await excerpts()).toEqual([['On proofs', '']])
  })

  it('goes with what a search finds, beside the snippet', async () => {
    await galley.call('POST', '/api/documents', { as, json: { title: 'Found', content: 'Said at once.' } })
    expect((await list('?details=true&q=once')).data).toEqual([
      expect.objectContaining({ title: 'Found', snippet: 'Said at once.', excerpt: 'Said at once.' }),
    ])
  })

  it('is not said to whoever doesn’t ask', async () => {
    await galley.call('POST', '/api/documents', { as, json: { content: 'Said.' } })
    for (const query of ['', '?details=false']) {
      const { data } = await list(query)
      expect(Object.keys(data[0] as object)).toEqual(['id', 'title', 'created_at', 'updated_at'])
    }
    expect((await list('?details=perhaps')).status).toBe(400)
  })
})

describe('feedback that the owner hasn’t seen', () => {
  const unseen = async () =>
    ((await list('?details=true')).data as { unseen_feedback?: number }[]).map(
      ({ unseen_feedback }) => unseen_feedback,
    )
  const shared = async () => {
    const json = { content: 'A galley goes out.' }
    const { id } = (await galley.call('POST', '/api/documents', { as, json })).data as Document
    const token = await galley.newToken(id, 'edit')
    const say = async (path: string, said: object, by: object = { token }) => {
      galley.clock.now += 1_000
      const answer = await galley.call('POST', `/api/documents/${id}/${path}`, { as: by, json: said })
      expect(answer.status).toBe(201)
      return answer.data as { id: string; created_at: string }
    }
    return { id, say, see: (json: object) => galley.call('POST', `/api/documents/${id}/seen`, { as, json }) }
  }

  it('is what others said that is open, until it is seen', async () => {
    const { id, say, see } = await shared()
    expect(await unseen()).toEqual([0])
    const first = await say('comments', { body: 'Really?' })
    const suggestion = await say('suggestions', { original_text: 'out', suggested_text: 'forth' })
    await say('comments', { body: 'Yes', parent_id: first.id }, as)
    await say('suggestions', { original_text: 'A', suggested_text: 'The' }, as)
    const reply = await say('comments', { body: 'I see', parent_id: first.id })
    expect(await unseen()).toEqual([3])

    expect((await see({ comments: first.created_at })).data).toMatchObject({ unseen_feedback: 2 })
    expect((await see({ comments: reply.created_at })).data).toMatchObject({ unseen_feedback: 1 })
    // What was seen stays seen.
    expect((await see({ comments: first.created_at })).data).toMatchObject({ unseen_feedback: 1 })
    await galley.call('POST', `/api/documents/${id}/suggestions/${suggestion.id}/reject`, { as })
    expect(await unseen()).toEqual([0])
    await say('comments', { body: 'One more' })
    expect(await unseen()).toEqual([1])
  })

  it('is what suggestions were answered, too, which is seen with them', async () => {
    const { id, say, see } = await shared()
    const suggestion = await say('suggestions', { original_text: 'out', suggested_text: 'forth' }, as)
    const answer = (by?: object) => say(`suggestions/${suggestion.id}/replies`, { body: 'Why?' }, by)
    await answer(as)
    expect(await unseen()).toEqual([0])
    const first = await answer()
    const second = await answer()
    expect(await unseen()).toEqual([2])
    expect((await see({ comments: second.created_at })).data).toMatchObject({ unseen_feedback: 2 })
    expect((await see({ suggestions: first.created_at })).data).toMatchObject({ unseen_feedback: 1 })
    galley.clock.now += 1_000
    await galley.call('POST', `/api/documents/${id}/suggestions/${suggestion.id}/reject`, { as })
    expect(await unseen()).toEqual([0])
    await answer()
    expect(await unseen()).toEqual([1])
  })

  it('isn’t seen before it is there', async () => {
    const { see } = await shared()
    expect((await see({ comments: '2199-01-01T00:00:00Z' })).status).toBe(400)
    expect((await see({})).status).toBe(400)
  })
})

describe('a search that would hold others up', () => {
  let folder: string
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'galley-search-'))))
  afterEach(() => rmSync(folder, { recursive: true }))
  const often = 'often '.repeat(4_000)

  async function open(searches: TestOptions['searches'] = {}) {
    await galley.close()
    galley = await createTestGalley({ file: path.join(folder, 'galley.db'), searches })
    as = galley.as.owner
    const asked = vi.spyOn(galley.context.searches, 'find')
    const { id } = await galley.newDocument({ title: 'First', content: `seldom ${often}` })
    await galley.newDocument({ title: 'Second', content: often })
    galley.store.searchIndex.write(100)
    const titles = async (url: string) => {
      const { status, data, code } = await galley.call('GET', url, { as })
      return status === 200 ? (data as Document[]).map(({ title }) => title).sort() : code
    }
    return { id, asked, titles }
  }

  it('is done on another thread, and finds what was just written', async () => {
    const { id, asked, titles } = await open()
    expect(await titles('/api/documents?q=seldom')).toEqual(['First'])
    expect(asked).not.toHaveBeenCalled()
    expect(await titles('/api/documents?q=often')).toEqual(['First', 'Second'])
    expect(asked).toHaveBeenCalledOnce()
    await galley.newDocument({ title: 'Third', content: 'often' })
    await patch(id, { content: 'never' })
    expect(await titles('/api/documents?q=often')).toEqual(['Second', 'Third'])
    const [hit] = (await list('?q=often&details=true')).data as { snippet: string; excerpt: string }[]
    expect(hit).toMatchObject({ snippet: expect.stringContaining('often'), excerpt: expect.any(String) })
    await galley.call('POST', `/api/documents/${id}/trash`, { as })
    await patch(id, { content: often })
    expect(await titles('/api/trash?q=never')).toEqual(['First'])
  })

  it('tells of nothing that is deleted while it is done', async () => {
    const { id, titles } = await open()
    const { find } = galley.context.searches
    galley.context.searches = {
      async find(request) {
        const found = await find(request)
        await galley.call('DELETE', `/api/documents/${id}`, { as })
        return found
      },
    }
    expect(await titles('/api/documents?q=often')).toEqual(['Second'])
  })

  it('is done all the same where no thread can be had, which is logged', async () => {
    const { titles } = await open({ workerUrl: new URL('./no-such-worker.ts', import.meta.url) })
    expect(await titles('/api/documents?q=often')).toEqual(['First', 'Second'])
    expect(galley.log.splice(0).join()).toMatch(/search: .*no-such-worker/)
  })

  it('is refused while too many wait, or where it takes too long', async () => {
    const stuck = new URL(
      `data:text/javascript,${encodeURIComponent(`
        import { parentPort } from 'node:worker_threads'
        parentPort.on('message', () => parentPort.postMessage({ kind: 'begun' }))
        parentPort.postMessage({ kind: 'ready' })`)}`,
    )
    const { titles } = await open({ workerUrl: stuck, timeoutMs: 200, queue: { perMember: 1 } })
    const answers = await Promise.all([1, 2, 3].map((n) => list(`?q=often&limit=${n}`)))
    expect(answers.map(({ code }) => code)).toEqual(['BUSY', 'BUSY', 'BUSY'])
    expect(answers.map(({ message }) => message)).toContainEqual(expect.stringMatching(/too many/i))
    expect(answers.map(({ message }) => message)).toContainEqual(expect.stringMatching(/too long/))
    expect(answers[2]!.headers['retry-after']).toBeDefined()
    expect(await titles('/api/documents?q=seldom')).toEqual(['First'])
  })
})
