import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { limits } from '../contract/limits.ts'
import { run, runWith, testFolder } from '../testing/cli.ts'

const program = path.join(import.meta.dirname, '../cli.ts')

test('a key that isn’t good is told from what can’t be done', async () => {
  const env = { GALLEY_KEY: 'gally_no' }
  expect(await runWith({ env }, 'mcp', '--data', testFolder())).toMatchObject({ code: 4 })
})

test('an agent that starts “galley mcp” finds what is there, and the command ends with it', async () => {
  const folder = testFolder()
  const key = (await run('key', 'create', '--name', 'Bot', '--data', folder)).out.trim()
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', '--data', folder],
    env: { GALLEY_KEY: key, PATH: process.env['PATH'] ?? '' },
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  const { content } = await client.callTool({ name: 'find', arguments: {} })
  expect(content).toEqual([{ type: 'text', text: expect.stringContaining('no documents yet') }])
  const { pid } = transport
  await client.close()
  expect(() => process.kill(pid!, 0)).toThrow('ESRCH')
}, 120_000)

test.each(['', ' '])('a key that is set to “%s” is no key, and lets nobody do more', async (blank) => {
  const folder = testFolder()
  const refused = { code: 4, error: expect.stringContaining('GALLEY_KEY is set, but empty') as string }
  const typed = { env: { GALLEY_KEY: blank } }
  expect(await runWith(typed, 'mcp', '--data', folder)).toMatchObject(refused)
  expect(await runWith(typed, 'doc', 'list', '--data', folder)).toMatchObject(refused)
  expect(await runWith(typed, 'doc', 'list')).toMatchObject(refused)
})

test('what an agent does without a key is told from what whoever started it does', async () => {
  const folder = testFolder()
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', '--data', folder],
    env: { PATH: process.env['PATH'] ?? '' },
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  const call = async (name: string, args: object) => {
    const { content } = await client.callTool({ name, arguments: { ...args } })
    return JSON.stringify(content)
  }
  const [, document] = /\[([0-9a-f-]{36})\]/.exec(await call('create', { title: 'T', content: 'A cat.' }))!
  const suggestions = [{ find: 'cat', text: 'dog', why: 'Louder.' }]
  await call('suggest', { document, suggestions })
  await call('request_review', { document, wait_seconds: 0 })
  await run('comment', document!, 'From a person.', '--data', folder)
  // What a person says on the command line is news; what it said itself isn’t.
  const news = await call('wait_for_review', { document, wait_seconds: 10 })
  expect(news).toContain('From a person.')
  expect(news).not.toContain('Louder.')
  await call('comment', { document, comments: [{ body: 'From the agent.' }] })
  await client.close()
  const { out } = await run('review', document!, '--list', '--data', folder)
  expect(out).toMatch(/suggestion .*Owner \(by agent\)/)
  expect(out).toMatch(/Owner \(by agent\), .*: From the agent/)
  expect(out).toMatch(/Owner, .*: From a person/)
  expect((await run('doc', 'versions', document!, '--data', folder)).out).toContain('Owner (by agent)')
}, 120_000)

test('a line that is no message is answered so, and the next one all the same', async () => {
  const child = spawn(process.execPath, [program, 'mcp', '--data', testFolder()], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => JSON.parse(String((await lines.next()).value)) as unknown
  child.stdin.write('not json\n\n')
  expect(await next()).toMatchObject({ id: null, error: { code: -32_700 } })
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'é\u2028', version: '1' },
  }
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'initialize', params })}\n`)
  expect(await next()).toMatchObject({ id: 7, result: { serverInfo: { name: 'galley' } } })
  child.kill('SIGTERM')
  await once(child, 'close')
}, 60_000)

test('a text of 10 MiB comes through, and a line that is too long is refused by its id, and the next one isn’t', async () => {
  const child = spawn(process.execPath, [program, 'mcp', '--data', testFolder()], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => {
    for (;;) {
      const message = JSON.parse(String((await lines.next()).value)) as { id?: unknown }
      // What has changed is told between.
      if (message.id !== undefined) return message
    }
  }
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`)
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } }
  send({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
  expect(await next()).toMatchObject({ id: 1, result: {} })
  const create = (content: string) => ({
    ...{ method: 'tools/call', params: { name: 'create', arguments: { title: 'Long', content } } },
    ...{ jsonrpc: '2.0', id: 'two' },
  })
  send(create('x'.repeat(limits.contentBytes)))
  expect(await next()).toMatchObject({
    ...{ id: 'two', result: { content: [{ text: expect.stringContaining('Created') as string }] } },
  })
  send(create('x'.repeat(limits.mcpBodyBytes)))
  expect(await next()).toMatchObject({
    ...{ id: 'two', error: { message: expect.stringContaining('60 MiB at most') as string } },
  })
  send({ jsonrpc: '2.0', id: 3, method: 'ping' })
  expect(await next()).toMatchObject({ id: 3, result: {} })
  child.stdin.end()
  expect(await once(child, 'close')).toEqual([0, null])
}, 60_000)

test('listens only to what there is, by the newer protocol', async () => {
  const child = spawn(process.execPath, [program, 'mcp', '--data', testFolder()], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => JSON.parse(String((await lines.next()).value)) as unknown
  const info = 'io.modelcontextprotocol'
  const _meta = {
    ...{ [`${info}/protocolVersion`]: '2026-07-28', [`${info}/clientCapabilities`]: {} },
    [`${info}/clientInfo`]: { name: 'Newer', version: '1' },
  }
  const listen = (id: number, notifications: object) =>
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: { notifications, _meta } })}\n`,
    )
  listen(1, { resourceSubscriptions: ['galley://documents/nope'] })
  expect(await next()).toMatchObject({ id: 1, error: { data: { uri: 'galley://documents/nope' } } })
  listen(2, { resourcesListChanged: true })
  expect(await next()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' })
  child.stdin.end()
  expect(await once(child, 'close')).toEqual([0, null])
}, 60_000)
