import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { coloursOfPeople } from '../../contract/colours.ts'
import type { Comment } from '../../contract/records/comments.ts'
import type { Guest } from '../../contract/records/guests.ts'
import type { Suggestion } from '../../contract/records/suggestions.ts'
import type { History, VersionSummary } from '../../contract/records/versions.ts'
import { createTestGalley, type TestCredentials, type TestGalley } from '../../testing/galley.ts'
import { dials, liveUrl } from '../../testing/live.ts'

let galley: TestGalley
let owner: TestCredentials
let id: string
let token: string
let connect: Awaited<ReturnType<typeof dials>>['connect']
beforeEach(async () => {
  galley = await createTestGalley({ live: { check: 30, ping: 60_000 } })
  owner = galley.as.session
  ;({ connect } = await dials(galley))
  ;({ id, token } = await shared())
})
afterEach(() => galley.close())

async function shared() {
  const { data } = await galley.call('POST', '/api/documents', {
    as: galley.as.session,
    json: { title: 'T', content: 'A galley proof.\n' },
  })
  const { id } = data as { id: string }
  return { id, token: await galley.newToken(id, 'edit') }
}
const guest = (n: number, by = token): TestCredentials => ({ token: by, guest: String(n).padStart(32, '0') })

const ask = async <T>(method: string, rest: string, as: TestCredentials, json?: object, of = id) =>
  (await galley.call(method, `/api/documents/${of}/${rest}`, { as, ...(json ? { json } : {}) })).data as T
const comment = (as: TestCredentials, of = id) => ask<Comment>('POST', 'comments', as, { body: 'Hm.' }, of)
const suggest = (as: TestCredentials, original_text: string, author_name = 'Guest') =>
  ask<Suggestion>('POST', 'suggestions', as, { original_text, suggested_text: 'page', author_name })
const colour = ({ author_colour }: { author_colour?: number }) => author_colour

/** Somebody who has the text open: in which colours they see whom. */
async function present(as: TestCredentials, cookie?: string) {
  const { heard, socket } = await connect(liveUrl(id), {
    ...{ as, on: as.token === undefined ? 'owner' : 'share' },
    ...(cookie === undefined ? {} : { headers: { cookie } }),
  })
  const client = `colours-${Math.random().toString(36).slice(2).padEnd(16, '0')}`
  socket.send(JSON.stringify({ type: 'follow', since: 1, client }))
  const people = () => heard.filter((one) => one.type === 'people').at(-1)
  const you = () => heard.find((one) => one.type === 'following')?.you
  const own = () => people()?.people.find((one) => one.id === you())?.colour
  await vi.waitFor(() => expect(own()).toBeTypeOf('number'), { timeout: 5_000 })
  return { client, socket, own, seen: () => people()!.people.map((one) => one.colour) }
}
const cookieOf = ({ guest }: TestCredentials) => `galley_guest=${guest}`

it('is one for each person, in what they say, suggest and write, in the history and where they are', async () => {
  const [ada, ben] = [guest(1), guest(2)]
  const colours = await Promise.all(
    [comment(owner), comment(ada), comment(ben)].map(async (one) => colour(await one)),
  )
  expect(new Set(colours).size).toBe(3)
  const [ofOwner, ofAda, ofBen] = colours
  const suggested = await suggest(ada, 'galley', 'Ada')
  expect(colour(suggested)).toBe(ofAda)
  await ask('POST', `suggestions/${suggested.id}/accept`, owner)
  await galley.call('PATCH', `/api/documents/${id}`, {
    as: ben,
    json: { content: 'A page, proof.\n', author_name: 'Ben' },
  })
  const { entries } = await ask<History>('GET', 'history', owner)
  expect(entries.map(colour)).toEqual([ofOwner, ofOwner, ofBen])
  expect(entries[1]!.suggesters.map(colour)).toEqual([ofAda])
  const versions = await ask<VersionSummary[]>('GET', 'versions', owner)
  expect(versions.map(colour)).toEqual([ofBen, ofOwner, ofOwner])
  for (const [as, of, cookie] of [
    [galley.as.session, ofOwner, undefined],
    [ada, ofAda, cookieOf(ada)],
    [ben, ofBen, cookieOf(ben)],
  ] as const)
    expect((await present(as, cookie)).own()).toBe(of)
  // For everybody alike.
  for (const as of [owner, ada, ben])
    expect((await ask<Comment[]>('GET', 'comments', as)).map(colour)).toEqual(colours)
  const replied = await ask<Comment>('POST', `suggestions/${(await suggest(ben, 'proof')).id}/replies`, ada, {
    body: 'Yes',
  })
  expect(colour(replied)).toBe(ofAda)
})

it('is a key’s own, and a person’s whatever they come by', async () => {
  const { data } = await galley.call('POST', '/api/keys', {
    as: owner,
    json: { name: 'Claude', kind: 'agent' },
  })
  const agent = { key: (data as { key: string }).key }
  const ofAgent = colour(await comment(agent))
  const byKey = colour(await comment(galley.as.owner))
  const inPerson = colour(await comment(owner))
  expect(new Set([ofAgent, byKey, inPerson]).size).toBe(3)
  expect(inPerson).toBe(0)
  expect(colour(await comment(agent))).toBe(ofAgent)
})

it('is chosen in each document by itself, and goes with it', async () => {
  const other = await shared()
  for (let n = 1; n <= 7; n++) await comment(guest(n))
  await comment(guest(1, other.token), other.id)
  const rows = galley.store.db.prepare('SELECT count(*) FROM colours').pluck()
  expect(rows.get()).toBe(8)
  await galley.call('DELETE', `/api/documents/${other.id}`, { as: owner })
  expect(rows.get()).toBe(7)
})

it('is given again only once all are, and none is the owner’s', async () => {
  const colours = []
  for (let n = 0; n < 14; n++) colours.push(colour(await comment(guest(n))))
  const others = Array.from({ length: coloursOfPeople - 1 }, (_, n) => n + 1)
  expect(colours.slice(0, 7).toSorted()).toEqual(others)
  expect(colours.slice(7).toSorted()).toEqual(others)
  expect(colour(await comment(galley.as.session))).toBe(0)
})

it('is stored only once somebody writes, and then is the one that others saw them in', async () => {
  const stored = () => galley.store.db.prepare('SELECT count(*) FROM colours').pluck().get()
  const before = stored()
  const [ada, ben] = [guest(1), guest(2)]
  const [one, other] = [await present(ada, cookieOf(ada)), await present(ben, cookieOf(ben))]
  expect(one.own()).not.toBe(other.own())
  expect(stored()).toBe(before)
  expect(colour(await comment(ben))).toBe(other.own())
  expect(colour(await suggest(ada, 'galley'))).toBe(one.own())
})

it('is the one that others saw a page in whose guest was not known until they wrote', async () => {
  const one = await present({ token })
  const json = {
    base: 1,
    hash: undefined,
    client: one.client,
    number: 1,
    changes: [[0, 'Oh. '], 16],
    author_name: 'Ada',
  }
  await galley.call('POST', `/api/documents/${id}/changes`, { as: { token }, json })
  const { entries } = await ask<History>('GET', 'history', owner)
  expect(colour(entries.at(-1)!)).toBe(one.own())
})

it('goes with all that a guest has said, unless something of theirs is left', async () => {
  const stored = galley.store.db.prepare('SELECT person FROM colours WHERE person GLOB ?').pluck()
  const [ada, ben] = [guest(1), guest(2)]
  await comment(ada)
  await comment(ben)
  await galley.call('PATCH', `/api/documents/${id}`, { as: ben, json: { content: 'A page.\n' } })
  expect(stored.all('guest:*')).toHaveLength(2)
  for (const { id: one } of await ask<Guest[]>('GET', 'guests', owner))
    await ask('DELETE', `guests/${one}/feedback`, owner)
  expect(stored.all('guest:*')).toHaveLength(1)
})

it('tells nothing of those who are hidden: others are given colours as if these weren’t there', async () => {
  const hidden = Array.from({ length: 6 }, (_, n) => guest(n))
  for (const as of hidden) await comment(as)
  for (const { id: one } of await ask<Guest[]>('GET', 'guests', owner))
    await ask('PATCH', `guests/${one}`, owner, { hidden: true })
  const seen = []
  for (let n = 10; n < 17; n++) seen.push(colour(await comment(guest(n))))
  expect(new Set(seen).size).toBe(7)
})
