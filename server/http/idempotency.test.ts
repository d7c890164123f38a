import { readFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../contract/limits.ts'
import { isIdempotent } from '../contract/route.ts'
import { routes } from '../contract/routes.ts'
import { createTestGalley, type TestCredentials, type TestGalley } from '../testing/galley.ts'
import { sampleRequest, routeNames, send } from '../testing/routes.ts'

let folder: string
let galley: TestGalley
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'galley-once-'))
  galley = await createTestGalley({ file: path.join(folder, 'galley.db') })
})
afterAll(async () => {
  await galley.close()
  rmSync(folder, { recursive: true, force: true })
})

let number = 0
const newKey = () => `a-key-of-this-test-${++number}`
const named = (key: string) => ({ 'idempotency-key': key })

/** Everything that a request may have changed. */
const written = () =>
  galley.store.db
    .prepare(
      `SELECT (SELECT count(*) FROM documents) || (SELECT coalesce(sum(revision), 0) FROM documents) ||
         '/' || (SELECT count(*) FROM comments) || '/' || (SELECT count(*) FROM suggestions) ||
         (SELECT count(*) FROM suggestions WHERE status = 'pending') || '/' ||
         (SELECT count(*) FROM share_links WHERE revoked_at IS NULL) || '/' || (SELECT count(*) FROM api_keys) || '/' ||
         (SELECT count(*) FROM sessions) || '/' || (SELECT count(*) FROM versions) || '/' || (SELECT count(*) FROM rounds) || '/' ||
         (SELECT coalesce(group_concat(id), '') FROM webhooks) || (SELECT count(*) FROM webhook_deliveries)`,
    )
    .pluck()
    .get()

const posts = routeNames.filter((name) => isIdempotent(routes[name]))

it('is every POST that changes something in the database and could do so twice', () => {
  expect(posts.toSorted()).toEqual([
    'acceptSuggestion',
    'createComment',
    'createComments',
    'createDocument',
    'createKey',
    'createReply',
    'createRound',
    'createSession',
    'createShareLink',
    'createSuggestion',
    'createSuggestions',
    'createWebhook',
    'pingWebhook',
    'rejectSuggestion',
    'reopenSuggestion',
    'resolveSuggestions',
    'restoreRevision',
    'restoreShareLink',
    'restoreVersion',
  ])
})

describe.each(posts)('%s', (name) => {
  it('made again with its Idempotency-Key is answered again, and done once', async () => {
    const draft = await sampleRequest(galley, name)
    const ask = (key: string) =>
      send(galley, name, { ...draft, headers: { ...draft.headers, ...named(key) } })
    const key = newKey()
    const before = written()
    const first = await ask(key)
    expect(first.status).toBe(routes[name].status)
    expect(first.headers['idempotency-replayed']).toBeUndefined()
    const after = written()
    expect(after).not.toBe(before)
    const second = await ask(key)
    expect(second.status).toBe(first.status)
    expect(second.data).toEqual(first.data)
    expect(second.headers['set-cookie']).toEqual(first.headers['set-cookie'])
    expect(second.headers.etag).toEqual(first.headers.etag)
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(written()).toBe(after)
  })
})

describe('an Idempotency-Key', () => {
  const create = (title: string, key: string, as = galley.as.owner) =>
    galley.call('POST', '/api/documents', { as, json: { title }, headers: named(key) })

  it('that another request had is refused, and nothing is done', async () => {
    const key = newKey()
    await create('One', key)
    const before = written()
    const other = await create('Another', key)
    expect(other.code).toBe('VALIDATION_ERROR')
    expect(other.message).toContain('another request')
    const elsewhere = await galley.call('POST', '/api/keys', {
      as: galley.as.owner,
      json: { name: 'One' },
      headers: named(key),
    })
    expect(elsewhere.code).toBe('VALIDATION_ERROR')
    expect(written()).toBe(before)
  })

  it.each(['', 'too-short', 'x'.repeat(256), 'with a space in the middle', 'tab\tin-the-middle-of-it'])(
    'must be long enough to be nobody else’s, and plain: %j',
    async (key) => {
      const before = written()
      const answer = await create('One', key)
      expect(answer.code).toBe('VALIDATION_ERROR')
      expect(answer.message).toContain('UUID')
      expect(written()).toBe(before)
    },
  )

  it('is its principal’s own: the same key of somebody else is another', async () => {
    const key = newKey()
    const mine = await create('Mine', key)
    const theirs = await create('Mine', key, galley.as.stranger)
    expect(theirs.headers['idempotency-replayed']).toBeUndefined()
    expect(theirs.data.id).not.toBe(mine.data.id)
    expect(theirs.data.owner_id).toBe(galley.other.id)
  })

  it('is answered again for a day, and for sixty does nothing twice', async () => {
    const day = 24 * 60 * 60 * 1000
    const idempotencyRecords = () =>
      galley.store.db
        .prepare('SELECT count(*) FROM idempotency_records WHERE length(sealed) > 0 AND at < ?')
        .pluck()
        .get(galley.clock.now - day)
    const key = newKey()
    const first = await create('One', key)
    galley.clock.now += day - 1
    expect((await create('One', key)).data.id).toBe(first.data.id)
    galley.clock.now += 1
    const before = written()
    expect((await create('One', key)).code).toBe('ALREADY_DONE')
    expect((await create('Another', key)).code).toBe('VALIDATION_ERROR')
    expect(written()).toBe(before)
    await create('Two', newKey())
    expect(idempotencyRecords()).toBe(0)
    galley.clock.now += 59 * day - 1
    expect((await create('One', key)).code).toBe('ALREADY_DONE')
    galley.clock.now += 1
    expect((await create('One', key)).data.id).not.toBe(first.data.id)
    expect(
      galley.store.db
        .prepare('SELECT count(*) FROM idempotency_records WHERE at <= ?')
        .pluck()
        .get(galley.clock.now - 60 * day),
    ).toBe(0)
  })

  it('keeps no errors: what was refused can be done later', async () => {
    const document = await galley.newDocument({ content: 'Words.' })
    const suggestion = await galley.newSuggestion(document.id, galley.as.owner, { original_text: 'Words' })
    const write = (content: string) =>
      galley.call('PATCH', `/api/documents/${document.id}`, { as: galley.as.owner, json: { content } })
    const key = newKey()
    const accept = () =>
      galley.call('POST', `/api/documents/${document.id}/suggestions/${suggestion.id}/accept`, {
        as: galley.as.owner,
        headers: named(key),
      })
    await write('Nothing.')
    expect((await accept()).code).toBe('TEXT_NOT_FOUND')
    await write('Words.')
    expect((await accept()).status).toBe(200)
  })

  it('keeps no errors that come later either, and nothing falls over them', async () => {
    const key = newKey()
    const signIn = (ticket: string) =>
      galley.call('POST', '/api/session', { json: { ticket }, headers: named(key) })
    expect(await signIn('no such ticket')).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    expect((await signIn(galley.store.signInLinks.createTicket(galley.user.id))).status).toBe(201)
  })

  it('opens nothing that has been closed: a revoked link is told so, whatever it had done', async () => {
    const document = await galley.newDocument({ title: 'Proof', content: 'Words.' })
    const token = await galley.newToken(document.id, 'comment')
    const key = newKey()
    const comment = () =>
      galley.call('POST', `/api/documents/${document.id}/comments`, {
        as: { token },
        on: 'share',
        json: { body: 'Well.' },
        headers: named(key),
      })
    expect((await comment()).status).toBe(201)
    const [link] = galley.store.shareLinks.list(galley.store.documents.find(document.id)!.number)
    await galley.call('DELETE', `/api/documents/${document.id}/share?link_id=${link!.id}`, {
      as: galley.as.owner,
    })
    expect((await comment()).code).toBe('UNAUTHORIZED')
  })

  it('gives a guest their cookie again, also if they have got another meanwhile', async () => {
    const document = await galley.newDocument({ title: 'Proof', content: 'Words.' })
    const token = await galley.newToken(document.id, 'comment')
    const key = newKey()
    const comment = (guest?: string) =>
      galley.call('POST', `/api/documents/${document.id}/comments`, {
        as: { token, ...(guest === undefined ? {} : { guest }) },
        json: { body: 'Well.' },
        headers: named(key),
      })
    const first = await comment()
    const again = await comment()
    expect(again.headers['set-cookie']).toEqual(first.headers['set-cookie'])
    const later = await comment('0'.repeat(32))
    expect(later.data.id).toBe(first.data.id)
    const all = await galley.call('GET', `/api/documents/${document.id}/comments`, { as: galley.as.owner })
    expect(all.data).toHaveLength(1)
  })

  it('keeps no long answers to guests, and does nothing twice all the same', async () => {
    const document = await galley.newDocument({ content: 'Words.' })
    const token = await galley.newToken(document.id, 'edit')
    const suggest = (length: number, key: string, as: TestCredentials = { token }) =>
      galley.call('POST', `/api/documents/${document.id}/suggestions`, {
        as,
        json: { original_text: 'Words.', suggested_text: 'x'.repeat(length) },
        headers: named(key),
      })
    const lengths = () =>
      galley.store.db
        .prepare('SELECT length(sealed) FROM idempotency_records ORDER BY rowid DESC LIMIT 1')
        .pluck()
        .get()
    await suggest(1, newKey())
    const rest = (lengths() as number) - 1
    const [short, long, owners] = [newKey(), newKey(), newKey()]
    expect((await suggest(limits.guestAnswerBytes - rest, short)).status).toBe(201)
    expect(lengths()).toBe(limits.guestAnswerBytes)
    expect((await suggest(limits.guestAnswerBytes - rest + 1, long)).status).toBe(201)
    expect(lengths()).toBe(0)
    expect((await suggest(100_000, owners, galley.as.owner)).status).toBe(201)
    const before = written()
    expect((await suggest(limits.guestAnswerBytes - rest, short)).status).toBe(201)
    expect(await suggest(limits.guestAnswerBytes - rest + 1, long)).toMatchObject({
      status: 409,
      code: 'ALREADY_DONE',
    })
    expect((await suggest(limits.guestAnswerBytes - rest + 2, long)).code).toBe('VALIDATION_ERROR')
    expect((await suggest(100_000, owners, galley.as.owner)).status).toBe(201)
    expect(written()).toBe(before)
  })

  it('keeps no more answers to guests of a link than a day’s room, and does nothing twice all the same', async () => {
    const { id } = await galley.newDocument({ content: 'Words.' })
    const comment = (token: string, key: string) =>
      galley.call('POST', `/api/documents/${id}/comments`, {
        as: { token },
        json: { body: 'Well.' },
        headers: named(key),
      })
    const token = await galley.newToken(id, 'comment')
    const { id: link } = galley.store.shareLinks.findValid(token)!
    const [early, late, others, tomorrows] = [newKey(), newKey(), newKey(), newKey()]
    await comment(token, early)
    const keep = (length: number) => {
      const answer = { request: Buffer.alloc(32), sealed: Buffer.alloc(length) }
      galley.store.idempotencyRecords.keep(Buffer.from(newKey()), answer, link)
    }
    galley.store.transaction(() => {
      for (let room = limits.guestAnswersBytes; room > 0; room -= limits.guestAnswerBytes)
        keep(limits.guestAnswerBytes)
      for (let room = limits.guestAnswerBytes; room > 0; room -= 100) keep(100)
    })
    expect((await comment(token, late)).status).toBe(201)
    const before = written()
    expect((await comment(token, early)).headers['idempotency-replayed']).toBe('true')
    expect((await comment(token, late)).code).toBe('ALREADY_DONE')
    expect(written()).toBe(before)
    const another = await galley.newToken(id, 'comment')
    await comment(another, others)
    expect((await comment(another, others)).headers['idempotency-replayed']).toBe('true')
    galley.clock.now += 24 * 60 * 60 * 1000
    await comment(token, tomorrows)
    expect((await comment(token, tomorrows)).headers['idempotency-replayed']).toBe('true')
  })

  it('tells whoever watches once', async () => {
    const document = await galley.newDocument()
    const key = newKey()
    const comment = () =>
      galley.call('POST', `/api/documents/${document.id}/comments`, {
        as: galley.as.owner,
        json: { body: 'Well.' },
        headers: named(key),
      })
    await comment()
    await comment()
    const told = galley.events.filter((event) => event.documentId === document.id)
    expect(told.map(({ kind }) => kind)).toEqual(['document.created', 'comment.created'])
  })

  it('leaves no secret in the database', async () => {
    const answer = await galley.call('POST', '/api/keys', {
      as: galley.as.owner,
      json: { name: 'script' },
      headers: named('a-key-that-nobody-finds-in-the-file'),
    })
    const secret = answer.data.key as string
    expect(secret.length).toBeGreaterThan(20)
    galley.store.db.pragma('wal_checkpoint(TRUNCATE)')
    const file = readFileSync(path.join(folder, 'galley.db'))
    expect(file.includes('idempotency_records')).toBe(true)
    expect(file.includes(secret)).toBe(false)
    expect(file.includes('a-key-that-nobody-finds')).toBe(false)
  })
})
