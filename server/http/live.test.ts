import { get, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { json } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { liveCodes, type LiveMessage, type PresentPerson } from '../contract/live.ts'
import { liveLimits } from '../contract/live-limits.ts'
import type { ConnectedClient, LiveTimes } from '../live/live.ts'
import { openApiDocument } from './openapi.ts'
import {
  createTestGalley,
  hosts,
  unknownId,
  type TestCredentials,
  type TestGalley,
} from '../testing/galley.ts'
import { dials, liveUrl, type Dialling, type Dials } from '../testing/live.ts'

let galley: TestGalley
let connect: Dials['connect'], refusal: Dials['refusal'], dial: Dials['dial']
let ports: Dials['ports']
async function start(live: LiveTimes) {
  galley = await createTestGalley({ live })
  ;({ connect, refusal, ports, dial } = await dials(galley))
}
beforeEach(() => start({ check: 30, ping: 60_000 }))
afterEach(() => galley.close())

const soon = (assertion: () => void) => vi.waitFor(assertion, { timeout: 5_000, interval: 10 })
const write = (id: string, content: string) =>
  galley.call('PATCH', `/api/documents/${id}`, { as: galley.as.owner, json: { content } })

describe('a connection to a document', () => {
  it('tells nobody of the words of guests whom the owner has hidden but these and the owner', async () => {
    const { id } = await galley.newDocument({ content: 'One.' })
    const token = await galley.newToken(id, 'edit')
    const [ada, bob] = [
      { token, guest: 'a'.repeat(32) },
      { token, guest: 'b'.repeat(32) },
    ]
    const { owner } = galley.as
    const at = `/api/documents/${id}`
    const { id: thread } = await galley.newComment(id, ada)
    const suggested = await galley.newSuggestion(id, ada, { original_text: 'One', suggested_text: 'Two' })
    const [guest] = (await galley.call('GET', `${at}/guests`, { as: owner })).data as { id: string }[]
    await galley.call('PATCH', `${at}/guests/${guest!.id}`, { as: owner, json: { hidden: true } })
    const first = await connect(liveUrl(id), { as: bob, on: 'share' })
    const [told] = first.heard as { since: string }[]
    const others = [
      first,
      await connect(liveUrl(id), { as: ada, on: 'share', headers: { cookie: `galley_guest=${ada.guest}` } }),
      await connect(liveUrl(id), { as: owner }),
    ]
    const { id: hidden } = await galley.newComment(id, ada)
    await galley.call('POST', `${at}/suggestions/${suggested.id}/replies`, {
      as: owner,
      json: { body: 'No.' },
    })
    const { id: answer } = (
      await galley.call('POST', `${at}/comments`, { as: owner, json: { body: 'No.', parent_id: thread } })
    ).data as { id: string }
    const { id: last } = await galley.newComment(id, bob)
    const late = await connect(`${liveUrl(id)}?since=${told!.since}`, { as: bob, on: 'share' })
    const idsIn = (heard: unknown[]) => heard.flatMap((one) => (one as { ids?: string[] }).ids ?? [])
    const all = [hidden, suggested.id, answer, last]
    await soon(() =>
      expect([...others, late].map(({ heard }) => new Set(idsIn(heard)))).toEqual(
        [[last], all, all, [last]].map((ids) => new Set(ids)),
      ),
    )
    for (const { heard } of [first, late])
      expect(heard).not.toContainEqual(expect.objectContaining({ what: 'suggestions' }))

    // What they take back nobody had seen, with what was said below it; also who comes back later hears nothing of that.
    for (const [what, as] of [
      [`comments/${answer}`, owner],
      [`comments/${hidden}`, ada],
      [`suggestions/${suggested.id}`, ada],
      [`comments/${last}`, bob],
    ] as const)
      expect((await galley.call('DELETE', `${at}/${what}`, { as })).status).toBe(200)
    const later = await connect(`${liveUrl(id)}?since=${told!.since}`, { as: bob, on: 'share' })
    const goneIn = (heard: unknown[]) =>
      new Set(heard.flatMap((one) => (one as { gone?: string[] }).gone ?? []))
    const gone = [answer, hidden, suggested.id, last]
    await soon(() =>
      expect([...others, late, later].map(({ heard }) => goneIn(heard))).toEqual(
        [[last], gone, gone, [last], [last]].map((ids) => new Set(ids)),
      ),
    )
    for (const { heard } of [first, late, later])
      expect(heard).not.toContainEqual(expect.objectContaining({ what: 'suggestions' }))
    const { text } = await galley.call('GET', '/api/events', { as: owner })
    expect(text).toContain(hidden)
    expect(text).not.toMatch(/hidden|guest:/)
  })

  it.each(['owner', 'share'] as const)(
    'hears on the %s listener what happens to it, and to no other',
    async (on) => {
      const document = await galley.newDocument({ content: 'One.' })
      const other = await galley.newDocument({ content: 'Another.' })
      const token = await galley.newToken(document.id, 'comment')
      const { changes, heard } = await connect(liveUrl(document.id), { as: { token }, on })
      await write(other.id, 'Changed.')
      await write(document.id, 'Two.')
      await galley.newComment(document.id)
      await galley.newSuggestion(document.id, galley.as.owner, {
        original_text: 'Two',
        suggested_text: 'Three',
      })
      await soon(() => expect(changes()).toEqual(['content', 'comments', 'suggestions']))
      expect(heard).not.toContainEqual(expect.objectContaining({ document_id: other.id }))
    },
  )

  it('hears nothing of suggestions by a link that doesn’t show them, nor of links', async () => {
    const document = await galley.newDocument({ content: 'One.' })
    const token = await galley.newToken(document.id, 'view')
    const { changes } = await connect(liveUrl(document.id), { as: { token }, on: 'share' })
    await galley.newSuggestion(document.id, galley.as.owner, { original_text: 'One' })
    await galley.newToken(document.id, 'view')
    await galley.newComment(document.id)
    await soon(() => expect(changes()).toEqual(['comments']))
  })

  it('carries no word of what was written', async () => {
    const document = await galley.newDocument({ content: 'One.' })
    const token = await galley.newToken(document.id, 'edit')
    const { heard, changes } = await connect(liveUrl(document.id), { as: { token } })
    await write(document.id, 'Unspeakable.')
    await soon(() => expect(changes()).toEqual(['content']))
    expect(JSON.stringify(heard)).not.toContain('Unspeakable')
  })

  it('ends when the link is revoked, and hears nothing after it', async () => {
    const document = await galley.newDocument()
    const token = await galley.newToken(document.id, 'comment')
    const { closed, changes } = await connect(liveUrl(document.id), { as: { token }, on: 'share' })
    const [link] = galley.store.shareLinks.list(galley.store.documents.find(document.id)!.number)
    await galley.call('DELETE', `/api/documents/${document.id}/share?link_id=${link!.id}`, {
      as: galley.as.owner,
    })
    await galley.newComment(document.id)
    expect(await closed).toBe(liveCodes.unauthorized)
    expect(changes()).toEqual([])
  })

  it.each(['here', 'by another process'])(
    'hears when its link allows something else now, and then what that lets it know: changed %s',
    async (where) => {
      const document = await galley.newDocument({ content: 'One.' })
      const token = await galley.newToken(document.id, 'comment')
      const other = await galley.newToken(document.id, 'edit')
      const owner = await connect('/api/live', { as: galley.as.session })
      const ours = await connect(liveUrl(document.id), { as: { token }, on: 'share' })
      const others = await connect(liveUrl(document.id), { as: { token: other }, on: 'share' })
      const [link] = galley.store.shareLinks
        .list(galley.store.documents.find(document.id)!.number)
        .filter((one) => one.token === token)
      const change = async (permission: 'view' | 'edit') => {
        if (where === 'here')
          await galley.call('PATCH', `/api/documents/${document.id}/share?link_id=${link!.id}`, {
            as: galley.as.owner,
            json: { permission, label: 'Renamed' },
          })
        else galley.store.shareLinks.update(link!, { permission, label: 'Renamed' })
      }
      const suggest = () => galley.newSuggestion(document.id, galley.as.owner, { original_text: 'One' })
      await change('view')
      await soon(() => expect(ours.changes()).toEqual(['permission']))
      await suggest()
      await change('edit')
      await soon(() => expect(ours.changes()).toEqual(['permission', 'permission']))
      await suggest()
      await soon(() => expect(ours.changes()).toEqual(['permission', 'permission', 'suggestions']))
      expect(others.changes()).toEqual(['suggestions', 'suggestions'])
      await soon(() => expect(owner.people()?.map((one) => one.link_label)).toContain('Renamed'))
    },
  )

  it('ends when all sharing is stopped', async () => {
    const document = await galley.newDocument()
    const token = await galley.newToken(document.id, 'edit')
    const { closed } = await connect(liveUrl(document.id), { as: { token }, on: 'share' })
    await galley.call('PATCH', '/api/sharing', { as: galley.as.owner, json: { stopped: true } })
    expect(await closed).toBe(liveCodes.unauthorized)
  })

  it('tells the owner, and nobody else, that sharing was stopped or started again', async () => {
    const document = await galley.newDocument()
    const owner = await connect('/api/live', { as: galley.as.session })
    const ofOne = await connect(liveUrl(document.id), { as: galley.as.session })
    const sharing = () => owner.heard.filter(({ type }) => type === 'sharing')
    const set = (stopped: boolean) =>
      galley.call('PATCH', '/api/sharing', { as: galley.as.owner, json: { stopped } })
    await set(true)
    await soon(() => expect(sharing()).toHaveLength(1))
    await set(false)
    await soon(() => expect(sharing()).toHaveLength(2))
    expect(ofOne.heard.filter(({ type }) => type === 'sharing')).toEqual([])
  })

  it('ends when the link expires, without anybody doing anything', async () => {
    const document = await galley.newDocument()
    const expires = new Date(galley.clock.now + 60_000).toISOString()
    const token = await galley.newToken(document.id, 'comment', expires)
    const { closed } = await connect(liveUrl(document.id), { as: { token }, on: 'share' })
    galley.clock.now += 60_000
    expect(await closed).toBe(liveCodes.unauthorized)
  })

  it('ends when the document is deleted', async () => {
    const document = await galley.newDocument()
    const token = await galley.newToken(document.id, 'view')
    const recipient = await connect(liveUrl(document.id), { as: { token }, on: 'share' })
    const owner = await connect(liveUrl(document.id), { as: galley.as.session })
    await galley.call('DELETE', `/api/documents/${document.id}`, { as: galley.as.owner })
    expect(await recipient.closed).toBe(liveCodes.notFound)
    expect(await owner.closed).toBe(liveCodes.notFound)
  })

  it('ends when its key is deleted or its session signed out, by whichever channel', async () => {
    const document = await galley.newDocument()
    const session = galley.newSession(galley.user.id)
    const bySession = await connect(liveUrl(document.id), { as: { session } })
    const byKey = await connect(liveUrl(document.id), { as: galley.as.reader })
    await galley.call('DELETE', '/api/session', { as: { session } })
    expect(await bySession.closed).toBe(liveCodes.unauthorized)
    galley.store.db.prepare("DELETE FROM api_keys WHERE access = 'read'").run()
    expect(await byKey.closed).toBe(liveCodes.unauthorized)
  })

  it('is refused as every call is, and in the same order', async () => {
    const document = await galley.newDocument()
    const other = await galley.newDocument()
    const token = await galley.newToken(document.id, 'view')
    const url = liveUrl(document.id)
    const foreign = { origin: 'https://elsewhere.example' }
    expect(await refusal(url)).toEqual([401, 'UNAUTHORIZED'])
    expect(await refusal(url, { as: { token: '0'.repeat(32) } })).toEqual([401, 'UNAUTHORIZED'])
    expect(await refusal(liveUrl(other.id), { as: { token } })).toEqual([401, 'UNAUTHORIZED'])
    expect(await refusal(url, { as: galley.as.stranger })).toEqual([404, 'NOT_FOUND'])
    expect(await refusal(liveUrl(unknownId), { as: galley.as.owner })).toEqual([404, 'NOT_FOUND'])
    expect(await refusal(url, { as: { token }, headers: foreign })).toEqual([403, 'FORBIDDEN'])
    expect(await refusal(url, { as: galley.as.session, headers: foreign })).toEqual([403, 'FORBIDDEN'])
    expect(await refusal(url, { as: { token }, headers: { host: 'elsewhere.example' } })).toEqual([
      403,
      'FORBIDDEN',
    ])
    expect(await refusal('/api/documents', { as: galley.as.owner })).toEqual([404, 'NOT_FOUND'])
    const twice = `${url}?share_token=${token}&share_token=${token}`
    expect(await refusal(twice, { on: 'share' })).toEqual([401, 'UNAUTHORIZED'])
    expect(await refusal('//[/live', { as: galley.as.owner })).toEqual([404, 'NOT_FOUND'])
    expect(galley.context.live.count()).toBe(0)
  })

  it('counts wrong tokens like every other call does', async () => {
    let failed = 0
    galley.context.limiters.failedCredential = () => Promise.resolve(void failed++)
    await refusal(liveUrl(unknownId), { as: { token: '0'.repeat(32) }, on: 'share' })
    expect(failed).toBe(1)
  })

  it('says to a plain request what the address is for', async () => {
    const document = await galley.newDocument()
    for (const url of [liveUrl(document.id), '/api/live']) {
      const answer = await galley.call('GET', url, { as: galley.as.owner })
      expect(answer.code).toBe('VALIDATION_ERROR')
      expect(answer.message).toContain('WebSocket')
      expect((await galley.call('GET', url)).code).toBe('UNAUTHORIZED')
      expect((await galley.call('GET', url, { as: { token: '0'.repeat(32) } })).code).toBe('UNAUTHORIZED')
    }
    expect((await galley.call('GET', liveUrl(unknownId), { as: galley.as.owner })).code).toBe('NOT_FOUND')
    const { paths } = openApiDocument() as { paths: Record<string, { get: { responses: object } }> }
    for (const path of ['/api/documents/{id}/live', '/api/live'])
      expect(paths[path]!.get.responses).toHaveProperty('400')
  })

  it.each([
    ['a key', { 'Sec-WebSocket-Version': '13' }],
    ['a readable key', { 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'short' }],
    ['a version', { 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' }],
  ])('says in the envelope that an upgrade without %s is none', async (_, headers) => {
    const ask = async (as: TestCredentials) => {
      const request = get(`http://127.0.0.1:${ports.owner}/api/live`, {
        headers: {
          host: hosts.owner,
          connection: 'Upgrade',
          upgrade: 'websocket',
          ...(as.key === undefined ? {} : { authorization: `Bearer ${as.key}` }),
          ...headers,
        },
      })
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      return { status: response.statusCode, headers: response.headers, ...((await json(response)) as object) }
    }
    expect(await ask(galley.as.owner)).toMatchObject({
      status: 400,
      headers: { 'content-type': 'application/json; charset=utf-8', 'sec-websocket-version': '13' },
      error: { code: 'VALIDATION_ERROR' },
    })
    expect(await ask({})).toMatchObject({ status: 401, error: { code: 'UNAUTHORIZED' } })
  })
})

describe('what a connection may say', () => {
  const open = async () => {
    const document = await galley.newDocument()
    const token = await galley.newToken(document.id, 'view')
    return connect(liveUrl(document.id), { as: { token }, on: 'share' })
  }
  it.each([
    ['what isn’t JSON', 'hello'],
    ['something else', '{"type": "shutdown"}'],
    ['too long a name', JSON.stringify({ name: 'a'.repeat(81) })],
    ['bytes', Buffer.from('{"name": "Ada"}')],
  ])('is its name and no more: %s ends it', async (_, message) => {
    const { socket, closed } = await open()
    socket.send(message, { binary: typeof message !== 'string' })
    expect(await closed).toBe(liveCodes.policy)
  })

  it('is a question whether anything comes through, which is answered', async () => {
    for (const { socket, heard } of [await open(), await connect('/api/live', { as: galley.as.session })]) {
      socket.send('{"type": "ping"}')
      await soon(() => expect(heard.filter(({ type }) => type === 'pong')).toHaveLength(1))
    }
  })

  it('is bounded in size', async () => {
    const { socket, closed } = await open()
    socket.send(JSON.stringify({ name: 'x'.repeat(liveLimits.messageBytes) }))
    expect(await closed).toBe(1009)
  })

  it('is bounded in number', async () => {
    const { socket, closed } = await open()
    for (let i = 0; i < 40; i++) socket.send('{"name": "Ada"}')
    expect(await closed).toBe(liveCodes.policy)
  })

  /** Lets somebody in who is only counted. */
  const join = (guest: ConnectedClient['guest'], ended: (code: number) => void = () => undefined) => {
    const connection: ConnectedClient = {
      ...{ guest, host: null, about: () => [], refusal: () => null },
      ...{ ping: () => true, send: () => undefined },
      end: ended,
    }
    galley.context.live.join(connection)
  }
  const visitor = (token: string, address: string): ConnectedClient['guest'] => {
    const link = galley.store.shareLinks.findValid(token)!
    const person = {
      document_id: '',
      link_id: link.id,
      link_label: null,
      name: null,
      kind: 'guest' as const,
      guest: true,
      since: '',
      follower: null,
    }
    return { ownerId: galley.user.id, person, address }
  }

  it('is bounded for each visitor: the newest connections stay', async () => {
    const document = await galley.newDocument()
    const token = await galley.newToken(document.id, 'view')
    const all: Awaited<ReturnType<typeof connect>>[] = []
    for (let i = 0; i <= liveLimits.perVisitor; i++)
      all.push(await connect(liveUrl(document.id), { as: { token } }))
    expect(await all[0]!.closed).toBe(liveCodes.replaced)
    expect(galley.context.live.count()).toBe(liveLimits.perVisitor)
    await write(document.id, 'New.')
    await soon(() => expect(all.at(-1)!.changes()).toEqual(['content']))
  })

  it('is refused to who goes and comes again without an end, and to nobody else', async () => {
    const document = await galley.newDocument()
    const [token, other] = [
      await galley.newToken(document.id, 'view'),
      await galley.newToken(document.id, 'view'),
    ]
    const { id: link } = galley.store.shareLinks.findValid(token)!
    for (let i = 0; i < liveLimits.visitorOpensPerMinute; i++)
      await galley.context.limiters.liveOpening(link, '127.0.0.1')
    const url = liveUrl(document.id)
    expect(await refusal(url, { as: { token } })).toEqual([429, 'RATE_LIMITED'])
    await galley.context.limiters.liveOpening(link, 'elsewhere')
    for (const as of [{ token: other }, galley.as.owner]) await connect(url, { as })
    expect(galley.context.live.count()).toBe(2)
  })

  it('lets others in whom one visitor’s idle connections would shut out', async () => {
    const document = await galley.newDocument()
    const token = await galley.newToken(document.id, 'view')
    const ended: string[] = []
    const come = (address: string) =>
      join(visitor(token, address), (code) => ended.push(`${address} ${code}`))
    for (let i = 0; i < 5; i++) come('a reader’s')
    for (let i = 5; i < liveLimits.perLink; i++) come('an idler’s')
    const { changes } = await connect(liveUrl(document.id), { as: { token } })
    expect(ended).toEqual([`an idler’s ${liveCodes.replaced}`])
    await write(document.id, 'New.')
    await soon(() => expect(changes()).toEqual(['content']))
  })

  it('leaves room for owners where links have taken all of theirs', async () => {
    const document = await galley.newDocument()
    const token = await galley.newToken(document.id, 'view')
    for (let i = 1; i < liveLimits.forLinks; i++) join(null)
    const first = await connect(liveUrl(document.id), { as: { token } })
    const last = await connect(liveUrl(document.id), { as: { token } })
    expect(await first.closed).toBe(liveCodes.replaced)
    const owner = await connect('/api/live', { as: galley.as.session })
    await soon(() => expect(owner.people()).toHaveLength(1))
    await connect(liveUrl(document.id), { as: galley.as.session })
    last.socket.close()
    await soon(() => expect(owner.people()).toHaveLength(0))
    while (galley.context.live.count() < liveLimits.inAll) join(null)
    expect(await refusal('/api/live', { as: galley.as.session })).toEqual([429, 'RATE_LIMITED'])
    expect(await refusal(liveUrl(document.id), { as: { token } })).toEqual([429, 'RATE_LIMITED'])
    owner.socket.close()
    await soon(() => expect(galley.context.live.count()).toBeLessThan(liveLimits.inAll))
    await connect('/api/live', { as: galley.as.session })
  })

  it('begins with a sign of life, before which the owner isn’t told that they are there', async () => {
    const document = await galley.newDocument()
    const as = { token: await galley.newToken(document.id, 'view') }
    const owner = await connect('/api/live', { as: galley.as.session })
    const swallowed = dial(liveUrl(document.id), { as, on: 'share' })
    // In between somebody takes what is sent, and passes nothing on.
    Object.assign(swallowed, { _autoPong: false })
    await once(swallowed, 'open')
    await soon(() => expect(galley.context.live.count()).toBe(2))
    const other = await connect(liveUrl(document.id), { as, on: 'share' })
    await soon(() => expect(owner.people()).toHaveLength(1))
    swallowed.pong()
    await soon(() => expect(owner.people()).toHaveLength(2))
    other.socket.close()
    await soon(() => expect(owner.people()).toHaveLength(1))
  })

  it('includes a sign of life: who gives none is taken for gone', async () => {
    await galley.close()
    await start({ check: 30, ping: 500 })
    const { socket } = await open()
    expect(galley.context.live.count()).toBe(1)
    socket.pong = () => {}
    Object.assign(socket, { _autoPong: false })
    const receiver = (socket as unknown as { _receiver: { removeAllListeners: (name: string) => void } })
      ._receiver
    receiver.removeAllListeners('ping')
    await soon(() => expect(galley.context.live.count()).toBe(0))
  })
})

describe('the owner’s connection', () => {
  const names = (people: PresentPerson[] | undefined) => people?.map(({ name }) => name)

  it('hears of all their documents, and of nobody else’s', async () => {
    const { heard } = await connect('/api/live', { as: galley.as.session })
    const theirs = await galley.newDocument({}, galley.as.stranger)
    await galley.call('DELETE', `/api/documents/${theirs.id}`, { as: galley.as.stranger })
    const mine = await galley.newDocument()
    const comment = await galley.newComment(mine.id)
    await galley.call('DELETE', `/api/documents/${mine.id}`, { as: galley.as.owner })
    await soon(() =>
      expect(heard.filter(({ type }) => type === 'changed')).toEqual([
        { type: 'changed', document_id: mine.id, what: 'content', revision: 1, since: '3' },
        { type: 'changed', document_id: mine.id, what: 'comments', ids: [comment.id], gone: [], since: '4' },
        { type: 'changed', document_id: null, what: 'deleted', since: '5' },
      ]),
    )
  })

  it('sees who is there: by which link, since when, and by the name they give themselves', async () => {
    const document = await galley.newDocument()
    const token = await galley.newToken(document.id, 'comment')
    const owner = await connect('/api/live', { as: galley.as.session })
    await soon(() => expect(owner.people()).toEqual([]))
    const recipient = await connect(liveUrl(document.id), { as: { token }, on: 'share' })
    await soon(() =>
      expect(owner.people()).toMatchObject([
        { document_id: document.id, name: null, link_label: null, since: '2026-03-01T09:30:00.000Z' },
      ]),
    )
    recipient.socket.send('{"name": " Ada "}')
    await soon(() => expect(names(owner.people())).toEqual(['Ada']))
    const key = galley.newKey(galley.user.id, 'read', { name: 'Nightly' })
    const script = await connect(liveUrl(document.id), { as: { token, key } })
    const its = { name: 'Nightly', kind: 'script', guest: false }
    await soon(() => expect(owner.people()).toMatchObject([{ name: 'Ada', kind: 'guest' }, its]))
    script.socket.close()
    await soon(() => expect(names(owner.people())).toEqual(['Ada']))
    const late = await connect('/api/live', { as: galley.as.session })
    await soon(() => expect(names(late.people())).toEqual(['Ada']))
    recipient.socket.close()
    await soon(() => expect(owner.people()).toEqual([]))
  })

  it('sees a guest by the name the owner gave them, and pages hear that what they said is another now', async () => {
    const document = await galley.newDocument()
    const as = { token: await galley.newToken(document.id, 'comment'), guest: 'a'.repeat(32) }
    const at = `/api/documents/${document.id}`
    const by = galley.as.owner
    await galley.call('POST', `${at}/comments`, { as, json: { body: 'Hm.', author_name: 'adda' } })
    const [guest] = (await galley.call('GET', `${at}/guests`, { as: by })).data as { id: string }[]
    const headers = { cookie: `galley_guest=${as.guest}` }
    const reader = await connect(liveUrl(document.id), { as, on: 'share', headers })
    const viewer = await connect(liveUrl(document.id), {
      as: { token: await galley.newToken(document.id, 'view') },
    })
    await galley.call('PATCH', `${at}/guests/${guest!.id}`, { as: by, json: { name: 'Ada' } })
    await soon(() => expect(reader.changes()).toEqual(['comments', 'suggestions']))
    await soon(() => expect(viewer.changes()).toEqual(['comments']))
    const owner = await connect('/api/live', { as: galley.as.session })
    reader.socket.send('{"name": "adda"}')
    await soon(() => expect(names(owner.people())).toContain('Ada'))
    expect(names(owner.people())).not.toContain('adda')
  })

  it('is nobody else’s: other accounts see none of it, recipients are told of nobody', async () => {
    const document = await galley.newDocument()
    const token = await galley.newToken(document.id, 'edit')
    const stranger = await connect('/api/live', { as: galley.as.stranger })
    const first = await connect(liveUrl(document.id), { as: { token } })
    await connect(liveUrl(document.id), { as: { token } })
    await galley.newComment(document.id)
    await soon(() => expect(first.changes()).toEqual(['comments']))
    expect(first.people()).toBeUndefined()
    expect(stranger.people()).toEqual([])
    expect(await refusal('/api/live', { as: { token } })).toEqual([401, 'UNAUTHORIZED'])
  })

  it('does not exist on the share listener', async () => {
    expect(await refusal('/api/live', { as: galley.as.session, on: 'share' })).toEqual([404, 'NOT_FOUND'])
    expect(await refusal('/api/live', { as: galley.as.owner, on: 'share' })).toEqual([404, 'NOT_FOUND'])
    const document = await galley.newDocument()
    expect(await refusal(liveUrl(document.id), { as: galley.as.session, on: 'share' })).toEqual([
      401,
      'UNAUTHORIZED',
    ])
  })
})

it('connections end when the server does', async () => {
  const document = await galley.newDocument()
  const { closed } = await connect(liveUrl(document.id), { as: galley.as.session })
  galley.context.live.close()
  expect(await closed).toBe(liveCodes.goingAway)
  // Nobody who comes later stays: a server that stops waits for every connection.
  const late = await connect(liveUrl(document.id), { as: galley.as.session })
  expect(await late.closed).toBe(liveCodes.goingAway)
})

describe('who comes back', () => {
  const lastPlace = (heard: LiveMessage[]) =>
    heard.findLast((one) => 'since' in one && one.since !== undefined) as { since: string }
  const changed = (heard: LiveMessage[]) =>
    heard.flatMap((one) => (one.type === 'changed' || one.type === 'everything' ? [one] : []))
  const isTold = (heard: LiveMessage[]) =>
    soon(() => expect(heard.some(({ type }) => type === 'told')).toBe(true))

  async function comeBack(url: string, dialling: Dialling, meanwhile: () => Promise<unknown>) {
    const first = await connect(url, dialling)
    await isTold(first.heard)
    first.socket.close()
    await first.closed
    await meanwhile()
    const { since } = lastPlace(first.heard)
    const again = await connect(`${url}?since=${encodeURIComponent(since)}`, dialling)
    await isTold(again.heard)
    again.socket.close()
    return { since, missed: changed(again.heard), heard: again.heard }
  }

  it('is told what happened meanwhile, each part once, and that is all', async () => {
    const document = await galley.newDocument({ content: 'One.' })
    const gone = await galley.newComment(document.id)
    const { missed } = await comeBack('/api/live', { as: galley.as.session }, async () => {
      await write(document.id, 'Two.')
      await write(document.id, 'Three.')
      const comment = await galley.newComment(document.id)
      await galley.call('PATCH', `/api/documents/${document.id}/comments/${comment.id}`, {
        as: galley.as.owner,
        json: { resolved: true },
      })
      await galley.call('DELETE', `/api/documents/${document.id}/comments/${gone.id}`, {
        as: galley.as.owner,
      })
      await galley.newDocument({}, galley.as.stranger)
    })
    const [comment] = galley.store.comments.list(galley.store.documents.find(document.id)!.number)
    expect(missed).toEqual([
      { type: 'changed', document_id: document.id, what: 'content', revision: 3 },
      { type: 'changed', document_id: document.id, what: 'comments', ids: [comment!.id], gone: [gone.id] },
    ])
    expect((await comeBack('/api/live', { as: galley.as.session }, async () => {})).missed).toEqual([])
  })

  it('hears of a reply to a suggestion as of that suggestion, where the link lets them know of any', async () => {
    const document = await galley.newDocument({ content: 'It goes out.' })
    const suggestion = await galley.newSuggestion(document.id)
    const reply = await galley.newReply(suggestion)
    const change = async () => {
      await galley.newReply(suggestion)
      await galley.call('DELETE', `/api/documents/${document.id}/comments/${reply.id}`, {
        as: galley.as.owner,
      })
    }
    const missedBy = async (permission: 'view' | 'comment') => {
      const as = { token: await galley.newToken(document.id, permission) }
      return (await comeBack(liveUrl(document.id), { as }, change)).missed
    }
    expect(await missedBy('comment')).toEqual([
      { type: 'changed', document_id: document.id, what: 'suggestions', ids: [suggestion.id], gone: [] },
    ])
    expect(await missedBy('view')).toEqual([])
  })

  it('hears by a link only what the link lets them know, and learns no number', async () => {
    const document = await galley.newDocument({ content: 'One.' })
    const token = await galley.newToken(document.id, 'view')
    const places = new Set<string>()
    for (let i = 0; i < 2; i++) {
      const { since, missed, heard } = await comeBack(
        liveUrl(document.id),
        { as: { token }, on: 'share' },
        async () => {
          await galley.newDocument()
          await galley.newToken(document.id, 'edit')
          await galley.newSuggestion(document.id, galley.as.owner, { original_text: 'One' })
          await galley.newComment(document.id)
        },
      )
      expect(missed).toMatchObject([{ what: 'comments' }])
      expect(since).not.toMatch(/^\d+$/)
      expect(JSON.stringify(heard)).not.toMatch(/principal|seq/)
      places.add(since)
    }
    expect(places.size).toBe(2)
  })

  it('can’t tell by a link’s places whether anything has happened elsewhere', async () => {
    const document = await galley.newDocument()
    const token = await galley.newToken(document.id, 'view')
    const dialling = { as: { token }, on: 'share' } as const
    const quiet = async () => {}
    const places = new Set<string>()
    for (let i = 0; i < 3; i++) {
      const { since, missed, heard } = await comeBack(liveUrl(document.id), dialling, quiet)
      // Each is understood, though nobody has seen it before.
      expect(missed).toEqual([])
      places.add(since).add(lastPlace(heard).since)
    }
    expect(places.size).toBe(6)
    expect(new Set([...places].map((place) => place.length)).size).toBe(1)
    const parts = [...places].flatMap((place) =>
      Buffer.from(place, 'base64url').toString('hex').match(/.{16}/g),
    )
    expect(new Set(parts).size).toBe(parts.length)
  })

  it('gets by links to one document one place for what all are told at one time, and another for what comes next', async () => {
    const document = await galley.newDocument({ content: 'One.' })
    const tokens = [await galley.newToken(document.id, 'view'), await galley.newToken(document.id, 'view')]
    const readers = await Promise.all(tokens.map((token) => connect(liveUrl(document.id), { as: { token } })))
    const hear = async (content: string) => {
      await write(document.id, content)
      const { revision } = galley.store.documents.find(document.id)!
      const places = () =>
        readers.map(
          ({ heard }) =>
            heard.flatMap((one) => (one.type === 'changed' && one.revision === revision ? [one] : []))[0]
              ?.since,
        )
      await soon(() => expect(places()).not.toContain(undefined))
      return places()
    }
    const [first, second] = [await hear('Two.'), await hear('Three.')]
    expect(first[0]).toBe(first[1])
    expect(second[0]).toBe(second[1])
    expect(first[0]).not.toBe(second[0])
    const again = await connect(`${liveUrl(document.id)}?since=${first[1]}`, { as: { token: tokens[0]! } })
    await soon(() => expect(changed(again.heard)).toMatchObject([{ what: 'content', revision: 3 }]))
  })

  it('isn’t told by a link with a place that was changed anywhere', async () => {
    const document = await galley.newDocument()
    const token = await galley.newToken(document.id, 'view')
    const dialling = { as: { token }, on: 'share' } as const
    const first = await connect(liveUrl(document.id), dialling)
    await isTold(first.heard)
    const place = Buffer.from(lastPlace(first.heard).since, 'base64url')
    for (let i = 0; i < place.length; i += 5) {
      const changedPlace = Buffer.from(place)
      changedPlace[i]! ^= 1
      const again = await connect(
        `${liveUrl(document.id)}?since=${changedPlace.toString('base64url')}`,
        dialling,
      )
      await soon(() => expect(changed(again.heard)).toMatchObject([{ type: 'everything' }]))
      again.socket.close()
      await again.closed
    }
  })

  it('is told that the link allows something else now', async () => {
    const document = await galley.newDocument()
    const token = await galley.newToken(document.id, 'view')
    const [link] = galley.store.shareLinks.list(galley.store.documents.find(document.id)!.number)
    const dialling = { as: { token }, on: 'share' } as const
    const { missed } = await comeBack(liveUrl(document.id), dialling, () =>
      galley.call('PATCH', `/api/documents/${document.id}/share?link_id=${link!.id}`, {
        as: galley.as.owner,
        json: { permission: 'comment' },
      }),
    )
    expect(missed).toEqual([{ type: 'changed', document_id: document.id, what: 'permission' }])
  })

  it.each([
    ['with a place of nobody’s', async (place: string) => `${place.slice(1)}A`],
    ['with nonsense', async () => 'now'],
    [
      'after so long that not all is kept',
      async (place: string) => {
        for (let i = 0; i < 2; i++) await galley.newDocument()
        galley.store.db.exec('DELETE FROM events WHERE seq < (SELECT max(seq) FROM events)')
        return place
      },
    ],
    [
      'after very much',
      async (place: string) => {
        for (let i = 0; i < 101; i++) await galley.newDocument()
        return place
      },
    ],
  ])('is told to ask for everything %s', async (what, spoil) => {
    const document = await galley.newDocument()
    const token = await galley.newToken(document.id, 'view')
    const isLinks = what.startsWith('with')
    const url = isLinks ? liveUrl(document.id) : '/api/live'
    const dialling: Dialling = isLinks ? { as: { token }, on: 'share' } : { as: galley.as.session }
    const first = await connect(url, dialling)
    await isTold(first.heard)
    const since = await spoil(lastPlace(first.heard).since)
    const query = `since=${encodeURIComponent(since)}`
    const again = await connect(`${url}?${query}`, dialling)
    await soon(() => expect(changed(again.heard)).toMatchObject([{ type: 'everything' }]))
  })

  it('isn’t told by a link with a place of another document', async () => {
    const [one, other] = [await galley.newDocument(), await galley.newDocument()]
    const tokens = [await galley.newToken(one.id, 'view'), await galley.newToken(other.id, 'view')]
    const first = await connect(liveUrl(one.id), { as: { token: tokens[0]! } })
    await isTold(first.heard)
    const { since } = lastPlace(first.heard)
    const second = await connect(`${liveUrl(other.id)}?since=${since}`, { as: { token: tokens[1]! } })
    await soon(() => expect(changed(second.heard)).toMatchObject([{ type: 'everything' }]))
  })
})

it('many suggestions decided at once are one message, which names none of them', async () => {
  const document = await galley.newDocument({ content: 'word '.repeat(60) })
  for (let i = 0; i < 60; i++)
    await galley.newSuggestion(document.id, galley.as.owner, { original_text: 'word' })
  const { heard } = await connect('/api/live', { as: galley.as.session })
  await galley.call('POST', `/api/documents/${document.id}/suggestions/resolve`, {
    as: galley.as.owner,
    json: { action: 'reject' },
  })
  await soon(() => expect(heard.filter(({ type }) => type === 'changed')).toHaveLength(1))
  expect(heard.find(({ type }) => type === 'changed')).toEqual({
    type: 'changed',
    document_id: document.id,
    what: 'suggestions',
    since: String(galley.store.events.newest()),
  })
})
