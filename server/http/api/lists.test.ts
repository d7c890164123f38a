import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Document } from '../../contract/records/documents.ts'
import type { Suggestion } from '../../contract/records/suggestions.ts'
import type { VersionSummary } from '../../contract/records/versions.ts'
import { createTestGalley, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
let document: Document
beforeEach(async () => {
  galley = await createTestGalley()
  document = await galley.newDocument({ content: 'A galley goes out for review.\n' })
})
afterEach(() => galley.close())

type What = 'comments' | 'suggestions' | 'versions'
const ask = (what: What, query = '', as = galley.as.owner) =>
  galley.call('GET', `/api/documents/${document.id}/${what}?${query}`, { as })
const list = async (what: What, query = '') => (await ask(what, query)).data as { id?: string }[]
const patch = (url: string, json: unknown) => galley.call('PATCH', url, { as: galley.as.owner, json })
const write = (content: string) => patch(`/api/documents/${document.id}`, { content })
const minute = 60_000
const later = (by = minute) => (galley.clock.now += by)
const time = (at = galley.clock.now) => new Date(at).toISOString()

/** Some of each kind; several made in the same millisecond. */
async function fill() {
  for (let made = 0; made < 7; made++) {
    await galley.newComment(document.id)
    await galley.newSuggestion(document.id)
    await write(`A galley goes out for review ${made}.\n`)
    if (made % 3 === 2) later()
  }
}

it.each(['comments', 'suggestions'] as const)(
  'the list of %s tells in which text its places are',
  async (what) => {
    const { revision } = document
    const told = async (as = galley.as.owner) => (await ask(what, '', as)).headers['galley-revision']
    expect(await told()).toBe(String(revision))
    await write('A galley goes out for print.\n')
    expect(await told()).toBe(String(revision + 1))
    expect(await told({ token: await galley.newToken(document.id, 'edit') } as never)).toBe(
      String(revision + 1),
    )
  },
)

describe.each(['comments', 'suggestions', 'versions'] as const)('the list of %s', (what) => {
  it('is whole where nothing else is asked for', async () => {
    await fill()
    expect((await list(what)).length).toBe(what === 'versions' ? 8 : 7)
  })

  it('comes in parts that are the whole, whatever their size', async () => {
    await fill()
    const whole = await list(what)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 10 }), async (size) => {
        const parts: unknown[] = []
        for (let offset = 0; offset < whole.length; offset += size) {
          const part = await list(what, `limit=${size}&offset=${offset}`)
          expect(part.length).toBeLessThanOrEqual(size)
          parts.push(...part)
        }
        expect(parts).toEqual(whole)
      }),
      { numRuns: 10 },
    )
    expect(await list(what, 'offset=2')).toEqual(whole.slice(2))
    expect(await list(what, 'limit=5&offset=100')).toEqual([])
    expect(await list(what, 'limit=1000000')).toEqual(whole)
    expect(await list(what, 'offset=99999999999999999999')).toEqual([])
  })

  it('has what is new since a time, that moment included', async () => {
    await fill()
    later()
    const from = time()
    await galley.newComment(document.id)
    await galley.newSuggestion(document.id)
    await write('Changed.\n')
    expect((await list(what, `since=${from}`)).length).toBe(1)
    expect(await list(what, `since=${time(galley.clock.now + 1)}`)).toEqual([])
    expect(await list(what, `since=${encodeURIComponent('2020-01-01T00:00:00+02:00')}`)).toEqual(
      await list(what),
    )
  })

  it.each([
    'limit=0',
    'limit=x',
    'limit=1.5',
    'limit=1e1',
    'limit=0x10',
    'limit=%2B1',
    'limit=%201',
    'limit=',
    'offset=1e1',
    'offset=-1',
    'since=',
    'since=0',
    'since=-1',
    'since=yesterday',
  ])('refuses %s', async (query) => {
    expect(await ask(what, query)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
  })

  it('says how a time is written that has lost its plus sign', async () => {
    const answer = await ask(what, 'since=2026-03-01T09:30:00+02:00')
    expect([answer.status, answer.message]).toEqual([400, expect.stringContaining('%2B')])
  })
})

describe('since a revision', () => {
  it('there are the versions after it', async () => {
    await fill()
    const revisions = (await ask('versions', 'since=5')).data as VersionSummary[]
    expect(revisions.map(({ revision }) => revision)).toEqual([8, 7, 6])
    expect(await list('versions', 'since=8')).toEqual([])
  })

  it('there are the comments and suggestions that were made once it was there', async () => {
    await galley.newComment(document.id)
    await galley.newSuggestion(document.id)
    later()
    const { revision } = (await write('A galley goes out.\n')).data as Document
    for (const what of ['comments', 'suggestions'] as const) {
      expect(await list(what, `since=${revision}`)).toEqual([])
      expect((await list(what, 'since=1')).length).toBe(1)
    }
    const comment = await galley.newComment(document.id)
    expect(await list('comments', `since=${revision}`)).toEqual([comment])
  })

  it('that was never made is refused', async () => {
    for (const what of ['comments', 'suggestions'] as const)
      expect(await ask(what, 'since=99')).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
  })
})

describe('comments', () => {
  it('are there again since a time when they were changed, resolved or answered', async () => {
    const url = `/api/documents/${document.id}/comments`
    const [one, two, three] = [
      await galley.newComment(document.id),
      await galley.newComment(document.id),
      await galley.newComment(document.id),
    ]
    later()
    const from = time()
    await patch(`${url}/${one.id}`, { body: 'Better.' })
    await patch(`${url}/${two.id}`, { resolved: true })
    const reply = await galley.newComment(document.id, galley.as.owner, { parent_id: three.id })
    const ids = (await list('comments', `since=${from}`)).map(({ id }) => id)
    expect(ids).toEqual([one.id, two.id, reply.id])
  })

  it('are asked for by thread: resolved or open, detached or not, with their replies', async () => {
    const anchor = { exact: 'goes out', start: 9 }
    const open = await galley.newComment(document.id, galley.as.owner, { anchor })
    const openReply = await galley.newComment(document.id, galley.as.owner, { parent_id: open.id })
    const done = await galley.newComment(document.id)
    const doneReply = await galley.newComment(document.id, galley.as.owner, { parent_id: done.id })
    await patch(`/api/documents/${document.id}/comments/${done.id}`, { resolved: true })
    const ids = async (query: string) => (await list('comments', query)).map(({ id }) => id)
    expect(await ids('resolved=false')).toEqual([open.id, openReply.id])
    expect(await ids('resolved=true')).toEqual([done.id, doneReply.id])
    expect(await ids('detached=true')).toEqual([])
    await write('Nothing of it is left.\n')
    expect(await ids('detached=true')).toEqual([open.id, openReply.id])
    expect(await ids('detached=false&resolved=true')).toEqual([done.id, doneReply.id])
    expect((await ask('comments', 'resolved=perhaps')).code).toBe('VALIDATION_ERROR')
  })

  it('are asked for by author: a user’s id, or a name', async () => {
    const token = await galley.newToken(document.id, 'comment')
    await galley.newComment(document.id)
    const guest = await galley.newComment(document.id, { token }, { author_name: 'Ada' })
    expect(await list('comments', 'author=Ada')).toMatchObject([{ id: guest.id }])
    expect(await list('comments', `author=${galley.user.id}`)).toMatchObject([{ author_id: galley.user.id }])
    expect(await list('comments', 'author=Nobody')).toEqual([])
  })

  it('are counted out by recipients in the same way', async () => {
    const token = await galley.newToken(document.id, 'view')
    await fill()
    const answer = await galley.call('GET', `/api/documents/${document.id}/comments?limit=2&offset=1`, {
      as: { token },
      on: 'share',
    })
    expect(answer.data).toHaveLength(2)
  })
})

describe('suggestions', () => {
  it('are there again since a time when they were decided, and by status in parts', async () => {
    const [one, two] = [await galley.newSuggestion(document.id), await galley.newSuggestion(document.id)]
    later()
    const from = time()
    const url = `/api/documents/${document.id}/suggestions`
    await galley.call('POST', `${url}/${two.id}/reject`, { as: galley.as.owner })
    expect(await list('suggestions', `since=${from}`)).toMatchObject([{ id: two.id, status: 'rejected' }])
    expect(await list('suggestions', 'status=pending&limit=5')).toMatchObject([{ id: one.id }])
    expect(await list('suggestions', 'status=pending&offset=1')).toEqual([])
  })

  it('say once accepted which revision of the document that made', async () => {
    await write('A galley goes out for proof.\n')
    const suggestion: Suggestion = await galley.newSuggestion(document.id)
    const accepted = await galley.call(
      'POST',
      `/api/documents/${document.id}/suggestions/${suggestion.id}/accept`,
      { as: galley.as.owner },
    )
    expect(accepted.data).toMatchObject({ id: suggestion.id, status: 'accepted', revision: 3 })
    const [newest] = (await ask('versions', 'limit=1')).data as VersionSummary[]
    expect(newest).toMatchObject({ revision: 3, kind: 'suggestion' })
  })
})
