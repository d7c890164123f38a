import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Document, VersionSummary } from '../../contract/records.ts'
import { createTestGalley, unknownId, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
let as: { key: string }
beforeEach(async () => {
  galley = await createTestGalley()
  as = galley.as.owner
})
afterEach(() => galley.close())

const list = (query = '') => galley.call('GET', `/api/documents${query}`, { as })
const read = async (id: string) => (await galley.call('GET', `/api/documents/${id}`, { as })).data as Document
const patch = (id: string, json: unknown, headers: Record<string, string> = {}) =>
  galley.call('PATCH', `/api/documents/${id}`, { as, json, headers })

describe('creating', () => {
  it('needs nothing, and then makes an empty document called “Untitled”', async () => {
    const { status, data, headers } = await galley.call('POST', '/api/documents', { as, json: {} })
    expect(status).toBe(201)
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      owner_id: galley.user.id,
      title: 'Untitled',
      content: '',
      revision: 1,
      created_at: '2026-03-01T09:30:00.000Z',
      updated_at: '2026-03-01T09:30:00.000Z',
    })
    expect(headers['etag']).toBe('"1"')
  })

  it('ignores fields it doesn’t know, also those that a careless server would take', async () => {
    const json = {
      content: 'Text',
      id: unknownId,
      owner_id: galley.other.id,
      revision: 99,
      created_at: '1999-01-01T00:00:00Z',
      constructor: { prototype: { polluted: true } },
    }
    const body = JSON.stringify(json).replace('{', '{"__proto__":{"title":"Polluted"},')
    const { data } = await galley.call('POST', '/api/documents', { as, body })
    expect(data).toMatchObject({ title: 'Untitled', content: 'Text', owner_id: galley.user.id, revision: 1 })
    expect(data.id).not.toBe(unknownId)
    expect({}).not.toHaveProperty('polluted')
  })

  it.each([
    '{"title":5}',
    '{"title":null}',
    '{"content":null}',
    '{"content":["a"]}',
    '{"title":{"length":1}}',
    '[]',
    '"text"',
    'null',
    'true',
    '1',
    '',
    ' ',
  ])('refuses %s', async (body) => {
    const { code } = await galley.call('POST', '/api/documents', { as, body })
    expect(code).toBe('VALIDATION_ERROR')
    expect((await list()).data).toEqual([])
  })

  it('takes an empty title for what it is', async () => {
    expect((await galley.newDocument({ title: '' })).title).toBe('')
  })
})

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

describe('reading', () => {
  it('answers 304 to whoever has the revision already, and only to them', async () => {
    const { id } = await galley.newDocument()
    const ask = (tag: string, token?: string) =>
      galley.call('GET', `/api/documents/${id}`, {
        as: token === undefined ? as : { token },
        headers: { 'if-none-match': tag },
      })
    for (const tag of ['"1"', 'W/"1"', '"0", "1"', '*']) {
      const answer = await ask(tag)
      expect([tag, answer.status, answer.headers['etag']]).toEqual([tag, 304, '"1"'])
    }
    for (const tag of ['"2"', '"11"', '', '"', 'x'])
      expect([tag, (await ask(tag)).status]).toEqual([tag, 200])
    expect((await ask('"1"', '0'.repeat(32))).status).toBe(401)
    await patch(id, { content: 'x' })
    expect((await ask('"1"')).status).toBe(200)
  })

  it('answers HEAD as GET, without the text', async () => {
    const { id } = await galley.newDocument({ content: 'Text' })
    const answer = await galley.call('HEAD', `/api/documents/${id}`, { as })
    expect([answer.status, answer.text, answer.headers['etag']]).toEqual([200, '', '"1"'])
    expect((await galley.call('HEAD', `/api/documents/${id}`)).status).toBe(401)
  })

  it('with a token shows the link’s level, and without never', async () => {
    const { id } = await galley.newDocument({ content: 'Text' })
    for (const permission of ['view', 'comment', 'edit'] as const) {
      const token = await galley.newToken(id, permission)
      for (const beside of [{}, as, galley.as.session, galley.as.stranger, { key: 'nonsense' }]) {
        const { data } = await galley.call('GET', `/api/documents/${id}`, { as: { ...beside, token } })
        expect(data.permission).toBe(permission)
      }
    }
    expect(await read(id)).not.toHaveProperty('permission')
  })
})

describe('changing', () => {
  it('changes only what is sent, and makes it later than before though the clock stands still', async () => {
    let before = await galley.newDocument({ title: 'Title', content: 'Text' })
    for (const [json, title, content] of [
      [{ content: 'New' }, 'Title', 'New'],
      [{ title: 'Other' }, 'Other', 'New'],
      [{ title: '', content: '' }, '', ''],
      [{ content: '' }, '', ''],
      [{ content: 'x', unknown: 1 }, '', 'x'],
    ] as const) {
      const { data, headers } = await patch(before.id, json)
      expect([data.title, data.content, data.revision]).toEqual([title, content, before.revision + 1])
      expect(data.updated_at > before.updated_at).toBe(true)
      expect(data.created_at).toBe(before.created_at)
      expect(headers['etag']).toBe(`"${data.revision}"`)
      expect(await read(before.id)).toEqual(data)
      before = data
    }
    galley.clock.now -= 60_000
    expect((await patch(before.id, { content: 'y' })).data.updated_at > before.updated_at).toBe(true)
  })

  it.each([
    '{}',
    '{"unknown":1}',
    '{"author_name":"Me"}',
    '{"Title":"x"}',
    '{"title":1}',
    '{"content":1}',
    '[]',
    '',
  ])('refuses %s', async (body) => {
    const before = await galley.newDocument({ content: 'Text' })
    const { code } = await galley.call('PATCH', `/api/documents/${before.id}`, { as, body })
    expect(code).toBe('VALIDATION_ERROR')
    expect(await read(before.id)).toEqual(before)
  })

  it('honours If-Match, and hands out the current document where it fails', async () => {
    const { id } = await galley.newDocument({ content: 'one' })
    expect((await patch(id, { content: 'two' }, { 'if-match': '"1"' })).status).toBe(200)
    const late = await patch(id, { content: 'three' }, { 'if-match': '"1"' })
    expect([late.status, late.data.content, late.data.revision]).toEqual([412, 'two', 2])
    expect(late.headers['etag']).toBe('"2"')
    for (const tag of ['"2"', '"1", "2"', '*', '2'])
      expect((await patch(id, { content: 'two' }, { 'if-match': tag })).status).toBe(
        tag === '"2"' || tag === '*' ? 200 : 412,
      )
  })

  it('hands a link’s holder a 412 that says no more than reading does', async () => {
    const { id } = await galley.newDocument()
    const token = await galley.newToken(id, 'edit')
    const url = `/api/documents/${id}`
    const late = await galley.call('PATCH', url, {
      as: { token },
      json: { content: 'x' },
      headers: { 'if-match': '"7"' },
    })
    expect(late.data).toEqual((await galley.call('GET', url, { as: { token } })).data)
  })

  it('of the title alone is a version of that kind, though the text is sent along', async () => {
    const { id } = await galley.newDocument({ title: 'Old', content: 'Same' })
    await galley.call('PATCH', `/api/documents/${id}`, { as, json: { title: 'New', content: 'Same' } })
    await galley.call('PATCH', `/api/documents/${id}`, { as, json: { title: 'Newer' } })
    await galley.call('PATCH', `/api/documents/${id}`, { as, json: { title: 'Newest', content: 'Other' } })
    const { data } = await galley.call('GET', `/api/documents/${id}/versions`, { as })
    expect((data as VersionSummary[]).map(({ kind }) => kind)).toEqual(['edit', 'title', 'title', 'create'])
  })

  it('always applies without If-Match, and keeps what it overwrites in the versions', async () => {
    const { id } = await galley.newDocument({ content: 'start' })
    const texts = Array.from({ length: 20 }, (_, i) => `text ${i}`)
    await Promise.all(texts.map((content) => patch(id, { content })))
    const versions = await galley.call('GET', `/api/documents/${id}/versions`, { as })
    const kept = new Set<string>()
    for (const { revision } of versions.data as { revision: number }[])
      kept.add((await galley.call('GET', `/api/documents/${id}/versions/${revision}`, { as })).data.content)
    for (const text of ['start', ...texts]) expect(kept).toContain(text)
    expect((await read(id)).revision).toBe(21)
  })
})

describe('deleting', () => {
  it('is for good, takes everything along, and can’t be done twice', async () => {
    const { id } = await galley.newDocument({ content: 'goes out' })
    const token = await galley.newToken(id, 'edit')
    const comment = await galley.newComment(id)
    await galley.newSuggestion(id)
    const url = `/api/documents/${id}`
    expect((await galley.call('DELETE', url, { as: { token } })).code).toBe('UNAUTHORIZED')
    const [one, two] = await Promise.all([
      galley.call('DELETE', url, { as }),
      galley.call('DELETE', url, { as }),
    ])
    expect([one.status, two.status].toSorted()).toEqual([200, 404])
    expect([one, two].find((answer) => answer.status === 200)!.data).toEqual({ deleted: true })
    for (const path of [url, `${url}/comments`, `${url}/suggestions`, `${url}/versions`, `${url}/share`])
      expect((await galley.call('GET', path, { as })).code).toBe('NOT_FOUND')
    expect((await galley.call('GET', url, { as: { token } })).code).toBe('UNAUTHORIZED')
    expect((await galley.call('PATCH', `${url}/comments/${comment.id}`, { as, json: {} })).code).toBe(
      'NOT_FOUND',
    )
    for (const table of [
      'documents',
      'changes',
      'versions',
      'share_links',
      'comments',
      'suggestions',
      'renders',
    ])
      expect(galley.store.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(0)
  })
})

describe('exporting', () => {
  it('gives the markdown byte for byte', async () => {
    const content = '\uFEFF# Ünïcödé 😀\r\n\r\nTab\tNUL\0\u2028end'
    const { id } = await galley.newDocument({ title: 'T', content })
    for (const query of ['', '?format=md']) {
      const { bytes, headers } = await galley.call('GET', `/api/documents/${id}/export${query}`, { as })
      expect(bytes.equals(Buffer.from(content))).toBe(true)
      expect(headers['content-type']).toBe('text/markdown; charset=utf-8')
    }
    const view = { token: await galley.newToken(id, 'view') }
    expect((await galley.call('GET', `/api/documents/${id}/export`, { as: view })).bytes.toString()).toBe(
      content,
    )
  })

  it('gives HTML that holds no script, though the text does', async () => {
    const { id } = await galley.newDocument({
      title: '</title><script>1</script>',
      content: '# Hi\n\n<script>2</script>\n\n[a](javascript:3)',
    })
    const { text, headers } = await galley.call('GET', `/api/documents/${id}/export?format=html`, { as })
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(text).toContain('<h1')
    expect(text).not.toMatch(/<script|href="javascript/i)
  })

  it.each([
    ['a"; filename=evil.exe', /evil\.exe\.md/],
    ['new\r\nSet-Cookie: a=b', /Set-Cookie/],
    ['../../etc/passwd', /passwd\.md/],
    ['CON', /Untitled/],
    ['...', /Untitled/],
    ['', /Untitled/],
    ['Ünïcödé 😀 “title”', /%C3%9C/],
    ['\0\u202e', /\.md/],
    ['x'.repeat(500), /x{100}\.md/],
    ["it's (100%) *fine*", /it%27s/],
  ])('names the file safely after %j', async (title, name) => {
    const { id } = await galley.newDocument({ title })
    const { status, headers } = await galley.call('GET', `/api/documents/${id}/export`, { as })
    expect(status).toBe(200)
    const disposition = String(headers['content-disposition'])
    expect(disposition).toMatch(/^attachment; filename="[\w .-]+"; filename\*=UTF-8''[\w!#$&+.^`|~%-]+$/)
    expect(disposition).toMatch(name)
    expect(disposition).not.toMatch(/%2F|%5C|%0D|%0A|%00|%22/i)
    expect(headers['set-cookie']).toBeUndefined()
  })
})

describe('rendering a text', () => {
  it('makes it safe HTML, and keeps nothing of it', async () => {
    const content = 'Read *me*.\n\n<script>1</script>\n\n[a](javascript:2)'
    const { data } = await galley.call('POST', '/api/render', { as, json: { content } })
    expect(data).toEqual({ html: expect.stringContaining('Read <em>me</em>.'), limited: null })
    expect(data.html).not.toMatch(/<script|javascript/i)
    expect((await galley.call('GET', '/api/documents', { as })).data).toEqual([])
  })

  it('says when a text can’t be rendered, and gives it as it was written', async () => {
    const content = '> '.repeat(5_000) + '<b>'
    const { data } = await galley.call('POST', '/api/render', { as, json: { content } })
    expect(data.limited).toBe('depth')
    expect(data.html).toContain('&gt; &lt;b&gt;')
  })
})

describe('deleted only if unused', () => {
  const drop = (id: string) =>
    galley.call('DELETE', `/api/documents/${id}?only_unused=true`, { as: galley.as.owner })

  it('goes what is as it was created, empty', async () => {
    const { id } = await galley.newDocument({})
    expect((await drop(id)).data).toEqual({ deleted: true })
    expect((await drop(id)).code).toBe('NOT_FOUND')
  })

  it('stays what was written, renamed, shared or commented on', async () => {
    const [written, changed, renamed, shared, commented, suggested] = await Promise.all([
      galley.newDocument({ content: ' ' }),
      galley.newDocument(),
      galley.newDocument(),
      galley.newDocument(),
      galley.newDocument(),
      galley.newDocument(),
    ])
    const patch = (id: string, json: object) =>
      galley.call('PATCH', `/api/documents/${id}`, { as: galley.as.owner, json })
    await patch(changed.id, { content: 'x' })
    await patch(changed.id, { content: '' })
    await patch(renamed.id, { title: 'Named' })
    await galley.newToken(shared.id, 'view')
    await galley.newComment(commented.id)
    await galley.newSuggestion(suggested.id)
    for (const { id } of [written, changed, renamed, shared, commented, suggested]) {
      const answer = await drop(id)
      expect(answer.code).toBe('PRECONDITION_FAILED')
      expect(answer.data).toMatchObject({ id })
    }
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

    expect((await see({ comments: first.created_at })).data).toEqual({ unseen_feedback: 2 })
    expect((await see({ comments: reply.created_at })).data).toEqual({ unseen_feedback: 1 })
    // What was seen stays seen.
    expect((await see({ comments: first.created_at })).data).toEqual({ unseen_feedback: 1 })
    await galley.call('POST', `/api/documents/${id}/suggestions/${suggestion.id}/reject`, { as })
    expect(await unseen()).toEqual([0])
    await say('comments', { body: 'One more' })
    expect(await unseen()).toEqual([1])
  })

  it('isn’t seen before it is there', async () => {
    const { see } = await shared()
    expect((await see({ comments: '2199-01-01T00:00:00Z' })).status).toBe(400)
    expect((await see({})).status).toBe(400)
  })
})
