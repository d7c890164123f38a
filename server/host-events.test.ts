import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createGalley, type Galley } from './app.ts'
import type { FeedbackNews, SharingNow } from './contract/events.ts'
import { tellHost } from './host-events.ts'
import { openStore } from './store/store.ts'

let folder: string
let galley: Galley
let session: string
let told: FeedbackNews[]
let sharing: SharingNow[]
let now: number
let fails: boolean

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'galley-host-'))
  told = []
  sharing = []
  fails = false
  now = Date.now()
  galley = await createGalley({
    dataFolder: folder,
    port: 0,
    sharePort: 0,
    logLevel: 'silent',
    now: () => now,
    onFeedback(feedback) {
      told.push(feedback)
      if (fails) throw new Error('no')
    },
    onSharing: (now) => void sharing.push(now),
  })
  session = Object.values(galley.createSession()).join('=')
})
afterEach(async () => {
  await galley.close()
  rmSync(folder, { recursive: true })
})

async function call<Data>(method: string, url: string, json?: object, as = true): Promise<Data> {
  const response = await fetch(galley.url + url, {
    method,
    headers: {
      ...(json ? { 'content-type': 'application/json' } : {}),
      ...(as ? { cookie: session } : {}),
    },
    ...(json ? { body: JSON.stringify(json) } : {}),
  })
  const { data, error } = (await response.json()) as { data: Data; error: unknown }
  expect(error).toBeNull()
  return data
}

interface Made {
  id: string
  token: string
}
async function share(expires_at: string | null = null) {
  const document = await call<Made>('POST', '/api/documents', { title: 'On proofs', content: 'A red fox.' })
  const link = await call<Made>('POST', `/api/documents/${document.id}/share`, {
    permission: 'edit',
    expires_at,
  })
  const at = `/api/documents/${document.id}`
  const asGuest = <Data>(url: string, json: object) =>
    call<Data>('POST', `${at}${url}?share_token=${link.token}`, json, false)
  return { at, document, link, asGuest }
}

test('what others say is told: who, where and what kind, and none of its words', async () => {
  const { document, asGuest } = await share()
  const comment = await asGuest<Made>('/comments', { body: 'Why red?', author_name: 'Ana' })
  await asGuest('/comments', { body: 'Indeed', author_name: 'Ben', parent_id: comment.id })
  const suggestion = await asGuest<Made>('/suggestions', {
    original_text: 'red',
    suggested_text: 'brown',
    author_name: 'Ana',
  })
  await asGuest(`/suggestions/${suggestion.id}/replies`, { body: 'Not red', author_name: 'Cem' })
  const about = { documentId: document.id, title: 'On proofs' }
  expect(told).toEqual([
    { ...about, kind: 'comment', shownAs: 'comment', id: comment.id, author: 'Ana' },
    { ...about, kind: 'reply', shownAs: 'comment', id: comment.id, author: 'Ben' },
    { ...about, kind: 'suggestion', shownAs: 'suggestion', id: suggestion.id, author: 'Ana' },
    { ...about, kind: 'reply', shownAs: 'suggestion', id: suggestion.id, author: 'Cem' },
  ])
  expect(JSON.stringify(told)).not.toMatch(/[Rr]ed|Indeed|brown/)
})

test('what the owner says is not told, nor what becomes of what others said', async () => {
  const { at, asGuest } = await share()
  const comment = await asGuest<Made>('/comments', { body: 'Why red?' })
  told.length = 0
  await call('POST', `${at}/comments`, { body: 'Mine', parent_id: comment.id })
  await call('POST', `${at}/suggestions`, { original_text: 'red', suggested_text: 'brown' })
  await call('PATCH', `${at}/comments/${comment.id}`, { resolved: true })
  await call('DELETE', `${at}/comments/${comment.id}`)
  expect(told).toEqual([])
})

test('who is done with a round of review is told, once', async () => {
  const { at, document, link } = await share()
  const round = await call<Made>('POST', `${at}/rounds`, {})
  const review = `${at}/rounds/${round.id}/review?share_token=${link.token}`
  await call('PATCH', review, { finished: true, author_name: 'Ana' }, false)
  expect(told).toEqual([
    {
      ...{ documentId: document.id, title: 'On proofs' },
      ...{ kind: 'done', shownAs: 'document', id: round.id, author: 'Ana' },
    },
  ])
})

test('nothing is told of what was refused', async () => {
  const { at, link } = await share()
  const response = await fetch(`${galley.url}${at}/comments?share_token=${link.token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ body: '   ' }),
  })
  expect(response.status).toBe(400)
  expect(told).toEqual([])
})

test('what was said stands even if whoever is told fails', async () => {
  const { at, asGuest } = await share()
  fails = true
  await asGuest('/comments', { body: 'Why red?' })
  expect(await call('GET', `${at}/comments`)).toHaveLength(1)
  expect(told).toHaveLength(1)
})

test('the number of links that work is told at the start and when it changes', async () => {
  const links = () => sharing.map((one) => one.links)
  expect(links()).toEqual([0])
  const { at, link } = await share()
  const other = await share()
  expect(links()).toEqual([0, 1, 2])
  await call('DELETE', `${at}/share?link_id=${link.id}`)
  await call('DELETE', other.at)
  expect(links()).toEqual([0, 1, 2, 1, 0])
})

test('that sharing was stopped or started again is told, by whichever channel, and where nothing was shared too', async () => {
  await call('PATCH', '/api/sharing', { stopped: true })
  await share()
  await galley.setSharing({ stopped: false })
  expect(sharing).toEqual([
    { links: 0, stopped: false },
    { links: 0, stopped: true },
    { links: 1, stopped: false },
  ])
  await galley.setSharing({ stopped: true })
  expect(sharing.at(-1)).toEqual({ links: 0, stopped: true })
  expect(await call('GET', '/api/sharing')).toMatchObject({
    links: 1,
    stopped_at: expect.any(String) as string,
  })
})

test('a link that has expired is told to work no more', () => {
  vi.useFakeTimers()
  let at = Date.now()
  const store = openStore({ file: ':memory:', now: () => at })
  const counted: number[] = []
  const host = tellHost(store, { onSharing: ({ links }) => void counted.push(links) })
  const { id, name } = store.users.owner()
  const author = { id, name, key: 'cli:test' }
  const { number } = store.documents.create(id, { title: 'On proofs', content: '' }, author)
  store.shareLinks.create(number, id, {
    permission: 'view',
    label: null,
    expiresAt: at + 60_000,
  })
  host.start()
  vi.advanceTimersByTime(60_000)
  expect(counted).toEqual([1])
  at += 60_000
  vi.advanceTimersByTime(60_000)
  expect(counted).toEqual([1, 0])
  host.stop()
  expect(vi.getTimerCount()).toBe(0)
  store.close()
  vi.useRealTimers()
})
