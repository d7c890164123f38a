import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { liveCodes, type LiveSaying, type LiveText } from '../contract/live.ts'
import { limits } from '../contract/limits.ts'
import { liveLimits } from '../contract/live-limits.ts'
import type { PushedSteps } from '../contract/records/changes.ts'
import type { Document } from '../contract/records/documents.ts'
import type { KeyAccess } from '../contract/records/keys.ts'
import type { Presence } from '../contract/records/presence.ts'
import { connectByHttp } from '../mcp/testing/agent.ts'
import { createTestGalley, type TestCredentials, type TestGalley } from '../testing/galley.ts'
import { dials, liveUrl, type Dialling } from '../testing/live.ts'

let galley: TestGalley
let connect: Awaited<ReturnType<typeof dials>>['connect']
beforeEach(async () => {
  galley = await createTestGalley({ live: { check: 30, ping: 60_000 } })
  ;({ connect } = await dials(galley))
})
afterEach(() => galley.close())

const soon = <T>(assertion: () => T) => vi.waitFor(assertion, { timeout: 5_000, interval: 5 })
const read = async (id: string) =>
  (await galley.call('GET', `/api/documents/${id}`, { as: galley.as.owner })).data as Document
const write = (id: string, content: string) =>
  galley.call('PATCH', `/api/documents/${id}`, { as: galley.as.owner, json: { content } })

let clients = 0
type Said<Type extends LiveText['type']> = Extract<LiveText, { type: Type }>

/** Somebody who follows a text. */
async function follower(
  id: string,
  as: TestCredentials,
  { since = 1, ...dialling }: Dialling & { since?: number } = {},
) {
  const client = `follower-${String(clients++).padStart(16, '0')}`
  const connection = await connect(liveUrl(id), { as, ...dialling })
  const say = (saying: LiveSaying) => connection.socket.send(JSON.stringify(saying))
  const all = <Type extends LiveText['type']>(type: Type) =>
    connection.heard.filter((one): one is typeof one & Said<Type> => one.type === type)
  const last = <Type extends LiveText['type']>(type: Type) => all(type).at(-1)
  const follow = (from = since) => say({ type: 'follow', since: from, client })
  follow()
  await soon(() => expect(all('following').length + all('apart').length).toBe(1))
  let number = 0
  const push = (
    base: number,
    changes: (number | [number, ...string[]])[],
    author_name?: string,
    steps?: PushedSteps,
  ) => {
    number++
    const named = author_name === undefined ? {} : { author_name }
    say({ type: 'push', base, number, changes, ...named, ...(steps && { steps }) })
    return number
  }
  const you = last('following')?.you
  const updates = () => all('updates').flatMap((one) => one.updates)
  const people = () => last('people')?.people.map(({ name, isOwner }) => (isOwner ? `${name} (owner)` : name))
  return { ...connection, client, say, all, last, follow, push, you, updates, people }
}

/** A guest who has written before, so that a browser sends along who they are. */
async function knownGuest(id: string, permission: 'edit' | 'comment' | 'view' = 'edit') {
  const token = await galley.newToken(id, permission)
  const headers = { cookie: `galley_guest=${String(clients++).padStart(32, '0')}` }
  return { as: { token }, on: 'share', headers } as const
}

describe('who follows a text', () => {
  it('is told what they missed and each change after it, by whichever way it came, and no news beside it', async () => {
    const { id } = await galley.newDocument({ content: 'One.\n' })
    await write(id, 'One. Two.\n')
    const owner = await follower(id, galley.as.session)
    expect(owner.last('following')).toMatchObject({ revision: 2, pushes: true })
    expect(owner.last('following')!.updates).toMatchObject([{ revision: 2, changes: [4, [0, ' Two.'], 1] }])
    const guest = await knownGuest(id)
    const ada = await follower(id, guest.as, { ...guest, since: 2 })
    await write(id, 'One. Two. Three.\n')
    ada.push(2, [[0, 'Zero. '], 10], 'Ada')
    await soon(async () => expect(owner.updates()).toHaveLength(2))
    expect(owner.updates()).toMatchObject([
      { revision: 3, by: null, changes: [9, [0, ' Three.'], 1], author: galley.user.name },
      { revision: 4, by: ada.you, number: 1, changes: [[0, 'Zero. '], 17], author: 'Ada' },
    ])
    await soon(() => expect(ada.updates()).toEqual(owner.updates()))
    expect(owner.changes()).not.toContain('content')
    expect((await read(id)).content).toBe('Zero. One. Two. Three.\n')
  })

  it('is told the changes of another process', async () => {
    const { id } = await galley.newDocument({ content: 'One.\n' })
    const owner = await follower(id, galley.as.session)
    const other = galley.context.feed
    // What another process commits is only found by looking.
    vi.spyOn(galley.context, 'publish').mockImplementation(() => {})
    await galley.call('PATCH', `/api/documents/${id}`, { as: galley.as.owner, json: { content: 'Two.\n' } })
    expect(other.last()).toBeGreaterThan(0)
    await soon(() => expect(owner.updates()).toMatchObject([{ revision: 2 }]))
  })

  it('is told to ask where nothing leads on that can be told, and may follow again from there', async () => {
    const { id } = await galley.newDocument({ content: 'One.\n' })
    await write(id, 'x'.repeat(300_000))
    const owner = await follower(id, galley.as.session)
    expect(owner.all('apart')).toHaveLength(1)
    owner.follow(2)
    await soon(() => expect(owner.last('following')).toMatchObject({ revision: 2, updates: [] }))
    await write(id, 'y'.repeat(300_000))
    await soon(() => expect(owner.all('apart')).toHaveLength(2))
    owner.follow(3)
    await soon(() => expect(owner.all('following')).toHaveLength(2))
    await write(id, `Z${'y'.repeat(300_000)}`)
    await soon(() => expect(owner.updates()).toMatchObject([{ revision: 4, length: 300_001 }]))
  })

  it('comes again where a call of the same copy, which was late, has taken its place', async () => {
    const { id } = await galley.newDocument({ content: 'One.\n' })
    const guest = await knownGuest(id)
    const ada = await follower(id, guest.as, guest)
    const query = `since=1&client=${ada.client}&presence=0`
    expect((await galley.call('GET', `/api/documents/${id}/changes?${query}`, guest)).status).toBe(200)
    await soon(() => expect(ada.all('apart')).toHaveLength(1))
    ada.follow()
    await soon(() => expect(ada.all('following')).toHaveLength(2))
    await write(id, 'One. Two.\n')
    await soon(() => expect(ada.updates()).toMatchObject([{ revision: 2 }]))
  })

  it('has to be somebody who may write, or the owner', async () => {
    const { id } = await galley.newDocument({ content: 'One.\n' })
    const guest = await knownGuest(id, 'comment')
    const { socket, heard } = await connect(liveUrl(id), guest)
    socket.send(JSON.stringify({ type: 'follow', since: 1, client: 'a-client-of-sixteen' }))
    await write(id, 'Two.\n')
    await galley.newComment(id)
    await soon(() => expect(heard.filter(({ type }) => type === 'changed')).toHaveLength(2))
    expect(heard.filter(({ type }) => type !== 'changed' && type !== 'told')).toEqual([])
    expect(JSON.stringify(heard)).not.toContain('Two')
  })

  it('hears nothing more of it when the link lets them only read, or is revoked', async () => {
    const { id } = await galley.newDocument({ content: 'One.\n' })
    const [one, other] = [await knownGuest(id), await knownGuest(id)]
    const [ada, ben] = [await follower(id, one.as, one), await follower(id, other.as, other)]
    const links = (await galley.call('GET', `/api/documents/${id}/share`, { as: galley.as.owner })).data as {
      id: string
      token: string
    }[]
    const linkOf = (token: string) => links.find((link) => link.token === token)!.id
    await galley.call('PATCH', `/api/documents/${id}/share?link_id=${linkOf(one.as.token)}`, {
      as: galley.as.owner,
      json: { permission: 'view' },
    })
    await galley.call('DELETE', `/api/documents/${id}/share?link_id=${linkOf(other.as.token)}`, {
      as: galley.as.owner,
    })
    expect(await ben.closed).toBe(liveCodes.unauthorized)
    await soon(() => expect(ada.changes()).toContain('permission'))
    await write(id, 'Unspeakable.\n')
    ada.push(1, [[0, 'Not any more. '], 5])
    await soon(() => expect(ada.all('refused')).toHaveLength(1))
    await soon(() => expect(ada.changes()).toContain('content'))
    expect(JSON.stringify([ada.heard, ben.heard])).not.toContain('Unspeakable')
    expect((await read(id)).content).toBe('Unspeakable.\n')
  })
})

describe('a change that is sent over the connection', () => {
  it('is made once, however often it comes, and its sender is told each time', async () => {
    const { id } = await galley.newDocument({ content: 'One.\n' })
    const owner = await follower(id, galley.as.session)
    owner.push(1, [4, [0, ' Two.'], 1])
    await soon(() => expect(owner.updates()).toMatchObject([{ revision: 2, by: owner.you, number: 1 }]))
    owner.say({ type: 'push', base: 1, number: 1, changes: [4, [0, ' Two.'], 1] })
    await soon(() =>
      expect(owner.updates()).toMatchObject([{ revision: 2 }, { revision: 2, number: 1, changes: null }]),
    )
    owner.say({ type: 'push', base: 1, number: 1, changes: [4, [0, ' Else.'], 1] })
    await soon(() => expect(owner.last('refused')).toMatchObject({ number: 1 }))
    expect((await read(id)).revision).toBe(2)
  })

  it('is refused where it is wrong, and nothing is changed', async () => {
    const { id } = await galley.newDocument({ content: 'One.\n' })
    const owner = await follower(id, galley.as.session)
    const wrong = [
      owner.push(1, [4, [0, 'of another length'], 7]),
      owner.push(7, [4, [0, 'of the future'], 1]),
      owner.push(1, [['nonsense' as unknown as number], 1]),
    ]
    await soon(() => expect(owner.all('refused').map(({ number }) => number)).toEqual(wrong))
    expect((await read(id)).revision).toBe(1)
  })

  it('is refused where a guest makes a line too long', async () => {
    const content = 'x'.repeat(limits.guestLineLength)
    const { id } = await galley.newDocument({ content })
    const guest = await knownGuest(id)
    const ada = await follower(id, guest.as, guest)
    const tooLong = ada.push(1, [content.length, [0, 'y']])
    await soon(() => expect(ada.last('refused')).toMatchObject({ number: tooLong }))
    expect((await read(id)).content).toBe(content)
  })

  it('is not taken of a guest whom nothing but this connection knows, nor of who doesn’t follow', async () => {
    const { id } = await galley.newDocument({ content: 'One.\n' })
    const token = await galley.newToken(id, 'edit')
    const guest = await follower(id, { token }, { on: 'share' })
    expect(guest.last('following')).toMatchObject({ pushes: false })
    guest.push(1, [[0, 'Nobody. '], 5])
    await soon(() => expect(guest.all('refused')).toHaveLength(1))
    guest.say({ type: 'unfollow' })
    guest.push(1, [[0, 'Nobody. '], 5])
    await soon(() => expect(guest.all('refused')).toHaveLength(2))
    expect((await read(id)).revision).toBe(1)
  })

  it('counts as typing does by HTTP', async () => {
    const { id } = await galley.newDocument({ content: 'One.\n' })
    const guest = await knownGuest(id)
    const ada = await follower(id, guest.as, guest)
    const spy = vi.spyOn(galley.context.limiters, 'guestChange')
    ada.push(1, [[0, 'Ada. '], 5])
    await soon(() => expect(ada.updates()).toHaveLength(1))
    expect(spy.mock.calls).toMatchObject([[expect.any(String), '127.0.0.1', expect.any(Number)]])
    expect(spy.mock.calls[0]![2]).toBeLessThan(200)
  })

  it('is bounded with all else that is said', async () => {
    const { id } = await galley.newDocument({ content: 'One.\n' })
    const guest = await knownGuest(id)
    const ada = await follower(id, guest.as, guest)
    for (let i = 0; i <= liveLimits.messagesPerSecond; i++)
      ada.say({ type: 'cursor', revision: 1, at: { anchor: i % 5, head: 0 } })
    expect(await ada.closed).toBe(liveCodes.policy)
  })

  it('is bounded with what the same visitor says on other connections, before and beside it', async () => {
    const { id } = await galley.newDocument({ content: 'One.\n' })
    const guest = await knownGuest(id)
    const spy = vi.spyOn(galley.context.live, 'takes')
    const ada = await follower(id, guest.as, guest)
    expect(spy.mock.calls.map(([who, counts]) => [who.address, counts])).toEqual([
      ['127.0.0.1', liveLimits.followCounts],
    ])
    spy.mockReturnValue(false)
    ada.say({ type: 'ping' })
    expect(await ada.closed).toBe(liveCodes.policy)
    // Owners aren’t counted.
    const owner = await follower(id, galley.as.session)
    owner.say({ type: 'ping' })
    await soon(() => expect(owner.heard).toContainEqual({ type: 'pong' }))
  })
})

describe('those who follow one text', () => {
  it('and their owner see a guest under the name that the owner gives them, at once, until it is taken away', async () => {
    const { id } = await galley.newDocument({ content: 'One.' })
    const guest = await knownGuest(id)
    await galley.call('POST', `/api/documents/${id}/comments`, {
      ...guest,
      json: { body: 'Said.', author_name: 'Ada' },
    })
    const host = await connect('/api/live', { as: galley.as.session })
    const owner = await follower(id, galley.as.session)
    const ada = await follower(id, guest.as, guest)
    ada.say({ name: 'Ada' })
    const names = () => [owner.people(), host.people()?.map(({ name }) => name)]
    await soon(() => expect(names()).toEqual([[`${galley.user.name} (owner)`, 'Ada'], ['Ada']]))
    const { data } = await galley.call('GET', `/api/documents/${id}/guests`, { as: galley.as.owner })
    const call = (name: string | null) =>
      galley.call('PATCH', `/api/documents/${id}/guests/${(data as { id: string }[])[0]!.id}`, {
        as: galley.as.owner,
        json: { name },
      })
    await call('Countess')
    await soon(() => expect(names()).toEqual([[`${galley.user.name} (owner)`, 'Countess'], ['Countess']]))
    await call(null)
    await soon(() => expect(names()).toEqual([[`${galley.user.name} (owner)`, 'Ada'], ['Ada']]))
  })

  it('see who else does, under the names they give themselves, and in colours of their own', async () => {
    const { id } = await galley.newDocument({ content: 'One.\n' })
    const owner = await follower(id, galley.as.session)
    const [one, other] = [await knownGuest(id), await knownGuest(id)]
    const [ada, ben] = [await follower(id, one.as, one), await follower(id, other.as, other)]
    ada.say({ name: 'Ada' })
    ben.say({ name: 'Ben' })
    for (const somebody of [owner, ada, ben])
      await soon(() => expect(somebody.people()).toEqual([`${galley.user.name} (owner)`, 'Ada', 'Ben']))
    expect(new Set(owner.last('people')!.people.map(({ colour }) => colour)).size).toBe(3)
    expect(owner.last('people')!.people.map((person) => person.id)).toEqual([owner.you, ada.you, ben.you])
    ada.socket.close()
    await soon(() => expect(ben.people()).toEqual([`${galley.user.name} (owner)`, 'Ben']))
    ben.say({ name: 'Ben \ud83d' })
    await soon(() => expect(owner.people()).toEqual([`${galley.user.name} (owner)`, 'Ben \ufffd']))
    expect(JSON.stringify(ben.heard)).not.toContain(ada.client)
  })

  it('see nobody, and are seen by nobody but the owner, by a link that hides people', async () => {
    const { id } = await galley.newDocument({ content: 'One.\n' })
    const owner = await follower(id, galley.as.session)
    const [one, other] = [await knownGuest(id), await knownGuest(id)]
    const [ada, ben] = [await follower(id, one.as, one), await follower(id, other.as, other)]
    ada.say({ name: 'Ada' })
    ben.say({ name: 'Ben' })
    await soon(() => expect(ada.people()).toEqual([`${galley.user.name} (owner)`, 'Ada', 'Ben']))
    const link = galley.store.shareLinks.findValid(one.as.token)!
    const change = await galley.call('PATCH', `/api/documents/${id}/share?link_id=${link.id}`, {
      as: galley.as.owner,
      json: { hides_people: true },
    })
    expect(change.data).toMatchObject({ hides_people: true, permission: 'edit' })
    await soon(() => {
      expect(owner.people()).toEqual([`${galley.user.name} (owner)`, 'Ada', 'Ben'])
      expect(ada.people()).toEqual([`${galley.user.name} (owner)`])
      expect(ben.people()).toEqual([`${galley.user.name} (owner)`, 'Ben'])
    })
    const before = ada.heard.length
    ben.say({ type: 'cursor', revision: 1, at: { anchor: 1, head: 1 } })
    const steps: PushedSteps = { put: [[0, 5, 1]], taken: [], undone: [], redone: [] }
    ben.push(1, [[0, 'Ben. '], 5], 'Ben', steps)
    await soon(() => expect(ada.updates()).toMatchObject([{ revision: 2, author: null }]))
    expect(owner.updates()).toMatchObject([{ revision: 2, author: 'Ben', steps }])
    // Steps say which changes are of one person.
    expect(ada.updates()[0]).not.toHaveProperty('steps')
    // Nor are others told who writes by such a link.
    ada.push(2, [[0, 'Ada. '], 10], 'Ada')
    await soon(() => expect(ben.updates().at(-1)).toMatchObject({ revision: 3, author: null }))
    const asked = (as: TestCredentials) => galley.call('GET', `/api/documents/${id}/changes?since=2`, { as })
    expect((await asked(other.as)).data).toMatchObject({ updates: [{ author: null }] })
    expect((await asked(galley.as.owner)).data).toMatchObject({ updates: [{ author: 'Ada' }] })
    expect(JSON.stringify(ada.heard.slice(before))).not.toContain('Ben"')
    const listed = await galley.call('GET', `/api/documents/${id}/changes?since=1`, { as: one.as })
    expect(listed.data.updates).toMatchObject([{ author: null }, { author: null }])
  })

  it('are none of those who may only read, though they have an account’s key', async () => {
    const { id } = await galley.newDocument({ content: 'One.\n' })
    const reader = await connect(liveUrl(id), { as: galley.as.reader })
    const owner = await follower(id, galley.as.session)
    reader.socket.send(JSON.stringify({ type: 'follow', since: 1, client: 'r'.repeat(16) }))
    owner.push(1, [[0, 'Two. '], 5])
    await soon(() => expect(reader.changes()).toContain('content'))
    expect(reader.heard.map(({ type }) => type)).not.toContain('following')
    expect(owner.people()).toEqual([`${galley.user.name} (owner)`])
  })

  it('are those who may only suggest, too, who are told all but who has made it, and can push nothing', async () => {
    const { id } = await galley.newDocument({ content: 'One.\n' })
    const made = await galley.call('POST', `/api/documents/${id}/share`, {
      as: galley.as.owner,
      json: { permission: 'edit', suggest_only: true },
    })
    const { token } = made.data as { token: string }
    const headers = { cookie: `galley_guest=${String(clients++).padStart(32, '0')}` }
    const ada = await follower(id, { token }, { on: 'share', headers })
    const owner = await follower(id, galley.as.session)
    owner.push(1, [[0, 'Two. '], 5])
    await soon(() => expect(ada.updates()).toMatchObject([{ revision: 2, changes: [[0, 'Two. '], 5] }]))
    const nobody = { by: null, author: null, author_kind: null, key_name: null }
    expect(ada.updates()).toMatchObject([nobody])
    await soon(() => expect(owner.updates()).toMatchObject([{ by: owner.you, author: galley.user.name }]))
    // The same as by HTTP.
    const { data: listed } = await galley.call('GET', `/api/documents/${id}/changes?since=1`, {
      as: { token },
      on: 'share',
    })
    expect(listed.updates).toMatchObject([{ author: null, author_kind: null, key_name: null }])
    const number = ada.push(2, [[0, 'Three. '], 10])
    await soon(() => expect(ada.last('refused')).toMatchObject({ number }))
    const { data } = await galley.call('GET', `/api/documents/${id}`, { as: galley.as.owner })
    expect(data).toMatchObject({ content: 'Two. One.\n' })
  })

  it('see where the others are, also who comes later, and after changes', async () => {
    const { id } = await galley.newDocument({ content: 'One. Two.\n' })
    const owner = await follower(id, galley.as.session)
    const guest = await knownGuest(id)
    const ada = await follower(id, guest.as, guest)
    ada.say({ type: 'cursor', revision: 1, at: { anchor: 5, head: 8 } })
    const at = (place: { anchor: number; head: number } | null) => ({
      cursors: [{ person: ada.you, at: place }],
    })
    await soon(() =>
      expect(owner.last('cursors')).toMatchObject({ revision: 1, ...at({ anchor: 5, head: 8 }) }),
    )
    // What is put in before moves it; a place that is told in the text before is brought over what came since.
    await write(id, 'Zero. One. Two.\n')
    await soon(() => expect(ada.updates()).toHaveLength(1))
    const late = await follower(id, galley.as.session, { since: 2 })
    await soon(() =>
      expect(late.last('cursors')).toMatchObject({ revision: 2, ...at({ anchor: 11, head: 14 }) }),
    )
    ada.say({ type: 'cursor', revision: 1, at: { anchor: 3, head: 3 } })
    await soon(() =>
      expect(owner.last('cursors')).toMatchObject({ revision: 2, ...at({ anchor: 9, head: 9 }) }),
    )
    ada.say({ type: 'cursor', revision: 2, at: { anchor: 4_000, head: 9_007_199_254_740_991 } })
    await soon(() => expect(owner.last('cursors')).toMatchObject(at({ anchor: 16, head: 16 })))
    ada.say({ type: 'cursor', revision: 2, at: null })
    await soon(() => expect(owner.last('cursors')).toMatchObject(at(null)))
  })

  it('are one where the same client comes again', async () => {
    const { id } = await galley.newDocument({ content: 'One.\n' })
    const owner = await follower(id, galley.as.session)
    const again = await connect(liveUrl(id), { as: galley.as.session })
    again.socket.send(JSON.stringify({ type: 'follow', since: 1, client: owner.client }))
    await soon(() => expect(again.heard.some(({ type }) => type === 'people')).toBe(true))
    owner.socket.close()
    await owner.closed
    await write(id, 'Two.\n')
    await soon(() => expect(again.heard.some(({ type }) => type === 'updates')).toBe(true))
    const people = again.heard.findLast((one) => one.type === 'people')
    expect(people).toMatchObject({ people: [{ id: owner.you }] })
  })
})

describe('who asks by HTTP, where no connection comes through', () => {
  type Listed = { revision: number; presence?: Presence }
  /** Somebody who waits for changes, and says where they are. */
  function poller(id: string, more: Dialling & { as: TestCredentials }) {
    const client = `poller-${String(clients++).padStart(16, '0')}`
    let last: Listed = { revision: 1 }
    const ask = async (query: Record<string, string | number> = {}) => {
      const said = { since: last.revision, client, presence: last.presence?.number ?? 0, ...query }
      const search = new URLSearchParams(Object.entries(said).map(([key, value]) => [key, String(value)]))
      const { data, status } = await galley.call('GET', `/api/documents/${id}/changes?${search}`, more)
      expect(status).toBe(200)
      last = data as Listed
      return last.presence
    }
    return { ask, last: () => last }
  }
  const names = (presence: Presence | undefined) => presence?.people.map(({ name }) => name)

  it('sees the others and is seen by them, where each is, and is gone when the link lets them only read', async () => {
    const { id } = await galley.newDocument({ content: 'One. Two.\n' })
    const owner = await follower(id, galley.as.session)
    owner.say({ type: 'cursor', revision: 1, at: { anchor: 5, head: 8 } })
    const guest = await knownGuest(id)
    const ada = poller(id, guest)
    const place = { anchor: 2, head: 3, name: 'Ada \u202e' }
    const wait = { wait: 20 }
    // It ends since there is something to tell, with nothing changed.
    expect(names(await ada.ask({ ...place, ...wait }))).toEqual([galley.user.name, 'Ada'])
    expect(ada.last().presence).toMatchObject({
      revision: 1,
      people: [
        { id: owner.you, isOwner: true },
        { id: ada.last().presence!.you, kind: 'guest' },
      ],
      cursors: [{ person: owner.you, at: { anchor: 5, head: 8 } }],
    })
    await ada.ask(place)
    const { you } = ada.last().presence!
    await soon(() => expect(owner.people()).toEqual([`${galley.user.name} (owner)`, 'Ada']))
    await soon(() =>
      expect(owner.last('cursors')).toMatchObject({ cursors: [{ person: you, at: { anchor: 2, head: 3 } }] }),
    )
    // Where somebody goes ends a wait, and is told in the text that comes with it.
    const moved = ada.ask(wait)
    owner.say({ type: 'cursor', revision: 1, at: { anchor: 0, head: 0 } })
    expect((await moved)!.cursors).toContainEqual({ person: owner.you, at: { anchor: 0, head: 0 } })
    await write(id, 'Zero. One. Two.\n')
    expect(await ada.ask()).toMatchObject({ revision: 2 })
    expect(ada.last()).toMatchObject({ revision: 2, updates: [{ revision: 2 }] })

    const link = galley.store.shareLinks.findValid(guest.as.token)!
    const allow = (json: object) =>
      galley.call('PATCH', `/api/documents/${id}/share?link_id=${link.id}`, { as: galley.as.owner, json })
    await allow({ hides_people: true })
    const other = await knownGuest(id)
    const ben = await follower(id, other.as, { ...other, since: 2 })
    ben.say({ name: 'Ben' })
    await soon(() => expect(owner.people()).toEqual([`${galley.user.name} (owner)`, 'Ada', 'Ben']))
    expect(ben.people()).toEqual([`${galley.user.name} (owner)`, 'Ben'])
    expect(names(await ada.ask())).toEqual([galley.user.name])
    await allow({ permission: 'comment' })
    expect(await ada.ask()).toBeUndefined()
    await soon(() => expect(owner.people()).toEqual([`${galley.user.name} (owner)`, 'Ben']))
  })

  it.each([true, false])('is refused as soon as the link is revoked, told of people: %j', async (isTold) => {
    // They are looked at every second besides, which would answer a moment later.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { id } = await galley.newDocument({ content: 'One.\n' })
    const guest = await knownGuest(id)
    const ask = (query: string) =>
      galley.call('GET', `/api/documents/${id}/changes?since=1&client=${'w'.repeat(16)}${query}`, guest)
    const first = (await ask('&presence=0&wait=20')).data as Listed
    const known = isTold ? `&presence=${first.presence!.number}` : ''
    const waiting = ask(`&wait=60${known}`)
    await soon(() => expect(galley.context.feed.waiting()).toBe(1))
    const link = galley.store.shareLinks.findValid(guest.as.token)!
    await galley.call('DELETE', `/api/documents/${id}/share?link_id=${link.id}`, { as: galley.as.owner })
    expect((await waiting).status).toBe(401)
  })

  it('is somebody only where they may follow the text', async () => {
    const { id } = await galley.newDocument()
    const owner = await follower(id, galley.as.session)
    const [reader, script] = [await knownGuest(id, 'comment'), { as: galley.as.reader }]
    for (const one of [poller(id, reader), poller(id, script)])
      for (const _again of [1, 2]) expect(await one.ask({ anchor: 0 })).toBeUndefined()
    expect(owner.people()).toEqual([`${galley.user.name} (owner)`])
  })
})

describe('an agent that is at work', () => {
  const agentKey = (access: KeyAccess = 'edit') => ({
    key: galley.newKey(galley.user.id, access, { name: 'Claude', kind: 'agent' }),
  })
  const seen = ({ last }: Awaited<ReturnType<typeof follower>>) =>
    last('people')?.people.flatMap(({ id, name, agent }) => (agent ? [{ id, name, agent }] : []))
  const placeOf = ({ all }: Awaited<ReturnType<typeof follower>>, id: string) =>
    all('cursors')
      .flatMap(({ cursors }) => cursors)
      .findLast(({ person }) => person === id)?.at
  const get = (id: string, as: TestCredentials) => galley.call('GET', `/api/documents/${id}`, { as })
  const patch = (id: string, content: string, as: TestCredentials) =>
    galley.call('PATCH', `/api/documents/${id}`, { as, json: { content } })

  it('is seen as it reads and writes, where its last change was, by who sees people, and no script is', async () => {
    const { id } = await galley.newDocument({ content: 'One two three.\n' })
    const [hidden, open] = [await knownGuest(id), await knownGuest(id)]
    const [link] = galley.store.shareLinks.list(galley.store.documents.find(id)!.number)
    const hides = link!.token === hidden.as.token ? link! : galley.store.shareLinks.list(link!.document)[1]!
    galley.store.shareLinks.update(hides, { hidesPeople: true })
    const owner = await follower(id, galley.as.session)
    const guest = await follower(id, open.as, open)
    const unseen = await follower(id, hidden.as, hidden)
    const agent = agentKey()
    await get(id, galley.as.reader)
    await get(id, agent)
    await soon(() => expect(seen(owner)).toMatchObject([{ name: 'Claude', agent: 'here' }]))
    await patch(id, 'One two, and three.\n', agent)
    await soon(() => expect(seen(owner)).toMatchObject([{ agent: 'writing' }]))
    const claude = seen(owner)![0]!.id
    const after = 'One two, and'.length
    await soon(() => expect(placeOf(owner, claude)).toEqual({ anchor: after, head: after }))
    // From there it moves with the text.
    await write(id, 'At first: One two, and three.\n')
    await soon(() => expect(owner.updates()).toHaveLength(2))
    await soon(() => expect(seen(guest)).toMatchObject([{ id: claude, name: 'Claude' }]))
    expect(seen(unseen)).toEqual([])

    const suggesting = agentKey('suggest')
    const start = 'At first: One two, and '.length
    const anchor = { exact: 'three', prefix: 'and ', suffix: '.', start, revision: 3 }
    await galley.newSuggestion(id, suggesting, { original_text: 'three', suggested_text: 'four', anchor })
    await soon(() => expect(seen(owner)).toHaveLength(2))
    const other = seen(owner)!.find((one) => one.id !== claude)!
    await soon(() =>
      expect(placeOf(owner, other.id)).toEqual({ anchor: start, head: start + 'three'.length }),
    )
  })

  it('is found where it was by who comes a little later', async () => {
    const { id } = await galley.newDocument({ content: 'One two three.\n' })
    const agent = agentKey()
    await patch(id, 'One two, and three.\n', agent)
    await write(id, '1. One two, and three.\n')
    const late = await follower(id, galley.as.session, { since: 3 })
    await soon(() => expect(seen(late)).toMatchObject([{ name: 'Claude', agent: 'writing' }]))
    const at = '1. One two, and'.length
    await soon(() => expect(placeOf(late, seen(late)![0]!.id)).toEqual({ anchor: at, head: at }))
  })

  it('is seen by the name that its program gives, where it has come by a link', async () => {
    const { id } = await galley.newDocument()
    const token = await galley.newToken(id, 'comment')
    const [link] = galley.store.shareLinks.list(galley.store.documents.find(id)!.number)
    galley.store.shareLinks.update(link!, { allowsAgents: true })
    const owner = await follower(id, galley.as.session)
    await connectByHttp(galley, { on: 'share', path: `/share/${token}/mcp`, name: 'Codex' }).then((agent) =>
      agent.does('read', { document: id }),
    )
    await soon(() => expect(seen(owner)).toMatchObject([{ name: 'Codex', agent: 'here' }]))
  })

  it('is itself where it follows the text with a key, once, and never the owner; so is a script', async () => {
    const { id } = await galley.newDocument({ content: 'One two three.\n' })
    const open = await knownGuest(id)
    const owner = await follower(id, galley.as.session)
    const guest = await follower(id, open.as, open)
    const script = { key: galley.newKey(galley.user.id, 'edit', { name: 'Nightly' }) }
    const suggesting = agentKey('suggest')
    const [agent, nightly] = [await follower(id, suggesting), await follower(id, script)]
    const hers = { name: galley.user.name, kind: 'person', isOwner: true }
    const its = { id: agent.you, name: 'Claude', kind: 'agent', isOwner: false, agent: 'here' }
    const all = [hers, { kind: 'guest' }, its, { name: 'Nightly', kind: 'script', isOwner: false }]
    for (const somebody of [owner, guest, agent])
      await soon(() => {
        expect(somebody.last('people')?.people).toMatchObject(all)
      })
    agent.say({ type: 'cursor', revision: 1, at: { anchor: 3, head: 3 } })
    nightly.push(1, [14, [1, '', '']])
    await soon(() => expect(placeOf(guest, agent.you!)).toEqual({ anchor: 3, head: 3 }))
    await soon(() => expect(guest.updates()).toHaveLength(1))
    // What it does beside that is the same one’s, there, and once it has left.
    const anchor = { exact: 'three', prefix: 'two ', suffix: '.', start: 8, revision: 2 }
    await galley.newSuggestion(id, suggesting, { original_text: 'three', suggested_text: 'four', anchor })
    await soon(() => expect(seen(guest)).toMatchObject([{ id: agent.you, agent: 'writing' }]))
    agent.socket.close()
    await soon(() => {
      expect(seen(owner)).toMatchObject([{ name: 'Claude' }])
      expect(seen(owner)![0]!.id).not.toBe(agent.you)
    })
  })
})
