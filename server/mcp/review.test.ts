import { expect, test } from 'vitest'
import { createTestGalley } from '../testing/galley.ts'
import { connectAgent } from './testing/agent.ts'

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
