import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EventRecord } from '../../contract/records/events.ts'
import type { Round } from '../../contract/records/rounds.ts'
import { createTestGalley, type TestCredentials, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
let as: TestCredentials
let id: string
let token: string
beforeEach(async () => {
  galley = await createTestGalley()
  as = galley.as.owner
  id = (await galley.newDocument({ content: 'A proof.\n' })).id
  token = await galley.newToken(id, 'view')
})
afterEach(() => galley.close())

const rounds = (rest = '') => `/api/documents/${id}/rounds${rest}`
const ask = async (json: object = {}) => (await galley.call('POST', rounds(), { as, json })).data as Round
const list = async (by: TestCredentials = as) =>
  (await galley.call('GET', rounds(), { as: by })).data as Round[]
const change = (round: Round, json: object) => galley.call('PATCH', rounds(`/${round.id}`), { as, json })
const finish = (round: Round, json: object, by: TestCredentials = { token }, headers = {}) =>
  galley.call('PATCH', rounds(`/${round.id}/review`), { as: by, json, headers })
const kinds = async () => {
  const answer = await galley.call('GET', '/api/events?since=0&kind=round', { as })
  return (answer.data as EventRecord[]).map(({ kind, subject_id }) => [kind, subject_id])
}
const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0' }

it('is asked for with a note and a date, and shown to whoever comes by a link', async () => {
  const due_at = '2026-04-01T12:00:00.000Z'
  const round = await ask({ note: '  Is it too long? ', due_at })
  expect(round).toMatchObject({ note: 'Is it too long?', due_at, revision: 1, ended_at: null })
  const { links: _links, ...seen } = round
  const asked_by = { ...round.asked_by, mine: false }
  expect(await list({ token })).toEqual([{ ...seen, asked_by, finished_at: null }])
  const past = await galley.call('POST', rounds(), { as, json: { due_at: '2020-01-01T00:00:00Z' } })
  expect(past.message).toContain('due_at')
})

it('runs alone: a new one, or one that is opened again, ends the other', async () => {
  const first = await ask({ note: 'One' })
  galley.clock.now += 1_000
  const second = await ask({ note: 'Two' })
  expect((await list()).map(({ note, ended_at }) => [note, ended_at !== null])).toEqual([
    ['Two', false],
    ['One', true],
  ])
  await change(first, { ended: false })
  expect((await list({ token })).map(({ note }) => note)).toEqual(['One'])
  await change(first, { ended: true })
  await change(first, { ended: true })
  expect(await list({ token })).toEqual([])
  // Those that have ended stay readable.
  expect(await list()).toHaveLength(2)
  expect(await kinds()).toEqual([
    ['round.opened', first.id],
    ['round.ended', first.id],
    ['round.opened', second.id],
    ['round.ended', second.id],
    ['round.reopened', first.id],
    ['round.ended', first.id],
  ])
})

it('counts the links by which somebody is done or can be, and none that has expired', async () => {
  const expiring = async (label: string, after: number) => {
    const expires_at = new Date(galley.clock.now + after).toISOString()
    const json = { permission: 'comment', label, expires_at }
    return (await galley.call('POST', `/api/documents/${id}/share`, { as, json })).data.token as string
  }
  await expiring('before', 1_000)
  galley.clock.now += 2_000
  const done = await expiring('done', 10_000)
  await expiring('during', 10_000)
  await expiring('after', 60_000)
  const round = await ask()
  const labels = async () => (await list())[0]!.links!.map(({ label }) => label)
  expect(await labels()).toEqual(['after', 'during', 'done', null])
  await finish(round, { finished: true, author_name: 'Ada' }, { token: done })
  galley.clock.now += 20_000
  expect(await labels()).toEqual(['after', 'done', null])
  await change(round, { ended: true })
  galley.clock.now += 60_000
  expect(await labels()).toEqual(['after', 'done', null])
})

describe('a reviewer', () => {
  it('says that they are done, and takes it back, as themselves alone', async () => {
    const round = await ask()
    const done = await finish(round, { finished: true, author_name: 'Ada' })
    expect(done.data).toMatchObject({ finished_at: '2026-03-01T09:30:00.000Z' })
    const cookie = { cookie: String(done.headers['set-cookie']).split(';')[0]! }
    await finish(round, { finished: true, author_name: 'Ada' }, { token }, cookie)
    await finish(round, { finished: true, author_name: 'Grace' })
    const names = async () =>
      (await list())[0]!.links!.map(({ finished }) => finished.map(({ name }) => name).sort())
    expect(await names()).toEqual([['Ada', 'Grace']])
    await finish(round, { finished: false }, { token }, cookie)
    expect(await names()).toEqual([['Grace']])
    expect((await kinds()).map(([kind]) => kind)).toEqual([
      'round.opened',
      'round.finished',
      'round.finished',
      'round.resumed',
    ])
  })

  it('learns nothing of others', async () => {
    const round = await ask()
    await finish(round, { finished: true, author_name: 'Ada' })
    const other = await galley.newToken(id, 'edit')
    expect(JSON.stringify(await list({ token: other }))).not.toMatch(/Ada|links/)
    expect((await list({ token }))[0]!.finished_at).toBeNull()
  })

  it('has nothing to finish once it has ended', async () => {
    const round = await ask()
    await change(round, { ended: true })
    expect((await finish(round, { finished: true })).code).toBe('ALREADY_RESOLVED')
  })
})

it('shows which links were opened and read to the end since it began', async () => {
  const open = () => galley.call('GET', `/share/${token}`, { on: 'share', headers: firefox })
  const readToEnd = () =>
    galley.call('POST', `/api/documents/${id}/read`, { as: { token }, on: 'share', headers: firefox })
  const states = async () => {
    galley.context.visits.write()
    return (await list())[0]!.links!.map(({ opened_at, read_at }) => [opened_at !== null, read_at !== null])
  }
  await open()
  galley.clock.now += 60 * 60_000
  await ask()
  expect(await states()).toEqual([[false, false]])
  await open()
  expect(await states()).toEqual([[true, false]])
  galley.clock.now += 60_000
  expect((await readToEnd()).status).toBe(200)
  expect(await states()).toEqual([[true, true]])
})

it('counts a page as opened that was open, or opened again within a visit, once the round stands in it', async () => {
  const open = () => galley.call('GET', `/share/${token}`, { on: 'share', headers: firefox })
  const look = () =>
    galley.call('GET', `/api/documents/${id}/rounds`, { as: { token }, on: 'share', headers: firefox })
  const isOpened = async () => {
    galley.context.visits.write()
    return (await list())[0]!.links!.map(({ opened_at }) => opened_at !== null)
  }
  // Nobody has come by this browser: a script may look.
  await ask()
  await look()
  expect(await isOpened()).toEqual([false])
  await open()
  galley.clock.now += 60_000
  await ask()
  expect(await isOpened()).toEqual([false])
  await look()
  expect(await isOpened()).toEqual([true])
  const visits = async () =>
    (await galley.call('GET', `/api/documents/${id}/share/openings`, { as })).data as unknown[]
  const before = (await visits()).length
  await look()
  await isOpened()
  expect(await visits()).toHaveLength(before)
})

it('has a name, which the version gets that is to be reviewed, unless it has one', async () => {
  const versions = async () =>
    (
      (await galley.call('GET', `/api/documents/${id}/versions`, { as })).data as { name: string | null }[]
    ).map(({ name }) => name)
  const round = await ask({ name: ' Second draft ' })
  expect(round.name).toBe('Second draft')
  expect(await list({ token })).toMatchObject([{ name: 'Second draft' }])
  expect(await versions()).toEqual(['Second draft'])
  await ask({ name: 'Third draft' })
  expect(await versions()).toEqual(['Second draft'])
  expect((await change(await ask(), { name: 'Fourth' })).data).toMatchObject({ name: 'Fourth' })
})

it('tells in the library how many are done, until that was seen', async () => {
  const news = async () =>
    (
      (await galley.call('GET', '/api/documents?details=true', { as })).data as { unseen_reviews: number }[]
    )[0]!.unseen_reviews
  const round = await ask()
  expect(await news()).toBe(0)
  galley.clock.now += 1_000
  await finish(round, { finished: true, author_name: 'Ada' })
  expect(await news()).toBe(1)
  const reviews = new Date(galley.clock.now).toISOString()
  const seen = await galley.call('POST', `/api/documents/${id}/seen`, { as, json: { reviews } })
  expect(seen.data).toEqual({ unseen_feedback: 0, unseen_reviews: 0 })
  expect(await news()).toBe(0)
})
