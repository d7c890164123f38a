import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Comment } from '../../contract/records/comments.ts'
import { newIdempotencyKey } from '../../contract/client-of.ts'
import {
  cookieOf,
  createTestGalley,
  hosts,
  unknownId,
  type TestCredentials,
  type TestGalley,
} from '../../testing/galley.ts'

const content = 'A galley is the draft that goes out for review before print.\n'

let galley: TestGalley
let as: TestCredentials
let id: string
let at: string
beforeEach(async () => {
  galley = await createTestGalley()
  as = galley.as.owner
  id = (await galley.newDocument({ content })).id
  at = `/api/documents/${id}/comments`
})
afterEach(() => galley.close())

const link = async (permission: 'view' | 'comment' | 'edit') => ({
  token: await galley.newToken(id, permission),
})
const post = (json: unknown, by: TestCredentials = as) => galley.call('POST', at, { as: by, json })
const list = async (by: TestCredentials = as) => (await galley.call('GET', at, { as: by })).data as Comment[]
const edit = (comment: Comment, json: unknown, by: TestCredentials = as) =>
  galley.call('PATCH', `${at}/${comment.id}`, { as: by, json })
const remove = (comment: Comment, by: TestCredentials = as) =>
  galley.call('DELETE', `${at}/${comment.id}`, { as: by })
const change = (text: string) => galley.call('PATCH', `/api/documents/${id}`, { as, json: { content: text } })
const anchor = {
  exact: 'goes out for review',
  prefix: content.slice(0, 27).slice(-32),
  suffix: ' before print.\n',
  start: 27,
}

describe('a comment', () => {
  it('by the owner names them, and is shown to all who may list', async () => {
    const { status, data } = await post({ body: '  Is this right?\n' })
    expect(status).toBe(201)
    expect(data).toEqual({
      id: expect.any(String),
      document_id: id,
      author_colour: expect.any(Number),
      parent_id: null,
      suggestion_id: null,
      author_id: galley.user.id,
      author_name: galley.user.name,
      key_name: 'Test',
      author_kind: 'script',
      body: 'Is this right?',
      anchor: null,
      range: null,
      mine: true,
      resolved_at: null,
      created_at: '2026-03-01T09:30:00.000Z',
      updated_at: '2026-03-01T09:30:00.000Z',
      edited_at: null,
    })
    for (const permission of ['view', 'comment', 'edit'] as const)
      expect(await list(await link(permission))).toEqual([{ ...data, mine: false }])
  })

  it.each([
    {},
    { body: '' },
    { body: ' \n\t\u00a0\ufeff' },
    { body: 5 },
    { body: null },
    { body: 'x'.repeat(10_001) },
    { text: 'x' },
    { body: 'x', parent_id: 'no-uuid' },
    { body: 'x', parent_id: unknownId },
    { body: 'x', parent_id: 7 },
    { body: 'x', anchor: 'goes' },
    { body: 'x', anchor: {} },
    { body: 'x', anchor: { exact: '', start: 0 } },
    { body: 'x', anchor: { exact: 'goes', start: -1 } },
    { body: 'x', anchor: { exact: 'goes', start: 1.5 } },
    { body: 'x', anchor: { exact: 'goes', start: '1' } },
  ])('is refused where it is %j', async (json) => {
    expect((await post(json)).code).toBe('VALIDATION_ERROR')
    expect(await list()).toEqual([])
  })

  it('has 1 to 10,000 characters after trimming, however they are written', async () => {
    for (const body of ['x', ` ${'x'.repeat(10_000)} \n`, '😀'.repeat(10_000)])
      expect((await post({ body })).data.body).toBe(body.trim())
    expect((await post({ body: '😀'.repeat(10_001) })).code).toBe('VALIDATION_ERROR')
    const [first] = await list()
    expect((await edit(first!, { body: `\n${'y'.repeat(10_000)}\n` })).status).toBe(200)
    expect((await edit(first!, { body: 'y'.repeat(10_001) })).code).toBe('VALIDATION_ERROR')
  })

  it('on another document is not found here', async () => {
    const other = await galley.newDocument()
    const comment = await galley.newComment(other.id)
    expect((await edit(comment, { body: 'x' })).code).toBe('NOT_FOUND')
    expect((await remove(comment)).code).toBe('NOT_FOUND')
    expect((await post({ body: 'x', parent_id: comment.id })).code).toBe('VALIDATION_ERROR')
  })
})

describe('a thread', () => {
  it('has one level: a reply to a reply joins it', async () => {
    const first = (await post({ body: '1' })).data as Comment
    const reply = (await post({ body: '2', parent_id: first.id })).data as Comment
    const again = (await post({ body: '3', parent_id: reply.id, anchor })).data as Comment
    expect([reply.parent_id, again.parent_id]).toEqual([first.id, first.id])
    expect(again.anchor).toBeNull()
    expect((await list()).map((one) => one.body)).toEqual(['1', '2', '3'])
  })

  it('goes with its first comment, and stays when a reply goes', async () => {
    const first = (await post({ body: '1' })).data as Comment
    const reply = (await post({ body: '2', parent_id: first.id })).data as Comment
    await post({ body: '3', parent_id: first.id })
    const apart = (await post({ body: '4' })).data as Comment
    expect((await remove(reply)).data).toEqual({ deleted: true })
    expect((await remove(reply)).code).toBe('NOT_FOUND')
    expect((await list()).map((one) => one.body)).toEqual(['1', '3', '4'])
    await remove(first)
    expect((await list()).map((one) => one.id)).toEqual([apart.id])
  })

  it('tells since when it says something else, and so does a reply, however often that is sent', async () => {
    const first = (await post({ body: 'one' })).data as Comment
    const reply = (await post({ body: 'two', parent_id: first.id })).data as Comment
    for (const said of [first, reply]) {
      expect((await edit(said, { body: said.body })).data.edited_at).toBeNull()
      const { data } = await edit(said, { body: ' other ' })
      expect(data.edited_at).toBe(data.updated_at)
      const again = await edit(said, { body: 'other', resolved: true })
      expect(again.data.edited_at).toBe(data.edited_at)
      expect((await list()).find(({ id }) => id === said.id)!.edited_at).toBe(data.edited_at)
    }
  })

  it('is resolved and opened again by the owner or its author, each time later than before', async () => {
    const guest = await link('comment')
    const made = await post({ body: 'x' }, guest)
    const self = { ...guest, guest: cookieOf(made, 'galley_guest')! }
    let before = made.data as Comment
    for (const [by, resolved] of [
      [as, true],
      [self, false],
      [self, true],
      [as, true],
      [as, false],
    ] as const) {
      const { data } = await edit(before, { resolved }, by)
      expect(data.resolved_at === null).toBe(!resolved)
      // Resolved again, it was resolved when it was first.
      if (before.resolved_at !== null && resolved) expect(data.resolved_at).toBe(before.resolved_at)
      expect(data.updated_at > before.updated_at).toBe(true)
      expect(data.body).toBe('x')
      before = data
    }
    expect(before.edited_at).toBeNull()
    expect((await edit(before, { resolved: true }, await link('edit'))).code).toBe('FORBIDDEN')
    for (const json of [{}, { resolved: 'yes' }, { resolved: null }, { unknown: 1 }, { body: null }])
      expect((await edit(before, json, self)).code).toBe('VALIDATION_ERROR')
  })
})

describe('a guest', () => {
  it('is called “Guest” unless they say otherwise, and has no author_id', async () => {
    const guest = await link('comment')
    expect((await post({ body: 'x' }, guest)).data).toMatchObject({
      author_id: null,
      author_name: 'Guest',
      mine: true,
    })
    expect((await post({ body: 'x', author_name: ' Ada <b> ' }, guest)).data.author_name).toBe('Ada <b>')
    expect((await post({ body: 'x', author_name: '😀'.repeat(80) }, guest)).status).toBe(201)
    for (const [said, name] of [
      ['\u202erenwO\n', 'renwO'],
      ['\u202e'.repeat(80), 'Guest'],
    ])
      expect((await post({ body: 'x', author_name: said }, guest)).data.author_name).toBe(name)
    for (const author_name of ['', ' ', 'x'.repeat(81), 5, null])
      expect((await post({ body: 'x', author_name }, guest)).code).toBe('VALIDATION_ERROR')
  })

  it('gets a cookie that no script can read, once, and edits with it what they wrote', async () => {
    const guest = await link('comment')
    const made = await post({ body: 'mine' }, guest)
    const cookie = String(made.headers['set-cookie'])
    expect(cookie).toMatch(/^galley_guest=[0-9a-f]{32}; HttpOnly; SameSite=Strict; Path=\/api; Max-Age=\d+$/)
    const self = { ...guest, guest: cookieOf(made, 'galley_guest')! }
    expect(made.text).not.toContain(self.guest)
    expect((await post({ body: 'more' }, self)).headers['set-cookie']).toBeUndefined()
    expect((await list(self)).map((one) => one.mine)).toEqual([true, true])
    expect((await edit(made.data, { body: 'edited' }, self)).data.body).toBe('edited')
    // The same person through another link of the document is still the same person.
    expect(
      (await edit(made.data, { body: 'again' }, { ...(await link('edit')), guest: self.guest })).status,
    ).toBe(200)
  })

  it('gets a cookie that goes over TLS only, where the page came over TLS', async () => {
    const made = await galley.call('POST', at, {
      as: await link('comment'),
      json: { body: 'x' },
      headers: { origin: `https://${hosts.share}` },
      on: 'share',
    })
    expect(String(made.headers['set-cookie'])).toMatch(/^galley_guest=[0-9a-f]{32};.*; Secure$/)
  })

  it('can’t touch another guest’s, with a cookie of their own, none, or one made up', async () => {
    const guest = await link('comment')
    const theirs = (await post({ body: 'theirs' }, guest)).data as Comment
    const stored = galley.store.comments.list(1)[0]!.author_key
    const mine = cookieOf(await post({ body: 'mine' }, guest), 'galley_guest')!
    for (const secret of [mine, undefined, '', '0'.repeat(32), stored, stored.slice(6), `${mine}; x`]) {
      const by = secret === undefined ? guest : { ...guest, guest: secret }
      expect((await edit(theirs, { body: 'stolen' }, by)).code).toBe('FORBIDDEN')
      expect((await edit(theirs, { resolved: true }, by)).code).toBe('FORBIDDEN')
      expect((await remove(theirs, by)).code).toBe('FORBIDDEN')
      expect((await list(by)).find((one) => one.id === theirs.id)!.mine).toBe(false)
    }
    expect((await list())[0]!.body).toBe('theirs')
  })

  it('deletes their own while the link lets them write, and the owner deletes anybody’s', async () => {
    const guest = await link('comment')
    const made = await post({ body: '1' }, guest)
    const second = await post({ body: '2' }, guest)
    const secret = cookieOf(made, 'galley_guest')!
    expect((await remove(made.data, { ...(await link('view')), guest: secret })).code).toBe('FORBIDDEN')
    expect((await remove(made.data, { ...guest, guest: secret })).status).toBe(200)
    expect((await remove(second.data)).status).toBe(200)
  })
})

describe('beside a share token', () => {
  it('a key or a session only names the author', async () => {
    const token = await galley.newToken(id, 'comment')
    for (const [by, user] of [
      [galley.as.owner, galley.user],
      [galley.as.session, galley.user],
      [galley.as.stranger, galley.other],
      [galley.as.reader, galley.user],
    ] as const) {
      const made = await post({ body: 'x', author_name: 'Ignored' }, { ...by, token })
      expect(made.data).toMatchObject({ author_id: user.id, author_name: user.name, mine: true })
      expect(made.headers['set-cookie']).toBeUndefined()
      expect((await edit(made.data, { body: 'y' }, { ...by, token })).status).toBe(200)
    }
    const bad = await post({ body: 'x' }, { key: `gally_${'0'.repeat(32)}`, token })
    expect(bad.data.author_id).toBeNull()
  })

  it('the owner may do no more than the link', async () => {
    const view = { ...as, token: await galley.newToken(id, 'view') }
    const comment = { ...as, token: await galley.newToken(id, 'comment') }
    const theirs = (await post({ body: 'theirs' }, { token: comment.token })).data as Comment
    expect((await post({ body: 'x' }, view)).code).toBe('FORBIDDEN')
    expect((await remove(theirs, comment)).code).toBe('FORBIDDEN')
    expect((await edit(theirs, { resolved: true }, comment)).code).toBe('FORBIDDEN')
    const url = `/api/documents/${id}`
    expect((await galley.call('DELETE', url, { as: comment })).code).toBe('UNAUTHORIZED')
    expect((await galley.call('GET', `${url}/versions`, { as: comment })).code).toBe('UNAUTHORIZED')
    const edits = { ...as, token: await galley.newToken(id, 'edit') }
    expect((await galley.call('PATCH', url, { as: edits, json: { title: 'x' } })).code).toBe('FORBIDDEN')
  })

  it('a session from a page elsewhere doesn’t even name the author', async () => {
    const token = await galley.newToken(id, 'comment')
    const answer = await galley.call('POST', at, {
      as: { ...galley.as.session, token },
      json: { body: 'x' },
      headers: { origin: 'http://127.0.0.1:9999' },
    })
    expect(answer.data.author_id).toBeNull()
  })
})

describe('an anchor', () => {
  const range = async () => (await list())[0]!.range

  it('stands where its words stand, through edits, and comes back with them', async () => {
    const made = (await post({ body: 'x', anchor: { ...anchor, unknown: 'field' } })).data as Comment
    expect(made.anchor).toEqual(anchor)
    expect(made.range).toEqual({ start: 27, end: 46 })
    await change(`# Title\n\n${content}`)
    expect(await range()).toEqual({ start: 36, end: 55 })
    await change(content.replace('goes out for review', ''))
    expect(await range()).toBeNull()
    await change(`New start. ${content}`)
    expect(await range()).toEqual({ start: 38, end: 57 })
    expect((await list())[0]!.anchor).toEqual(anchor)
    await change('Nothing is left.')
    const gone = (await list())[0]!
    expect([gone.body, gone.range, gone.anchor]).toEqual(['x', null, anchor])
  })

  it('needs no more than the words and where they were', async () => {
    const { data } = await post({ body: 'x', anchor: { exact: 'draft', start: 9_007_199_254_740_991 } })
    expect(data.anchor).toEqual({ exact: 'draft', prefix: '', suffix: '', start: 9_007_199_254_740_991 })
    expect(data.range).toEqual({ start: 16, end: 21 })
    const lost = await post({ body: 'x', anchor: { exact: 'nowhere to be seen', start: 1e300 } })
    expect([lost.status, lost.data.range]).toEqual([201, null])
  })

  it('may have what stands around its words cut within an emoji, but not the words', async () => {
    const { id } = await galley.newDocument({ content: '😀 here 😀' })
    const post = (anchor: object) =>
      galley.call('POST', `/api/documents/${id}/comments`, {
        as: galley.as.owner,
        json: { body: 'x', anchor },
      })
    const { status, data } = await post({ exact: 'here', prefix: '\ude00 ', suffix: ' \ud83d', start: 3 })
    expect(status).toBe(201)
    expect(data).toMatchObject({ anchor: { prefix: ' ', suffix: ' ' }, range: { start: 3, end: 7 } })
    expect((await post({ exact: '\ude00 here', start: 1 })).code).toBe('VALIDATION_ERROR')
  })

  it('is kept by a restore of what stood there', async () => {
    await post({ body: 'x', anchor })
    await change('Something else entirely.')
    expect(await range()).toBeNull()
    await galley.call('POST', `/api/documents/${id}/versions/1/restore`, { as })
    expect(await range()).toEqual({ start: 27, end: 46 })
  })

  it('shows as a mark on the rendered page, unless it is resolved', async () => {
    const comment = (await post({ body: 'x', anchor })).data as Comment
    await galley.newSuggestion(id, as, { original_text: 'draft', suggested_text: 'proof' })
    const marks = async (by: TestCredentials = as) =>
      (await galley.call('GET', `/api/documents/${id}/marks`, { as: by })).data.marks as { kind: string }[]
    expect((await marks()).map((mark) => mark.kind)).toContain('comment')
    expect((await marks(await link('view'))).map((mark) => mark.kind)).toEqual(['comment'])
    await edit(comment, { resolved: true })
    expect((await marks()).map((mark) => mark.kind)).not.toContain('comment')
  })
})

describe('reactions', () => {
  const react = (comment: Comment, json: object, by: TestCredentials = as) =>
    galley.call('PATCH', `${at}/${comment.id}/reactions`, { as: by, json })

  it('are one of each by each person, by links that may comment, and are taken back', async () => {
    const comment = (await post({ body: 'Is it?' })).data as Comment
    const by = await link('comment')
    await react(comment, { reaction: 'agree', set: true })
    await react(comment, { reaction: 'agree', set: true })
    const first = await react(comment, { reaction: 'agree', set: true, author_name: 'Ada' }, by)
    expect((first.data as Comment).reactions).toEqual([
      { reaction: 'agree', count: 2, names: [galley.user.name, 'Ada'], mine: true },
    ])
    const known = { ...by, guest: cookieOf(first, 'galley_guest')! }
    await react(comment, { reaction: 'agree', set: true }, known)
    await react(comment, { reaction: 'heart', set: true }, known)
    const guest_id = expect.any(String)
    expect((await list()).map(({ reactions }) => reactions)).toEqual([
      [
        {
          ...{ reaction: 'agree', count: 2, names: [galley.user.name, 'Ada'], mine: true },
          guests: [{ guest_id, name: 'Ada' }],
        },
        {
          ...{ reaction: 'heart', count: 1, names: ['Guest'], mine: false },
          guests: [{ guest_id, name: 'Guest' }],
        },
      ],
    ])
    await react(comment, { reaction: 'agree', set: false }, known)
    await react(comment, { reaction: 'heart', set: false }, known)
    // Somebody who isn’t known has nothing to take back.
    await react(comment, { reaction: 'agree', set: false }, by)
    const [left] = await list()
    expect(left!.reactions).toEqual([{ reaction: 'agree', count: 1, names: [galley.user.name], mine: true }])
    expect(left!.edited_at).toBeNull()
    expect((await react(comment, { reaction: 'agree', set: true }, await link('view'))).status).toBe(403)
    expect((await react(comment, { reaction: '<b>', set: true })).status).toBe(400)
  })

  it('know a guest again whose answer got lost by a random key, and by no other', async () => {
    const by = await link('comment')
    const comment = (await post({ body: 'Is it?' })).data as Comment
    const met = async (key: string, set = true) => {
      const json = { reaction: 'agree', set, author_name: 'Ada' }
      const url = `${at}/${comment.id}/reactions`
      const answer = await galley.call('PATCH', url, { as: by, json, headers: { 'idempotency-key': key } })
      expect(answer.status).toBe(200)
      return cookieOf(answer, 'galley_guest')
    }
    const count = async () => (await list())[0]!.reactions?.[0]?.count ?? 0
    for (const key of ['5b0c6f1e-9f6a-4f0e-8a53-0d6f3c1b2a77', newIdempotencyKey()]) {
      const first = await met(key)
      expect([await met(key), await count()]).toEqual([first, 1])
      await met(key, false)
      expect(await count()).toBe(0)
    }
    // What somebody thought up, somebody else may think up as well, who must not become the first.
    const thoughtUp = ['0'.repeat(16), '0'.repeat(32), '12345678-1234-1234-1234-123456789012']
    for (const key of [...thoughtUp, '00000000-0000-4000-8000-000000000000', 'reaction-reaction-1']) {
      const first = await met(key)
      expect(first).toMatch(/^[0-9a-f]{32}$/)
      const mine = { ...by, guest: first! }
      const { id: said } = (await post({ body: 'Mine', author_name: 'Ada' }, mine)).data as Comment
      const second = await met(key)
      expect(second).not.toBe(first)
      const json = { body: 'Not mine' }
      const edited = { as: { ...by, guest: second! }, json }
      expect((await galley.call('PATCH', `${at}/${said}`, edited)).status).toBe(403)
      const before = await count()
      await met(key, false)
      expect(await count()).toBe(before)
    }
  })

  it('are bounded, and told as events without any words', async () => {
    const comment = (await post({ body: 'Is it?' })).data as Comment
    const row = galley.store.comments.find(comment.id, galley.store.documents.find(id)!.number)!
    const many = Array.from({ length: 200 }, (_, n) => ({
      kind: 'heart' as const,
      by: `guest:${n}`,
      name: 'G',
    }))
    galley.store.comments.react(row, many)
    expect((await react(comment, { reaction: 'agree', set: true }, await link('comment'))).code).toBe(
      'PAYLOAD_TOO_LARGE',
    )
    galley.store.comments.react(row, [])
    await react(comment, { reaction: 'agree', set: true })
    await react(comment, { reaction: 'agree', set: false })
    const events = (await galley.call('GET', '/api/events?since=0&kind=comment', { as })).data as {
      kind: string
    }[]
    expect(events.map(({ kind }) => kind)).toEqual([
      'comment.created',
      'comment.reacted',
      'comment.unreacted',
    ])
  })
})
