import { expect, onTestFinished, test, vi } from 'vitest'
import type { ShareLinkSummary } from '../../../server/contract/records/share-links.ts'
import { ApiError } from '../../api/client-of.ts'
import type { ApiClient } from '../../api/client.ts'
import { OtherWindows } from '../other-windows.ts'
import { ShareLinks } from './share-links.svelte.ts'

const link = (id: string): ShareLinkSummary => ({
  id,
  token: '5d41402abc4b2a76b9719d911017c592',
  permission: 'view',
  label: null,
  expires_at: null,
  created_at: '2026-03-01T09:30:00.000Z',
  last_used_at: null,
  hides_people: false,
  allows_agents: false,
  suggest_only: false,
  url: null,
  local_url: 'http://127.0.0.1:4781/share/5d41402abc4b2a76b9719d911017c592',
})

/** The API at its boundary: answers by route, or refuses with what `refusal` holds. */
function fake(links: ShareLinkSummary[]) {
  const server = { refusal: null as ApiError | null, sent: [] as unknown[], links }
  const call = async (name: string, options?: { body?: unknown; query?: { link_id: string } }) => {
    server.sent.push(options?.body ?? options?.query)
    if (server.refusal) throw server.refusal
    if (name === 'listShareLinks') return server.links
    if (name === 'getStatus') return { version: '0.1.0', components: [], share_url: 'http://127.0.0.1:4781' }
    if (name === 'createShareLink') {
      server.links = [link('new'), ...server.links]
      return link('new')
    }
    if (name === 'updateShareLink') return { ...link(options!.query!.link_id), ...(options!.body as object) }
    if (name === 'restoreShareLink') return { ...link('one'), created_at: '2026-03-01T09:29:00.000Z' }
    return { deleted: true }
  }
  const windows = new OtherWindows('links test')
  onTestFinished(() => windows.close())
  const api = { call } as unknown as ApiClient
  const list = new ShareLinks({ api, documentId: 'document', windows, pollEvery: () => 60_000 })
  return { server, windows, list }
}

test('a link’s address begins where the server says share links begin', async () => {
  const { list } = fake([link('one')])
  await list.load()
  expect(list.urlOf(list.list[0]!)).toBe('http://127.0.0.1:4781/share/5d41402abc4b2a76b9719d911017c592')
})

test('a new link comes first, and an empty name is sent as none', async () => {
  const { list, server } = fake([link('one')])
  await list.load()
  await list.create({ access: 'edit', label: '  ', expiresAt: null })
  expect(list.list.map(({ id }) => id)).toEqual(['new', 'one'])
  expect(server.sent.at(-1)).toEqual({
    permission: 'edit',
    suggest_only: false,
    label: null,
    expires_at: null,
    hides_people: false,
    allows_agents: false,
  })
})

test('whether agents may use a link is sent where it was changed', async () => {
  const { list, server } = fake([link('one')])
  await list.load()
  await list.change(list.list[0]!, { allowsAgents: true })
  expect(server.sent.at(-1)).toEqual({ allows_agents: true })
  expect(list.list[0]!.allows_agents).toBe(true)
})

test('a link to suggest is one to edit by which the text isn’t changed', async () => {
  const { list, server } = fake([link('one')])
  await list.load()
  await list.create({ access: 'suggest', label: '', expiresAt: null })
  expect(server.sent.at(-1)).toMatchObject({ permission: 'edit', suggest_only: true })
  await list.change(list.list[1]!, { access: 'suggest' })
  expect(server.sent.at(-1)).toEqual({ permission: 'edit', suggest_only: true })
})

test('a link leaves the list only once the server has ended it', async () => {
  const { list, server } = fake([link('one')])
  await list.load()
  server.refusal = new ApiError('OFFLINE', 0, 'no answer')
  const revoking = list.revoke(list.list[0]!)
  expect(list.revoking('one')).toBe(true)
  expect(await revoking).toBe(false)
  expect(list.list).toHaveLength(1)
  expect(list.failure).toContain('The link still works')
  expect(list.revoking('one')).toBe(false)
  server.refusal = null
  expect(await list.revoke(list.list[0]!)).toBe(true)
  expect(list.list).toEqual([])
  expect(list.failure).toBeNull()
})

test('a link that is already gone counts as revoked', async () => {
  const { list, server } = fake([link('one')])
  await list.load()
  server.refusal = new ApiError('NOT_FOUND', 404, 'gone')
  expect(await list.revoke(list.list[0]!)).toBe(true)
})

test('only what was changed of a link is sent, and the list shows what the server made of it', async () => {
  const { list, server } = fake([link('one'), link('two')])
  await list.load()
  const [one] = list.list
  expect(await list.change(one!, { label: '  ', access: 'edit' })).toBe(true)
  expect(server.sent.at(-1)).toEqual({ permission: 'edit', suggest_only: false, label: null })
  expect(list.list.map(({ id, permission }) => [id, permission])).toEqual([
    ['one', 'edit'],
    ['two', 'view'],
  ])
  const asked = server.sent.length
  expect(await list.change(one!, {})).toBe(true)
  expect(server.sent).toHaveLength(asked)
  server.refusal = new ApiError('OFFLINE', 0, 'no answer')
  expect(await list.change(one!, { access: 'view' })).toBe(false)
  expect([list.list[0]!.permission, list.failure]).toEqual([
    'edit',
    expect.stringContaining('change the link'),
  ])
})

test('a link whose revocation is taken back stands where it stood', async () => {
  const older = { ...link('one'), created_at: '2026-03-01T09:29:00.000Z' }
  const { list, server } = fake([link('two'), older])
  await list.load()
  await list.revoke(older)
  expect(list.list.map(({ id }) => id)).toEqual(['two'])
  expect(await list.restore(older)).toBe(true)
  expect(list.list.map(({ id }) => id)).toEqual(['two', 'one'])
  server.refusal = new ApiError('NOT_FOUND', 404, 'gone')
  expect(await list.restore(older)).toBe(false)
  expect(list.failure).not.toBeNull()
})

/** A page that is seen. */
function stubPage() {
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  onTestFinished(() => void vi.unstubAllGlobals())
}

test('while it is watched, links that are made elsewhere come into the list', async () => {
  stubPage()
  const { list, server, windows } = fake([])
  const stop = list.watch()
  await vi.waitFor(() => expect(list.loading).toBe(false))
  const change = { type: 'changed', document_id: 'document', what: 'links' } as const
  server.links = [link('one')]
  windows.hear({ document: 'another', change: { ...change, document_id: 'another' } })
  windows.hear({ document: 'document', change: { ...change, what: 'content' } })
  const asked = server.sent.length
  expect(list.list).toEqual([])
  windows.hear({ document: 'document', change })
  await vi.waitFor(() => expect(list.list.map(({ id }) => id)).toEqual(['one']))
  expect(server.sent.length).toBe(asked + 2)
  server.links = []
  windows.hear({ everything: true })
  await vi.waitFor(() => expect(list.list).toEqual([]))
  stop()
  server.links = [link('two')]
  windows.hear({ document: 'document', change })
  expect(server.sent.length).toBe(asked + 4)
})

test('a list that was asked for before a link was made here doesn’t take it off again', async () => {
  const { list } = fake([])
  const loading = list.load()
  await list.create({ access: 'view', label: '', expiresAt: null })
  await loading
  expect(list.list.map(({ id }) => id)).toEqual(['new'])
})
