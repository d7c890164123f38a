import { expect, test, vi } from 'vitest'
import { createTestGalley } from '../testing/galley.ts'
import { connectAgent, connectByHttp } from './testing/agent.ts'

async function start() {
  const galley = await createTestGalley()
  const { id: document } = await galley.newDocument({ title: 'On proofs', content: 'A galley goes out.' })
  const agent = await connectAgent(galley, galley.as.owner.key)
  const token = await galley.newToken(document, 'comment')
  const url = `/api/documents/${document}`
  const say = (body: string) =>
    galley.call('POST', `${url}/comments`, { as: { token }, json: { body, author_name: 'Ada' } })
  const rounds = async () => (await galley.call('GET', `${url}/rounds`, { as: galley.as.owner })).data
  const finish = async () =>
    galley.call('PATCH', `${url}/rounds/${(await rounds())[0].id}/review`, {
      as: { token },
      json: { finished: true, author_name: 'Ada' },
    })
  return { galley, document, agent, url, say, rounds, finish }
}

test('asking again goes on with the round that runs, and tells all that was said since it opened', async () => {
  const { document, agent, say, rounds, finish } = await start()
  await say('Before the round.')
  // An agent whose program gave up has no number to go on from.
  const left = new AbortController()
  const asked = agent.client
    .callTool(
      { name: 'request_review', arguments: { document, note: 'Too long?', wait_seconds: 60 } },
      { signal: left.signal },
    )
    .catch(() => {})
  while ((await rounds()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  left.abort()
  await asked
  await say('Cut the second part.')
  await finish()

  const waited = await agent.does('wait_for_review', { document, wait_seconds: 0 })
  expect(waited).toContain('Cut the second part.')
  const again = await agent.does('request_review', { document, note: 'Still?', wait_seconds: 0 })
  expect(again).toContain('runs already')
  expect(again).toContain('Its note and its day stay as they were (“Too long?”)')
  expect(again).toContain('Cut the second part.')
  expect(again).toMatch(/done: .*Ada/)
  expect(await rounds()).toMatchObject([{ note: 'Too long?', ended_at: null }])

  const other = await agent.does('request_review', { document, new_round: true, wait_seconds: 0 })
  expect(other).toMatch(/ended the round before\..*done: .*Ada/)
  expect(other).toContain('Nothing was said yet.')
  expect(await rounds()).toMatchObject([{ ended_at: null }, { ended_at: expect.any(String) }])
})

test('a wait ends as soon as the document is in the trash', async () => {
  const { galley, document, agent, url } = await start()
  await agent.does('request_review', { document, wait_seconds: 0 })
  const waiting = agent.isRefused('wait_for_review', { document, wait_seconds: 60 })
  while (galley.context.feed.waiting() === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  await galley.call('POST', `${url}/trash`, { as: galley.as.owner })
  expect(galley.context.feed.waiting()).toBe(0)
  expect(await waiting).toContain('NOT_FOUND')
})

/** A guest whom the owner has hidden after their first comment, another guest, and an agent by the same link. */
async function startWithHidden() {
  const started = await start()
  const { galley, document, url } = started
  const { owner } = galley.as
  const token = await galley.newToken(document, 'suggest')
  const { number } = galley.store.documents.find(document)!
  const link = galley.store.shareLinks.list(number).find((one) => one.token === token)!
  galley.store.shareLinks.update(link, { allowsAgents: true })
  const sayAs = async (guest: string, body: string, more: object = {}) =>
    (
      await galley.call('POST', `${url}/comments`, {
        ...{ as: { token, guest: guest.repeat(32) }, json: { body, author_name: guest, ...more } },
      })
    ).data as { id: string }
  const { id: thread } = await sayAs('a', 'Buy my pills.')
  const [troll] = (await galley.call('GET', `${url}/guests`, { as: owner })).data as { id: string }[]
  await galley.call('PATCH', `${url}/guests/${troll!.id}`, { as: owner, json: { hidden: true } })
  const byLink = await connectByHttp(galley, { on: 'share', path: `/share/${token}/mcp` })
  return { ...started, token, sayAs, thread, byLink }
}

test('the owner’s agents are told of hidden guests’ words that they are hidden, and not to answer them', async () => {
  const { galley, document, agent, url, sayAs, thread } = await startWithHidden()
  const { owner } = galley.as
  await sayAs('b', 'Cut this.')
  await galley.call('POST', `${url}/comments`, { as: owner, json: { body: 'No.', parent_id: thread } })
  const uri = `galley://documents/${document}/feedback`
  const open = await agent.does('read', { document, feedback: 'open' })
  const [resource] = (await agent.client.readResource({ uri })).contents
  for (const text of [open, (resource as { text: string }).text]) {
    expect(text).toContain('Cut this.')
    expect(text).not.toMatch(/pills|No\./)
    expect(text).toContain('1 thing of guests whom the writer has hidden is left out')
  }
  const all = await agent.does('read', { document, feedback: 'all' })
  expect(all).toMatch(/“a”, on the whole text, hidden:\n {2}> Buy my pills\./)
  expect(all).toMatch(/“b”, on the whole text:\n/)
  expect(all).toContain('Don’t answer them.')
})

test('words of hidden guests wake nobody who waits, nor those who follow the feedback', async () => {
  const { galley, document, agent, url, token, sayAs, thread, byLink } = await startWithHidden()
  await agent.does('request_review', { document, wait_seconds: 0 })
  const { id: takenBack } = await sayAs('a', 'And more.')
  const as = { token, guest: 'a'.repeat(32) }
  expect((await galley.call('DELETE', `${url}/comments/${takenBack}`, { as })).status).toBe(200)
  for (const one of [agent, byLink])
    expect(await one.does('wait_for_review', { document, wait_seconds: 0 })).toContain(
      'Nothing was said yet.',
    )
  const uri = `galley://documents/${document}/feedback`
  await agent.client.subscribeResource({ uri })
  let updates = 0
  agent.client.setNotificationHandler('notifications/resources/updated', () => void updates++)
  const waits = [agent, byLink].map((one) => one.does('wait_for_review', { document, wait_seconds: 60 }))
  while (galley.context.feed.waiting() < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  await sayAs('a', 'More pills.')
  await sayAs('a', 'In answer to myself.', { parent_id: thread })
  await sayAs('b', 'Cut this.')
  for (const said of await Promise.all(waits)) {
    expect(said).toContain('Cut this.')
    expect(said).not.toMatch(/pills|myself/)
  }
  while (updates === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(updates).toBe(1)
})

test('one call waits less than programs do, whatever it is asked for', async () => {
  const galley = await createTestGalley()
  const { id: document } = await galley.newDocument()
  const agent = await connectAgent(galley, galley.as.owner.key)
  await agent.does('request_review', { document, wait_seconds: 0 })
  let now = performance.now()
  let waited = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  galley.context.feed.next = (_wanted, ms) => {
    now += ms
    waited += ms
    return Promise.resolve(false)
  }
  const answer = await agent.does('wait_for_review', { document, wait_seconds: 3_600 })
  clock.mockRestore()
  expect(Math.round(waited)).toBe(50_000)
  expect(answer).toContain('Next: call “wait_for_review” with')
})
