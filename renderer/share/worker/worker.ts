import { createClientOf } from '../../api/client-of.ts'
import { cacheName, forgetPage, tokenOf, type KeepMessage } from '../worker-protocol.ts'
import { fetchWithIdleTimeout } from '../idle-timeout-fetch.ts'
import { sendWaiting } from '../../editor/files/waiting/send-waiting.ts'
import { indexedDbWaitingFiles } from '../../editor/files/waiting/waiting-files-database.ts'
import { deliver, refuseAll } from '../outbox/delivery.ts'
import { indexedDbEntries } from '../outbox/entries.ts'
import { shareRoutes } from '../share-routes.ts'
import { answerPage, keepPage } from './page-cache.ts'

// What is used here of a service worker, whose types can't stand beside those of pages.
interface WorkerEvent extends Event {
  waitUntil: (work: Promise<unknown>) => void
}
interface FetchEvent extends WorkerEvent {
  request: Request
  respondWith: (answer: Promise<Response>) => void
}
interface WorkerScope {
  registration: ServiceWorkerRegistration
  clients: { claim: () => Promise<void> }
  skipWaiting: () => Promise<void>
  addEventListener: ((
    type: 'install' | 'activate' | 'sync',
    listener: (event: WorkerEvent) => void,
  ) => void) &
    ((type: 'message', listener: (event: WorkerEvent & MessageEvent) => void) => void) &
    ((type: 'fetch', listener: (event: FetchEvent) => void) => void)
}

/**
 * The worker of one share link: it keeps the page as it was last read, with its files, so that it opens while the
 * writer’s machine is away, and delivers what waits where the browser lets it. It answers nothing else: what the page
 * asks of the API goes its own way.
 */
const worker = globalThis as unknown as WorkerScope
const address = worker.registration.scope
const token = tokenOf(address)
const name = cacheName(token)
const assets = new URL('assets/', address).href

worker.addEventListener('install', () => void worker.skipWaiting())
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))

worker.addEventListener('message', (event) => {
  const message = event.data as Partial<KeepMessage>
  if (message.type === 'keep')
    event.waitUntil(keep(message.files ?? [], message.page === true).catch(() => undefined))
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET') return
  const url = request.url.split('#')[0]!
  if (request.mode === 'navigate' && url === address) event.respondWith(open(event))
  else if (url.startsWith(assets)) event.respondWith(file(request))
})

// Only some browsers have it: elsewhere the page delivers when it is opened.
worker.addEventListener('sync', (event) => event.waitUntil(deliverAll()))

/**
 * Where the page is kept; none once its reader has said “forget”. Only the page makes it: this worker lives on for a
 * while, and what it still does then must not bring anything back.
 */
const openCache = async () => ((await caches.has(name)) ? caches.open(name) : undefined)

async function open(event: FetchEvent): Promise<Response> {
  const cache = await openCache()
  if (!cache) return fetch(event.request)
  const { answer, isDead, fresh } = await answerPage(event.request, cache)
  if (isDead) event.waitUntil(end())
  if (fresh) event.waitUntil(fresh)
  return answer
}

/** Files have their content in their name, so that one that is kept is never an old one. */
async function file(request: Request): Promise<Response> {
  const cache = await openCache()
  const kept = await cache?.match(request.url)
  if (kept) return kept
  const answer = await fetch(request)
  if (
    cache &&
    answer.ok &&
    answer.type === 'basic' &&
    /javascript|css|font/.test(answer.headers.get('content-type') ?? '')
  ) {
    await cache.put(request.url, answer.clone()).catch(() => undefined)
  }
  return answer
}

async function keep(files: readonly string[], page: boolean): Promise<void> {
  const cache = await openCache()
  if (!cache) return
  const wanted = files.filter((url) => url.startsWith(assets))
  const kept = new Set((await cache.keys()).map(({ url }) => url))
  // Another script means another version of Galley, whose parts have other names.
  if (page && wanted[0] && !kept.has(wanted[0])) {
    for (const url of kept) if (url.startsWith(assets)) await cache.delete(url)
    kept.clear()
  }
  await Promise.all(wanted.filter((url) => !kept.has(url)).map((url) => file(new Request(url))))
  if (page && (await keepPage(address, cache)) === 'dead') await end()
}

async function deliverAll(): Promise<void> {
  const api = createClientOf(shareRoutes, { base: '..', shareToken: token, fetch: fetchWithIdleTimeout })
  const store = indexedDbEntries()
  const { kind } = await deliver({ token, store, api })
  const areSent =
    kind !== 'done' ||
    (await sendWaiting({ token, store: indexedDbWaitingFiles(), api, fetch: fetchWithIdleTimeout }))
  new BroadcastChannel('galley-outbox').postMessage(token)
  if (kind === 'dead') await end()
  // The browser tries again, a few times, later.
  else if (kind !== 'done' || !areSent) throw new Error('The writer’s machine is away.')
}

/** The server has said that the link opens nothing any more: only the recipient’s own words stay. */
async function end(): Promise<void> {
  await forgetPage(token)
  await refuseAll({ token, store: indexedDbEntries() })
  await worker.registration.unregister()
}
