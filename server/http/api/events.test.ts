import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { commandLinePrincipal } from '../../actions/principal.ts'
import { record } from '../../actions/record.ts'
import { limits } from '../../contract/limits.ts'
import type { EventRecord } from '../../contract/records/events.ts'
import type { ApiKey } from '../../contract/records/keys.ts'
import { openStore } from '../../store/store.ts'
import { testFolder } from '../../store/testing/store.ts'
import { createTestGalley, hosts, type TestCredentials, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
beforeEach(async () => {
  galley = await createTestGalley()
})
afterEach(() => galley.close())

const ask = (query = '', as: TestCredentials = galley.as.reader) =>
  galley.call('GET', `/api/events${query}`, { as })
const list = async (query?: string, as?: TestCredentials) => (await ask(query, as)).data as EventRecord[]
const kinds = async (query?: string) => (await list(query)).map(({ kind }) => kind)
const soon = (assertion: () => void) => vi.waitFor(assertion, { timeout: 10_000, interval: 10 })
const waiting = () => galley.context.feed.waiting()

describe('what has happened', () => {
  it('is listed in order: what, to which document as it was then, by whom, and none of the words', async () => {
    const document = await galley.newDocument({ title: 'Secret title', content: 'Secret words.' })
    const token = await galley.newToken(document.id, 'edit')
    const [link] = galley.store.shareLinks.list(galley.store.documents.find(document.id)!.number)
    const guest = { token }
    const comment = await galley.newComment(document.id, guest, { body: 'Unsaid', author_name: 'Ada' })
    await galley.call('PATCH', `/api/documents/${document.id}`, {
      as: galley.as.session,
      json: { content: 'Other words.' },
    })
    const suggestion = await galley.newSuggestion(
      document.id,
      { ...guest, ...galley.as.stranger },
      {
        original_text: 'Other',
        suggested_text: 'Unwritten',
      },
    )
    await galley.call('POST', `/api/documents/${document.id}/suggestions/${suggestion.id}/accept`, {
      as: galley.as.owner,
    })
    galley.context.visits.note(
      { address: '198.51.100.7', forwardedFor: undefined, userAgent: 'Mozilla/5.0' },
      link!.id,
    )
    galley.context.visits.write()

    const events = await list()
    const me = { name: galley.user.name, id: galley.user.id, author_kind: 'person' }
    const key = { kind: 'key', name: 'Test', id: expect.any(String) as string, author_kind: 'script' }
    const guests = { kind: 'guest', id: link!.id, author_kind: 'guest' }
    const by = (kind: string, revision: number, principal: object, subject_id: string | null = null) => ({
      seq: expect.any(Number) as number,
      at: '2026-03-01T09:30:00.000Z',
      kind,
      document_id: document.id,
      revision,
      principal,
      subject_id,
      suggestion_id: null,
    })
    expect(events).toEqual([
      by('document.created', 1, key),
      by('link.created', 1, key, link!.id),
      by('comment.created', 1, { ...guests, name: 'Ada' }, comment.id),
      by('document.changed', 2, { kind: 'owner', ...me }),
      by('suggestion.created', 2, { ...me, kind: 'user', name: 'Other', id: galley.other.id }, suggestion.id),
      by('document.changed', 3, key),
      by('suggestion.accepted', 3, key, suggestion.id),
      by('link.visited', 3, { ...guests, name: null }, link!.id),
    ])
    expect(JSON.stringify(events)).not.toMatch(/Secret|Unsaid|Unwritten|198\.51|Mozilla/)
    expect(JSON.stringify(events)).not.toContain(token)
  })

  it('is an account’s own: nobody hears of another’s, and no link is a credential for it', async () => {
    const { id } = await galley.newDocument()
    const token = await galley.newToken(id, 'edit')
    await galley.newDocument({}, galley.as.stranger)
    const theirs = await list('', galley.as.stranger)
    expect(theirs.map(({ kind }) => kind)).toEqual(['document.created'])
    expect(await list(`?document=${id}`, galley.as.stranger)).toEqual([])
    for (const as of [{ token }, { token, ...galley.as.owner }])
      expect((await ask('', as)).code).toBe('UNAUTHORIZED')
    const elsewhere = await galley.call('GET', '/api/events', { as: { token }, on: 'share' })
    expect(elsewhere.code).toBe('NOT_FOUND')
  })

  it('outlives the document it happened to', async () => {
    const { id } = await galley.newDocument()
    await galley.newComment(id)
    await galley.call('POST', `/api/documents/${id}/trash`, { as: galley.as.owner })
    await galley.call('POST', `/api/trash/${id}/restore`, { as: galley.as.owner })
    await galley.call('DELETE', `/api/documents/${id}`, { as: galley.as.owner })
    expect(await kinds(`?document=${id}`)).toEqual([
      'document.created',
      'comment.created',
      'document.trashed',
      'document.restored',
      'document.deleted',
    ])
  })

  it('says what the trash does by itself, and what happens to keys and to sharing', async () => {
    const made = await galley.call('POST', '/api/keys', { as: galley.as.owner, json: { name: 'One' } })
    const { id } = made.data as { id: string }
    await galley.call('DELETE', `/api/keys/${id}`, { as: galley.as.owner })
    for (const stopped of [true, false])
      await galley.call('PATCH', '/api/sharing', { as: galley.as.owner, json: { stopped } })
    expect(await list()).toMatchObject([
      { kind: 'key.created', document_id: null, revision: null, subject_id: id },
      { kind: 'key.deleted', subject_id: id },
      { kind: 'sharing.stopped', document_id: null, subject_id: null },
      { kind: 'sharing.started' },
    ])
  })

  it('tells one thing done to a comment from another', async () => {
    const { id } = await galley.newDocument()
    const comment = await galley.newComment(id)
    const url = `/api/documents/${id}/comments/${comment.id}`
    for (const json of [{ resolved: true }, { resolved: true }, { resolved: false }, { body: 'Ah.' }])
      await galley.call('PATCH', url, { as: galley.as.owner, json })
    await galley.call('PATCH', url, { as: galley.as.owner, json: { body: 'Oh.', resolved: true } })
    await galley.call('DELETE', url, { as: galley.as.owner })
    expect(await kinds('?kind=comment')).toEqual([
      'comment.created',
      'comment.resolved',
      'comment.changed',
      'comment.reopened',
      'comment.changed',
      'comment.resolved',
      'comment.changed',
      'comment.deleted',
    ])
  })
})

describe('which part of it', () => {
  it('is asked for by number, kind and document, a page at a time', async () => {
    const one = await galley.newDocument()
    const two = await galley.newDocument()
    await galley.newComment(one.id)
    await galley.newComment(two.id)
    await galley.newSuggestion(two.id)
    expect(await kinds('?kind=comment.created,suggestion')).toEqual([
      'comment.created',
      'comment.created',
      'suggestion.created',
    ])
    expect(await kinds(`?document=${two.id}&kind=comment`)).toEqual(['comment.created'])
    expect(await list('?document=nothing')).toEqual([])
    const first = await ask('?since=0&limit=2')
    const upTo = Number(first.headers['galley-events-up-to'])
    expect((first.data as EventRecord[]).map(({ seq }) => seq)).toEqual([1, 2])
    expect(upTo).toBe(2)
    expect((await list(`?since=${upTo}`)).map(({ seq }) => seq)).toEqual([3, 4, 5])
    expect(await list('?since=5')).toEqual([])
    expect(await list('?since=latest')).toEqual([])
  })

  it('is answered with how far that goes, also where nothing of it was asked for', async () => {
    const { id } = await galley.newDocument()
    await galley.newComment(id)
    for (const query of ['?since=0&kind=key', '?since=latest', '?since=2'])
      expect((await ask(query)).headers['galley-events-up-to']).toBe('2')
  })

  it.each([
    'limit=0',
    'limit=1.5',
    'since=-1',
    'since=now',
    'since=',
    'kind=',
    'kind=comment.made',
    'wait=61',
    'wait=-1',
    'document=',
  ])('is refused where it makes no sense: %s', async (query) => {
    const answer = await ask(`?${query}`)
    expect([answer.status, answer.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('is 400 with the newest number where nothing has happened up to it', async () => {
    await galley.newDocument()
    for (const query of ['since=2', 'since=999999999&wait=60']) {
      const answer = await ask(`?${query}`)
      expect([answer.code, answer.message]).toEqual([
        'VALIDATION_ERROR',
        expect.stringMatching(/newest event is 1\..*read anew/),
      ])
    }
    expect(await list('?since=1')).toEqual([])
  })

  it('is 410 with the oldest number where some of it is no longer kept', async () => {
    for (let i = 0; i < 4; i++) await galley.newDocument()
    galley.store.db.exec('DELETE FROM events WHERE seq < 3')
    for (const since of [0, 1]) {
      const answer = await ask(`?since=${since}`)
      expect([answer.status, answer.code, answer.data]).toEqual([410, 'GONE', 3])
    }
    expect((await list('?since=2')).map(({ seq }) => seq)).toEqual([3, 4])
    expect((await list()).map(({ seq }) => seq)).toEqual([3, 4])
  })

  it('is no more than a thousand at a time', async () => {
    const { id } = await galley.newDocument()
    const { number, ...document } = galley.store.documents.findHead(id)!
    await record(
      galley.context,
      () => commandLinePrincipal(galley.user, 'cli:test'),
      (happened) => {
        for (let i = 0; i < 1_100; i++) happened({ kind: 'document.changed', document })
      },
    )
    expect(number).toBe(1)
    expect(await list()).toHaveLength(limits.eventPage)
    expect(await list('?limit=1000000')).toHaveLength(limits.eventPageMax)
  })
})

describe('waiting', () => {
  it('ends with the first event that was asked for, and with no other', async () => {
    const one = await galley.newDocument()
    const two = await galley.newDocument()
    const answer = list(`?since=latest&wait=60&kind=comment&document=${one.id}`)
    await soon(() => expect(waiting()).toBe(1))
    await galley.newSuggestion(one.id)
    await galley.newComment(two.id)
    await galley.newDocument({}, galley.as.stranger)
    expect(waiting()).toBe(1)
    const comment = await galley.newComment(one.id)
    expect(await answer).toMatchObject([{ kind: 'comment.created', subject_id: comment.id }])
    expect(waiting()).toBe(0)
  })

  it('isn’t needed where there is something already', async () => {
    await galley.newDocument()
    expect(await kinds('?since=0&wait=60')).toEqual(['document.created'])
  })

  it('ends with nothing after its seconds', async () => {
    const answer = await ask('?since=latest&wait=1')
    expect([answer.data, waiting()]).toEqual([[], 0])
  })

  it('tells nothing to whoever lost the right meanwhile', async () => {
    const key = galley.newKey(galley.user.id)
    const answer = ask('?since=latest&wait=60&kind=document', { key })
    await soon(() => expect(waiting()).toBe(1))
    galley.store.db.prepare("DELETE FROM api_keys WHERE access = 'full'").run()
    await galley.newDocument({}, galley.as.session)
    expect((await answer).code).toBe('UNAUTHORIZED')
  })

  it('is over soon after the key is deleted or has expired, though nothing else happens', async () => {
    const newKey = async (json: object) =>
      (await galley.call('POST', '/api/keys', { as: galley.as.owner, json })).data as ApiKey & { key: string }
    const expires_at = new Date(galley.clock.now + 5_000).toISOString()
    const deleted = await newKey({ name: 'Deleted' })
    const expiring = await newKey({ name: 'Expiring', expires_at })
    const answers = [deleted, expiring].map(({ key }) => ask('?since=latest&wait=60&kind=comment', { key }))
    await soon(() => expect(waiting()).toBe(2))
    await galley.call('DELETE', `/api/keys/${deleted.id}`, { as: galley.as.owner })
    await soon(() => expect(waiting()).toBe(1))
    galley.clock.now += 5_000
    await soon(() => expect(waiting()).toBe(0))
    for (const answer of answers) expect((await answer).code).toBe('UNAUTHORIZED')
  })

  it('is for so many of a key and an account at one time, and none takes the others’ places', async () => {
    const answers = Array.from({ length: limits.keyWaits }, () => ask('?since=latest&wait=60'))
    await soon(() => expect(waiting()).toBe(limits.keyWaits))
    const refused = await ask('?since=latest&wait=60')
    expect([refused.code, refused.message]).toEqual([
      'RATE_LIMITED',
      expect.stringMatching(/100 calls of your/),
    ])
    const others = [galley.as.session, { key: galley.newKey(galley.user.id, 'read') }]
    for (const as of others)
      for (let i = 0; i < limits.keyWaits; i++) answers.push(ask('?since=latest&wait=60', as))
    await soon(() => expect(waiting()).toBe(limits.eventWaits))
    expect((await ask('?since=latest&wait=60', galley.as.owner)).message).toContain('of your account')
    const stranger = list('?since=latest&wait=60', galley.as.stranger)
    await soon(() => expect(waiting()).toBe(limits.eventWaits + 1))
    await galley.newDocument({}, galley.as.stranger)
    expect(await stranger).toHaveLength(1)
    expect((await ask('?since=latest')).status).toBe(200)
    await galley.newDocument()
    for (const answer of answers) expect((await answer).data).toHaveLength(1)
    expect(waiting()).toBe(0)
  })

  it('is over for whoever leaves, and for everybody when Galley stops', async () => {
    await galley.apps.owner.listen({ host: '127.0.0.1', port: 0 })
    const { port } = galley.apps.owner.server.address() as AddressInfo
    const open = () =>
      get({
        port,
        host: '127.0.0.1',
        path: '/api/events?since=latest&wait=60',
        headers: { host: hosts.owner, authorization: `Bearer ${galley.as.owner.key}` },
      })
    const leaves = open()
    leaves.on('error', () => {})
    await soon(() => expect(waiting()).toBe(1))
    leaves.destroy()
    await soon(() => expect(waiting()).toBe(0))

    const answered = once(open(), 'response') as Promise<[{ statusCode: number }]>
    await soon(() => expect(waiting()).toBe(1))
    galley.context.feed.close()
    const [response] = await answered
    expect([response.statusCode, waiting()]).toEqual([200, 0])
    expect(await list('?since=latest&wait=60')).toEqual([])
  })

  it('ends, too, with what another process does on the same database', async () => {
    const file = `${testFolder()}/galley.db`
    const shared = await createTestGalley({ file })
    const beside = openStore({ file })
    try {
      const answer = shared.call('GET', '/api/events?since=latest&wait=60', { as: shared.as.owner })
      await soon(() => expect(shared.context.feed.waiting()).toBe(1))
      await record(
        { store: beside, publish: () => {} },
        () => commandLinePrincipal(shared.user, 'cli:import'),
        (happened) => {
          const fields = { title: 'From outside', content: '' }
          const author = { id: shared.user.id, name: 'Owner', key: 'cli:import' }
          happened({
            kind: 'document.created',
            document: beside.documents.create(shared.user.id, fields, author),
          })
        },
      )
      expect((await answer).data).toMatchObject([
        { kind: 'document.created', principal: { kind: 'command', id: shared.user.id } },
      ])
      // Whoever else is here is told, once and in order.
      await shared.newDocument()
      expect(shared.events.map(({ seq }) => seq)).toEqual([1, 2])
    } finally {
      beside.close()
      await shared.close()
    }
  })
})

describe('whatever is done', () => {
  const steps = ['create', 'change', 'comment', 'fail', 'read', 'stranger'] as const
  const done: Record<(typeof steps)[number], string | null> = {
    create: 'document.created',
    change: 'document.changed',
    comment: 'comment.created',
    fail: null,
    read: null,
    stranger: null,
  }

  async function bring(step: (typeof steps)[number], id: string) {
    const at = `/api/documents/${id}`
    const as = galley.as.owner
    if (step === 'create') await galley.newDocument()
    else if (step === 'stranger') await galley.newDocument({}, galley.as.stranger)
    else if (step === 'comment') await galley.newComment(id)
    else if (step === 'change') await galley.call('PATCH', at, { as, json: { content: randomUUID() } })
    else if (step === 'read') await galley.call('GET', at, { as })
    else {
      const json = { body: 'Nowhere', parent_id: randomUUID() }
      expect((await galley.call('POST', `${at}/comments`, { as, json })).status).toBe(400)
    }
  }

  it('is told once, in order, only where it was done, and the same a page at a time from anywhere', async () => {
    const { id } = await galley.newDocument()
    const property = async (wanted: (typeof steps)[number][], from: number, limit: number): Promise<void> => {
      const before = galley.store.events.newest()
      const told = galley.events.length
      // All at once, so that several share a commit.
      await Promise.all(wanted.map((step) => bring(step, id)))
      const all = await list(`?since=${before}&limit=1000`)
      const seqs = all.map(({ seq }) => seq)
      expect(all.map(({ kind }) => kind).sort()).toEqual(wanted.flatMap((step) => done[step] ?? []).sort())
      expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b))
      const newest = galley.store.events.newest()
      expect(galley.events.slice(told).map(({ seq }) => seq)).toEqual(
        Array.from({ length: newest - before }, (_, i) => before + 1 + i),
      )

      const since = Math.min(before + from, newest)
      const paged: number[] = []
      for (let upTo = since; ;) {
        const page = await ask(`?since=${upTo}&limit=${limit}`)
        const some = (page.data as EventRecord[]).map(({ seq }) => seq)
        if (some.length === 0) break
        paged.push(...some)
        upTo = Number(page.headers['galley-events-up-to'])
      }
      expect(paged).toEqual(seqs.filter((seq) => seq > since))
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 20 }),
        fc.nat(25),
        fc.integer({ min: 1, max: 5 }),
        property,
      ),
      { numRuns: 25 },
    )
  })
})
