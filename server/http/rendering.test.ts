import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '../contract/limits.ts'
import { QueueFull, type Turn } from '../threads/fair-queue.ts'
import { createTestGalley, type TestGalley } from '../testing/galley.ts'

let galley: TestGalley
beforeEach(async () => {
  galley = await createTestGalley()
})
afterEach(() => galley.close())

/** Whose turn each rendering used. */
function watchRendering(): (Turn | undefined)[] {
  const turns: (Turn | undefined)[] = []
  const { markdown } = galley.context
  const render = markdown.render.bind(markdown)
  markdown.render = (source, turn) => {
    turns.push(turn)
    return render(source, turn)
  }
  return turns
}

const full = () => Promise.reject(new QueueFull())

describe('rendering a document', () => {
  it('happens once for each revision, however many ask in whichever way', async () => {
    const turns = watchRendering()
    const { id } = await galley.newDocument({ content: '# One' })
    const as = { token: await galley.newToken(id, 'edit') }
    const ask = () => [
      ...Array.from({ length: 20 }, () => galley.call('GET', `/api/documents/${id}/rendered`, { as })),
      ...Array.from({ length: 20 }, () => galley.call('GET', `/share/${as.token}`, { on: 'share' })),
      galley.call('GET', `/api/documents/${id}/export?format=html`, { as }),
      galley.call('GET', `/api/documents/${id}/rendered`, { as: galley.as.owner }),
    ]
    for (const { status, text } of await Promise.all(ask()))
      expect([status, text]).toEqual([200, expect.stringContaining('One')])
    expect(turns).toHaveLength(1)
    await galley.call('PATCH', `/api/documents/${id}`, { as, json: { content: '# Two' } })
    for (const { text } of await Promise.all(ask())) expect(text).toContain('Two')
    expect(turns).toHaveLength(2)
  })

  /** How many exported pages were put together. */
  function watchExports(size = 0): () => number {
    const assets = galley.context.assets()
    let count = 0
    const embedded = () => `/* ${++count} ${'x'.repeat(size)} */`
    galley.context.assets = () => ({
      ...assets,
      fonts: { ...assets.fonts, text: { needed: () => [], reader: () => ({ read: () => {}, embedded }) } },
    })
    return () => count
  }
  const exported = (id: string, token: string, method = 'GET') =>
    galley.call(method, `/api/documents/${id}/export?format=html`, { as: { token }, on: 'share' })

  it('puts its exported page together once for all links, and anew when the document has changed', async () => {
    const count = watchExports()
    const { id } = await galley.newDocument({ title: 'First', content: '# One' })
    const tokens = [await galley.newToken(id, 'view'), await galley.newToken(id, 'edit')]
    for (const token of [...tokens, ...tokens]) expect((await exported(id, token)).text).toContain('One')
    expect(count()).toBe(1)
    const url = `/api/documents/${id}`
    await galley.call('PATCH', url, { as: galley.as.owner, json: { content: '# Two' } })
    for (const token of tokens) expect((await exported(id, token)).text).toContain('Two')
    expect(count()).toBe(2)
    await galley.call('PATCH', url, { as: galley.as.owner, json: { title: 'Second' } })
    for (const token of tokens)
      expect((await exported(id, token)).headers['content-disposition']).toContain('Second')
    expect(count()).toBe(3)
  })

  it('gives no link what was kept of a document that is gone', async () => {
    const fields = { created_at: '2024-01-01T00:00:00.000Z', updated_at: '2024-01-01T00:00:00.000Z' }
    const create = async (content: string) => {
      const json = { ...fields, content }
      const { data } = await galley.call('POST', '/api/documents', { as: galley.as.owner, json })
      return { id: data.id as string, token: await galley.newToken(data.id as string, 'view') }
    }
    const one = await create('Secret')
    expect((await exported(one.id, one.token)).text).toContain('Secret')
    await galley.call('DELETE', `/api/documents/${one.id}`, { as: galley.as.owner })
    // It gets the number of the one before.
    const other = await create('Public')
    expect((await exported(other.id, other.token)).text).toContain('Public')
    expect((await exported(one.id, one.token)).status).toBe(401)
  })

  it('gives no link what is still being rendered of a document that is gone', async () => {
    const { markdown } = galley.context
    const render = markdown.render.bind(markdown)
    const gone = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    markdown.render = async (source, turn) => {
      if (source === 'Secret') {
        begun.resolve()
        await gone.promise
      }
      return render(source, turn)
    }
    const one = await galley.newDocument({ content: 'Secret' })
    const asked = galley.call('GET', `/api/documents/${one.id}/rendered`, { as: galley.as.owner })
    await begun.promise
    await galley.call('DELETE', `/api/documents/${one.id}`, { as: galley.as.owner })
    const other = await galley.newDocument({ content: 'Public' })
    const answer = exported(other.id, await galley.newToken(other.id, 'view'))
    setTimeout(gone.resolve, 100)
    expect((await answer).text).toContain('Public')
    await asked
  })

  it('counts each long page that a guest has had, asked for with GET or HEAD', async () => {
    watchExports(8 * 1024 * 1024)
    const { id } = await galley.newDocument({ content: '# One' })
    const token = await galley.newToken(id, 'view')
    const most = limits.visitorReadBytesPerMinute / (8 * 1024 * 1024)
    // All of them are needed to come to the limit; reading one takes ten times as long as asking for its head.
    for (let n = 1; n < most; n++) expect((await exported(id, token, 'HEAD')).status).toBe(200)
    expect((await exported(id, token)).status).toBe(200)
    for (const method of ['GET', 'HEAD']) expect((await exported(id, token, method)).status).toBe(429)
    expect((await exported(id, await galley.newToken(id, 'view'))).status).toBe(200)
  })

  it('uses the turn of the link that asks, or of the owner', async () => {
    const turns = watchRendering()
    const { id } = await galley.newDocument({ content: '# One' })
    const token = await galley.newToken(id, 'view')
    await galley.call('GET', `/api/documents/${id}/rendered`, { as: { token } })
    const link = galley.store.shareLinks.findValid(token)!
    await galley.call('PATCH', `/api/documents/${id}`, { as: galley.as.owner, json: { content: '# Two' } })
    await galley.call('GET', `/api/documents/${id}/rendered`, { as: galley.as.owner })
    await galley.call('POST', '/api/render', { as: galley.as.owner, json: { content: 'x' } })
    expect(turns).toEqual([
      { document: id, member: link.id, guest: true },
      { document: id, member: 'owner', guest: false },
      { document: galley.user.id, member: 'owner', guest: false },
    ])
  })

  it('asks guests to wait where too much waits', async () => {
    galley.context.markdown.render = full
    const { id } = await galley.newDocument({ content: '# One' })
    const token = await galley.newToken(id, 'view')
    expect(await galley.call('GET', `/api/documents/${id}/rendered`, { as: { token } })).toMatchObject({
      status: 429,
      headers: { 'retry-after': '5' },
    })
    expect((await galley.call('GET', `/share/${token}`, { on: 'share' })).status).toBe(429)
  })
})

describe('finding selections', () => {
  const point = (char: number) => ({ block: 0, char })
  const locate = (id: string, as: object) =>
    galley.call('POST', `/api/documents/${id}/locate`, {
      as,
      json: { revision: 1, from: point(0), to: point(1) },
    })

  it('is done for guests only so often; for others there is no limit', async () => {
    const { id } = await galley.newDocument({ content: 'One' })
    const one = { token: await galley.newToken(id, 'view') }
    const two = { token: await galley.newToken(id, 'view') }
    for (let n = 0; n < limits.visitorLocatesPerMinute; n++) expect((await locate(id, one)).status).toBe(200)
    expect((await locate(id, one)).code).toBe('RATE_LIMITED')
    expect((await locate(id, two)).status).toBe(200)
    for (let n = 0; n <= limits.visitorLocatesPerMinute; n++)
      expect((await locate(id, galley.as.owner)).status).toBe(200)
  })

  it('asks guests to wait where too much waits, and says so where the text is too much', async () => {
    const { id } = await galley.newDocument({ content: 'One' })
    const as = { token: await galley.newToken(id, 'view') }
    galley.context.markdown.sourceRange = async () => ({ found: null, limited: 'time' })
    expect(await locate(id, as)).toMatchObject({
      status: 400,
      message: expect.stringContaining('too long') as unknown,
    })
    galley.context.markdown.sourceRange = full
    expect((await locate(id, as)).code).toBe('RATE_LIMITED')
  })

  const rewrite = (id: string, content: string) =>
    galley.call('PATCH', `/api/documents/${id}`, { as: galley.as.owner, json: { content } })

  it('brings what was selected on an older text to today, also where it changes meanwhile', async () => {
    const { id } = await galley.newDocument({ content: 'One, one and one.' })
    const as = { token: await galley.newToken(id, 'view') }
    await rewrite(id, 'First. One, one and one.')
    const { markdown } = galley.context
    const sourceRange = markdown.sourceRange.bind(markdown)
    markdown.sourceRange = async (...asked) => {
      await rewrite(id, 'First and one. One, one and one.')
      return sourceRange(...asked)
    }
    const json = { revision: 1, from: point(4), to: point(7) }
    const answer = await galley.call('POST', `/api/documents/${id}/locate`, { as, json })
    expect(answer.data).toMatchObject({
      revision: 3,
      range: { start: 20, end: 23 },
      anchor: { exact: 'one', prefix: 'First and one. One, ', start: 20, revision: 3 },
    })
  })

  it('finds nothing where its words are gone', async () => {
    const { id } = await galley.newDocument({ content: 'One' })
    const as = { token: await galley.newToken(id, 'view') }
    await rewrite(id, 'Two')
    expect((await locate(id, as)).code).toBe('PRECONDITION_FAILED')
    expect((await locate(id, galley.as.owner)).code).toBe('PRECONDITION_FAILED')
  })

  it('asks no link about a text that was replaced before there was the link', async () => {
    const { id } = await galley.newDocument({ content: 'One' })
    await rewrite(id, 'One, and two')
    galley.clock.now += 1_000
    const as = { token: await galley.newToken(id, 'edit') }
    expect((await locate(id, as)).code).toBe('PRECONDITION_FAILED')
    expect((await locate(id, galley.as.owner)).status).toBe(200)
  })
})

describe('marks', () => {
  it('of a task’s box are at its own words, however much of its line is changed', async () => {
    const content = '- [ ] first\n- [ ] second\n- [x] third\n'
    const { id } = await galley.newDocument({ content })
    const as = galley.as.owner
    const suggest = (from: number, exact: string, suggested_text: string) =>
      galley.call('POST', `/api/documents/${id}/suggestions`, {
        as,
        json: {
          original_text: exact,
          suggested_text,
          anchor: { exact, start: from, ...around(from, exact) },
        },
      })
    const around = (from: number, exact: string) => ({
      prefix: content.slice(0, from),
      suffix: content.slice(from + exact.length),
    })
    await suggest(content.indexOf(' ] second'), ' ', 'x')
    await suggest(content.indexOf('x]'), 'x', ' ')
    await suggest(content.indexOf('[x]'), '[x]', '[ ]')
    const { data } = await galley.call('GET', `/api/documents/${id}/marks`, { as })
    const { marks } = data as { marks: { from: { char: number }; to: { char: number } }[] }
    const shown = 'firstsecondthird'
    expect(marks.map(({ from, to }) => shown.slice(from.char, to.char))).toEqual(['second', 'third', 'third'])

    const page = await galley.call('GET', `/api/documents/${id}/export?format=html&feedback=true`, { as })
    const text = page.text.replace(/<sup.*?<\/sup>| person-\d/g, '')
    const box = (was: string, will: string) =>
      `<del class="passage">- [${was}]</del><ins class="passage">- [${will}]</ins>`
    expect(text).toContain(`${box(' ', 'x')}second`)
    expect(text).toContain(`${box('x', ' ')}${box('x', ' ')}third`)
    expect(text).toContain('<del>- [ ] second</del> <ins>- [x] second</ins>')
  })

  it('that take too long say so, and the page is shown as ever', async () => {
    const { id } = await galley.newDocument({ content: 'One two' })
    const anchor = { exact: 'two', prefix: 'One ', suffix: '', start: 4 }
    const as = { token: await galley.newToken(id, 'comment') }
    await galley.call('POST', `/api/documents/${id}/comments`, { as, json: { body: 'x', anchor } })
    galley.context.markdown.renderedRanges = async () => ({ found: null, limited: 'time' })
    const marks = await galley.call('GET', `/api/documents/${id}/marks`, { as })
    expect(marks.data).toMatchObject({ revision: 1, marks: [], limited: 'time' })
    expect((await galley.call('GET', `/api/documents/${id}/rendered`, { as })).text).toContain('<p>One two')
  })
})
