import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watch } from '../api/watch.ts'
import { Connection, usualPause } from './connection.svelte.ts'
import type { SharePage } from './share-page.ts'

const page = { documentId: 'd', access: 'comment', token: 't' } as SharePage

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A page that is looked at, by a link that has just ended. */
function ended() {
  const server = { works: false, asked: 0 }
  vi.stubGlobal('fetch', () => {
    server.asked++
    const [status, body] = server.works
      ? [200, { data: { revision: 1, marks: [], limited: null }, error: null }]
      : [401, { data: null, error: { code: 'UNAUTHORIZED', message: 'Unauthorized' } }]
    return Promise.resolve(Response.json(body, { status }))
  })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  const connection = new Connection(page, () => {})
  watch(() => (connection.link.isDead ? connection.revive() : Promise.resolve()), {
    every: () => connection.pollEvery(usualPause),
    news: connection.onNews,
  })
  connection.link.end()
  return { connection, server }
}

test.each([1, 5, 11, 25])(
  'that a link has ended is taken back %i s later: the page soon knows',
  async (seconds) => {
    const { connection, server } = ended()
    await vi.advanceTimersByTimeAsync(seconds * 1_000)
    expect(connection.link.isDead).toBe(true)
    server.works = true
    await vi.advanceTimersByTimeAsync(2_000)
    expect(connection.link.isDead).toBe(false)
    const { asked } = server
    await vi.advanceTimersByTimeAsync(60_000)
    expect(server.asked).toBe(asked)
  },
)

test('a link that stays ended is asked for less and less', async () => {
  const { server } = ended()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(server.asked).toBeLessThan(30)
  const { asked } = server
  await vi.advanceTimersByTimeAsync(600_000)
  expect(server.asked - asked).toBeLessThan(15)
})

test('whoever waits for changes where no connection comes through soon knows that the link has ended', async () => {
  const { connection, server } = ended()
  server.works = true
  await connection.revive()
  server.works = false
  await connection.api
    .call('listChanges', { params: { id: 'd' }, query: { since: 1, wait: 10 } })
    .catch(() => {})
  await vi.advanceTimersByTimeAsync(0)
  expect(connection.link.isDead).toBe(true)
})

test('all is asked for anew once an answer says that the link allows another thing', async () => {
  let permission = 'view'
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ data: { permission }, error: null })))
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  const connection = new Connection(page, () => {})
  await connection.api.call('getDocument', { params: { id: 'd' } })
  const heard: unknown[] = []
  connection.onNews((news) => heard.push(news))
  permission = 'comment'
  await connection.api.call('getDocument', { params: { id: 'd' } })
  expect(heard).toEqual([undefined])
  expect(connection.link.canComment).toBe(true)
  await connection.api.call('getDocument', { params: { id: 'd' } })
  expect(heard).toHaveLength(1)
})

test('an answer that got lost isn’t taken for a machine that is away', async () => {
  vi.stubGlobal('location', { href: 'http://galley.test/share/t' })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  const sockets: EventTarget[] = []
  class Socket extends EventTarget {
    readyState = 1
    constructor() {
      super()
      sockets.push(this)
    }
    send(text: string) {
      if (text === '{"type":"ping"}')
        this.dispatchEvent(Object.assign(new Event('message'), { data: '{"type":"pong"}' }))
    }
    close() {}
  }
  vi.stubGlobal('WebSocket', Socket)
  let isLosing = false
  vi.stubGlobal('fetch', () =>
    isLosing
      ? Promise.reject(new TypeError('The answer got lost.'))
      : Promise.resolve(
          Response.json({ data: { revision: 1, marks: [], limited: null }, error: null }, { status: 200 }),
        ),
  )
  const connection = new Connection(page, () => {})
  connection.follow({ name: '' } as Parameters<Connection['follow']>[0])
  sockets[0]!.dispatchEvent(new Event('open'))
  const call = () => connection.api.call('listMarks', { params: { id: 'd' } })
  isLosing = true
  await call().catch(() => {})
  expect(connection.link.state).toBe('lost')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(connection.link.state).toBe('lost')
  isLosing = false
  await vi.advanceTimersByTimeAsync(15_000)
  expect(connection.link.state).toBe('works')
})

test('another page of a guest’s asks for all anew once the server knows who they are', async () => {
  const pages: EventTarget[] = []
  class Channel extends EventTarget {
    constructor() {
      super()
      pages.push(this)
    }
    postMessage() {
      for (const page of pages) if (page !== this) page.dispatchEvent(new Event('message'))
    }
  }
  vi.stubGlobal('BroadcastChannel', Channel)
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ data: { mine: true }, error: null })))
  const [first, second] = [new Connection(page, () => {}), new Connection(page, () => {})]
  const heard: unknown[] = []
  second.onNews((news) => heard.push(news))
  const suggest = (by: Connection) =>
    by.api.call('createSuggestion', {
      params: { id: 'd' },
      body: { original_text: 'a', suggested_text: 'b' },
    })
  await suggest(first)
  expect(heard).toEqual([undefined])
  await suggest(first)
  expect(heard).toHaveLength(1)
})
