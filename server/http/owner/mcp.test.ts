import { expect, test } from 'vitest'
import { connectByHttp } from '../../mcp/testing/agent.ts'
import { createTestGalley } from '../../testing/galley.ts'

const hello = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const accept = { accept: 'application/json, text/event-stream' }

test('an agent with a key finds what is there', async () => {
  const galley = await createTestGalley()
  await galley.newDocument({ title: 'On proofs', content: 'A galley goes out for review.' })
  const agent = await connectByHttp(galley, { headers: bearer(galley.as.owner.key) })
  expect((await agent.client.listTools()).tools.map(({ name }) => name)).toContain('find')
  expect(await agent.does('find', { query: 'review' })).toContain('On proofs')
  const stranger = await connectByHttp(galley, { headers: bearer(galley.as.stranger.key) })
  expect(await stranger.does('find')).not.toContain('On proofs')
})

test('nothing but a key lets an agent in, and no page of another’s', async () => {
  const galley = await createTestGalley()
  const { id } = await galley.newDocument()
  const token = await galley.newToken(id, 'edit')
  const ask = (as: object, headers: object = {}, url = '/mcp') =>
    galley.call('POST', url, { as, json: hello, headers: { ...accept, ...headers } })
  const key = galley.as.owner

  for (const as of [{}, galley.as.session, { key: 'gally_wrong' }, { ...galley.as.session, token }]) {
    const { status, headers } = await ask(as)
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer'])
  }
  expect((await ask(key)).status).toBe(200)
  expect((await ask(key, { origin: 'https://elsewhere.example' })).status).toBe(403)
  expect((await ask(key, { host: 'elsewhere.example' })).status).toBe(403)
  expect(
    (await galley.call('POST', '/mcp', { as: key, json: hello, headers: accept, on: 'share' })).status,
  ).toBe(404)
  // There are no sessions to come back to.
  expect((await galley.call('GET', '/mcp', { as: key, headers: accept })).status).toBe(405)
  const long = { ...hello, params: { ...hello.params, x: 'x'.repeat(4 * 1024 * 1024) } }
  expect((await galley.call('POST', '/mcp', { as: key, json: long, headers: accept })).status).toBe(413)
  const deep = `${'{"x":'.repeat(50_000)}1${'}'.repeat(50_000)}`
  const nested = JSON.stringify({ ...hello, method: 'tools/call', params: 'deep' }).replace('"deep"', deep)
  for (const body of [deep, nested])
    expect(await galley.call('POST', '/mcp', { as: key, body, headers: accept })).toMatchObject({
      status: 400,
      text: expect.stringContaining('levels deep') as string,
    })
})

test('says by HTTP that it tells nothing by itself', async () => {
  const galley = await createTestGalley()
  const { client } = await connectByHttp(galley, { headers: bearer(galley.as.owner.key) })
  const no = { listChanged: false }
  expect(client.getServerCapabilities()).toMatchObject({
    ...{ resources: { subscribe: false, ...no }, tools: no, prompts: no },
  })
})
