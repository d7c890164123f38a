import { expect, test } from 'vitest'
import { ApiError } from '../../api/client-of.ts'
import type { ApiClient } from '../../api/client.ts'
import { agentSettings } from './agent-settings.ts'
import { curlExample } from './curl-example.ts'
import { Keys, type WantedKey } from './keys.svelte.ts'

const listed = {
  id: 'one',
  name: 'Nightly backup',
  prefix: 'gally_5d4140',
  kind: 'script' as const,
  access: 'read' as const,
  documents: null,
  created_at: '2026-03-01T09:30:00.000Z',
  last_used_at: null,
  expires_at: null,
}
const wanted: WantedKey = {
  name: 'Nightly backup',
  kind: 'script',
  access: 'read',
  documents: null,
  expiresAt: null,
}
const key = 'gally_5d41402abc4b2a76b9719d911017c592'

function fake() {
  const server = { refusal: null as ApiError | null, sent: [] as unknown[] }
  const call = async (name: string, options?: { body?: unknown }) => {
    server.sent.push(options?.body)
    if (server.refusal) throw server.refusal
    if (name === 'listKeys') return []
    return name === 'createKey' ? { ...listed, key } : { deleted: true }
  }
  return { server, keys: new Keys({ call } as unknown as ApiClient) }
}

test('a new key is shown once and is not kept in the list', async () => {
  const { keys, server } = fake()
  await keys.load()
  expect(await keys.create({ ...wanted, name: '  Nightly backup ' })).toBe(true)
  expect(server.sent.at(-1)).toEqual({
    ...{ name: 'Nightly backup', kind: 'script', access: 'read', documents: null },
    expires_at: null,
  })
  expect(keys.made!.key).toBe(key)
  expect(JSON.stringify(keys.list)).not.toContain(key)
  keys.made = null
  expect(keys.list).toEqual([listed])
})

test('a key that can’t be deleted stays in the list, and it is said that it still works', async () => {
  const { keys, server } = fake()
  await keys.create(wanted)
  server.refusal = new ApiError('DB_ERROR', 500, 'no')
  expect(await keys.remove(keys.list[0]!)).toBe(false)
  expect(keys.list).toHaveLength(1)
  expect(keys.failure).toContain('The key still works')
})

test('the lines for agents are what each of them reads', () => {
  const [code, ...others] = agentSettings('http://127.0.0.1:4780', key)
  expect(code!.lines).toBe(
    `claude mcp add --transport http galley http://127.0.0.1:4780/mcp \\\n  --header "Authorization: Bearer ${key}"`,
  )
  const url = 'http://127.0.0.1:4780/mcp'
  const headers = { Authorization: `Bearer ${key}` }
  expect(others.map(({ lines }) => JSON.parse(lines) as unknown)).toEqual([
    { mcpServers: { galley: { command: 'galley', args: ['mcp'], env: { GALLEY_KEY: key } } } },
    { mcpServers: { galley: { url, headers } } },
    { servers: { galley: { type: 'http', url, headers } } },
  ])
})

test('the example can be pasted into a shell', () => {
  expect(curlExample('http://127.0.0.1:4780', key)).toBe(
    `curl -H "Authorization: Bearer ${key}" \\\n  "http://127.0.0.1:4780/api/documents?limit=5"`,
  )
})
