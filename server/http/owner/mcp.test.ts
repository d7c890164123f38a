import { expect, test } from 'vitest'
import { limits } from '../../contract/limits.ts'
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
  const long = { ...hello, params: { ...hello.params, x: 'x'.repeat(limits.mcpBodyBytes) } }
  expect(await galley.call('POST', '/mcp', { as: key, json: long, headers: accept })).toMatchObject({
    status: 413,
    text: expect.stringContaining('60 MiB') as string,
  })
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

test('however much waits by one key, it is answered what doesn’t wait, and so are others', async () => {
  const galley = await createTestGalley()
  const { id: document } = await galley.newDocument({ content: 'A galley goes out.' })
  const connect = () => connectByHttp(galley, { headers: bearer(galley.newKey(galley.user.id)) })
  const [agent, other] = [await connect(), await connect()]
  const waits = Array.from({ length: limits.mcpKeyWaits }, () =>
    agent.does('wait_for_review', { document, wait_seconds: 50 }),
  )
  const isWaiting = async (count: number) => {
    while (galley.context.feed.waiting() < count) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await isWaiting(waits.length)
  expect(await agent.isRefused('wait_for_review', { document })).toMatch(/RATE_LIMITED.*Too many.*wait/)
  // What it did before is told with it.
  const asked = await agent.isRefused('request_review', { document, wait_seconds: 50 })
  expect(asked).toMatch(/^The round is open\.[^]*RATE_LIMITED/)
  expect(await agent.does('find')).toContain(document)
  expect((await agent.client.listTools()).tools).not.toEqual([])
  expect(await (await connect()).does('wait_for_review', { document, wait_seconds: 0 })).toContain('Next')
  waits.push(other.does('wait_for_review', { document, wait_seconds: 50 }))
  await isWaiting(waits.length)
  await galley.newComment(document, { token: await galley.newToken(document, 'comment') })
  for (const answer of waits) expect(await answer).toContain('Is this right?')
  await galley.close()
})

test('listens only to what there is, by the newer protocol', async () => {
  const galley = await createTestGalley()
  const { id } = await galley.newDocument()
  const info = 'io.modelcontextprotocol'
  const _meta = {
    ...{ [`${info}/protocolVersion`]: '2026-07-28', [`${info}/clientCapabilities`]: {} },
    [`${info}/clientInfo`]: { name: 'Newer', version: '1' },
  }
  const listen = (resourceSubscriptions: string[]) =>
    galley.call('POST', '/mcp', {
      as: galley.as.owner,
      headers: { ...accept, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
      json: {
        ...{ jsonrpc: '2.0', id: 'a', method: 'subscriptions/listen' },
        params: { notifications: { resourceSubscriptions }, _meta },
      },
    })
  const there = `galley://documents/${id}`
  for (const uri of ['galley://documents/nope', 'https://elsewhere.example'])
    expect(JSON.parse((await listen([there, uri])).text)).toMatchObject({ id: 'a', error: { data: { uri } } })
  const { feed } = galley.context
  const { follow } = feed
  const listening = listen([there])
  await new Promise<void>((resolve) => {
    feed.follow = (hear) => {
      resolve()
      return follow(hear)
    }
  })
  await galley.apps.owner.close()
  expect((await listening).text).toContain(`"resourceSubscriptions":["${there}"]`)
  await galley.close()
})

test('a text may come as long as by the interface, and what can’t be stored is an answer of the tool', async () => {
  const galley = await createTestGalley()
  const { id } = await galley.newDocument({ content: 'A galley.' })
  const agent = await connectByHttp(galley, { headers: bearer(galley.as.owner.key) })
  // As programs send it that write all but ASCII as escapes.
  const content = '\u0001'.repeat(limits.contentBytes / 4)
  expect(await agent.does('create', { title: 'Long', content })).toContain('Created')
  const tooLong = { title: 'Too long', content: 'x'.repeat(limits.contentBytes + 1) }
  expect(await agent.isRefused('create', tooLong)).toContain('PAYLOAD_TOO_LARGE')
  const long = { ...hello, params: { ...hello.params, x: 'x'.repeat(limits.mcpLongBytes) } }
  const ask = () => galley.call('POST', '/mcp', { as: galley.as.owner, json: long, headers: accept })
  const all = await Promise.all(Array.from({ length: limits.mcpKeyLong + 1 }, ask))
  expect(all.map(({ status }) => status).sort()).toEqual([...Array(limits.mcpKeyLong).fill(200), 429])
  const half = { document: id, edits: [{ find: 'galley', text: 'half \ud83d' }] }
  expect(await agent.isRefused('edit', half)).toContain('VALIDATION_ERROR: The text holds half a character')
  expect(galley.store.documents.find(id)!.text.whole).toBe('A galley.')
  await galley.close()
})
