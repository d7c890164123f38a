import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { liveCodes, type LiveMessage, type LiveSaying } from '../contract/live.ts'
import { createTestGalley, type TestGalley } from '../testing/galley.ts'
import { dials, liveUrl } from '../testing/live.ts'

let galley: TestGalley
beforeEach(async () => {
  // As often as ever, so that it isn't the asking that ends a connection.
  galley = await createTestGalley({ live: { check: 60_000, ping: 60_000 } })
})
afterEach(() => galley.close())

const soon = (assertion: () => void) => vi.waitFor(assertion, { timeout: 5_000, interval: 5 })

it('stopped and started again, links open as before, and nothing that was open by them lives on, on either listener', async () => {
  const { connect, refusal } = await dials(galley)
  const { id } = await galley.newDocument({ content: 'One.\n' })
  const revoked = await galley.newToken(id, 'edit')
  const [old] = galley.store.shareLinks.list(galley.store.documents.find(id)!.number)
  const as = galley.as.owner
  const token = await galley.newToken(id, 'edit')
  await galley.call('DELETE', `/api/documents/${id}/share?link_id=${old!.id}`, { as })
  const set = (stopped: boolean) => galley.call('PATCH', '/api/sharing', { as, json: { stopped } })
  const write = (content: string) => galley.call('PATCH', `/api/documents/${id}`, { as, json: { content } })
  const told = (heard: readonly LiveMessage[]) =>
    heard.flatMap((one) => (one.type === 'updates' || one.type === 'following' ? one.updates : []))
  const editor = async (on: 'owner' | 'share', since: number) => {
    const headers = { cookie: `galley_guest=${on.padEnd(32, '0').replaceAll(/[^0-9a-f]/g, 'a')}` }
    const made = await connect(liveUrl(id), { as: { token }, on, headers })
    const say = (saying: LiveSaying) => made.socket.send(JSON.stringify(saying))
    say({ type: 'follow', since, client: `editor-on-${on}-0000000000` })
    await soon(() => expect(made.heard.some(({ type }) => type === 'following')).toBe(true))
    return { ...made, say }
  }
  const listeners = ['owner', 'share'] as const
  const owner = await connect('/api/live', { as: galley.as.session })
  const before = await Promise.all(listeners.map((on) => editor(on, 1)))
  before[0]!.say({ type: 'push', base: 1, number: 1, changes: [5, [0, 'Two.']], author_name: 'Ada' })
  await soon(() => expect(before.map(({ heard }) => told(heard).length)).toEqual([1, 1]))
  const waits = listeners.map((on) =>
    galley.call('GET', `/api/documents/${id}/changes?since=2&wait=30`, { as: { token }, on }),
  )
  await soon(() => expect(galley.context.feed.waiting()).toBe(2))

  expect((await set(true)).status).toBe(200)
  await write('Secret.\n')
  await write('One.\nTwo.')
  expect(await Promise.all(before.map(({ closed }) => closed))).toEqual([
    liveCodes.unauthorized,
    liveCodes.unauthorized,
  ])
  expect((await Promise.all(waits)).map(({ status }) => status)).toEqual([401, 401])
  for (const on of listeners) {
    expect(await refusal(liveUrl(id), { as: { token }, on })).toEqual([401, 'UNAUTHORIZED'])
    expect((await galley.call('GET', `/api/documents/${id}`, { as: { token }, on })).status).toBe(401)
  }
  await soon(() => expect(owner.people()).toEqual([]))

  galley.clock.now += 1_000
  expect((await set(false)).status).toBe(200)
  await write('One.\nTwo.\nThree.')
  for (const on of listeners) {
    expect(await refusal(liveUrl(id), { as: { token: revoked }, on })).toEqual([401, 'UNAUTHORIZED'])
    expect((await galley.call('GET', `/api/documents/${id}`, { as: { token: revoked }, on })).status).toBe(
      401,
    )
    expect((await galley.call('GET', `/api/documents/${id}`, { as: { token }, on })).status).toBe(200)
  }
  // Nobody is there again who hasn't come again, and nothing that was said meanwhile is told.
  expect(owner.people()).toEqual([])
  const { revision } = galley.store.documents.find(id)!
  const after = await Promise.all(listeners.map((on) => editor(on, revision)))
  after[1]!.say({ type: 'push', base: revision, number: 2, changes: [16, [0, ' Four.']], author_name: 'Ada' })
  await soon(() => expect(after.map(({ heard }) => told(heard).length)).toEqual([1, 1]))
  expect(before.map(({ heard }) => told(heard).length)).toEqual([1, 1])
  for (const { heard } of [...before, ...after]) expect(JSON.stringify(heard)).not.toContain('Secret')
  expect(galley.store.documents.find(id)!.text.whole).toBe('One.\nTwo.\nThree. Four.')
})
