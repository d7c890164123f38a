import { expect, test } from 'vitest'
import { createTestGalley } from '../testing/galley.ts'
import { connectAgent } from './testing/agent.ts'

async function start() {
  const galley = await createTestGalley()
  const { id: document } = await galley.newDocument({ title: 'On proofs', content: 'A word. Out it goes.' })
  return { galley, document, agent: await connectAgent(galley, galley.as.owner.key) }
}

test('what a tool doesn’t know is refused with what it knows', async () => {
  const { agent, document } = await start()
  expect(await agent.isRefused('read', { document, line: '1' })).toMatch(/“line”.*document, heading, lines/)
  const edits = [{ find: 'word', replace: 'x', text: 'y' }]
  expect(await agent.isRefused('edit', { document, edits })).toMatch(/“replace”.*do, find, heading/)
})

test('nothing long is said back, and one is one', async () => {
  const { agent, document } = await start()
  const long = 'x'.repeat(100_000)
  expect((await agent.does('find', { query: long })).length).toBeLessThan(400)
  expect((await agent.isRefused('read', { document, heading: long })).length).toBeLessThan(400)
  expect(await agent.does('read', { document })).toContain(', 1 line, ')
  await agent.does('share', { document, do: 'create', allows: 'comment' })
  expect(await agent.does('request_review', { document, wait_seconds: 0 })).toContain('1 link, ')
  const mistaken = await agent.isRefused('read', { document, since_revision: 99 })
  expect(mistaken).not.toContain('Nothing was changed')
})

test('a day is taken to its end', async () => {
  const { agent, document, galley } = await start()
  const made = await agent.does('share', { document, do: 'create', allows: 'view', expires_at: '2099-02-03' })
  expect(made).toContain('until 2099-02-03T23:59:59')
  await agent.does('request_review', { document, due_at: '2099-02-03', wait_seconds: 0 })
  const { data } = await galley.call('GET', `/api/documents/${document}/rounds`, { as: galley.as.owner })
  expect(data[0].due_at).toMatch(/^2099-02-03T23:59:59/)
})

test('what was half done is a failure that says what was done', async () => {
  const { agent, document, galley } = await start()
  const { id } = await galley.newSuggestion(document, galley.as.owner, { original_text: 'word' })
  const { id: comment } = await galley.newComment(document)
  expect(await agent.isRefused('resolve', { document, as: 'resolve', ids: [comment, id] })).toMatch(
    /Resolved \[.*\]\n.*is a suggestion: it is settled with “as”: “accept”/,
  )
  expect(await agent.isRefused('resolve', { document, as: 'accept', ids: [id, comment] })).toMatch(
    /is accepted\.\n.*is no suggestion/,
  )
})

test('a resource that isn’t there is said not to be, whether it is read or followed', async () => {
  const { agent } = await start()
  const missing = 'galley://documents/5f0c9b1e-0000-4000-8000-000000000000'
  for (const uri of [missing, `${missing}/feedback`, 'galley://elsewhere'])
    for (const asked of [agent.client.readResource({ uri }), agent.client.subscribeResource({ uri })])
      await expect(asked).rejects.toMatchObject({
        code: -32_602,
        message: expect.stringMatching(/not found/i),
      })
})
