import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { FeedbackNews, SharingNow } from '../../server/contract/events.ts'
import type { FromServer, ServerFailure, ToServer } from './server-messages.ts'
import { hostServer, type ServerChild } from './server-host.ts'

class Child extends EventEmitter implements ServerChild {
  told: ToServer[] = []
  killed = false
  postMessage(message: ToServer) {
    this.told.push(message)
  }
  says(message: FromServer) {
    this.emit('message', message)
  }
  kill() {
    this.killed = true
    this.emit('exit', 143)
  }
}

const ready = { type: 'ready', url: 'http://127.0.0.1:4780', shareUrl: 'http://127.0.0.1:4781' } as const
const damaged: ServerFailure = { reason: 'damaged', message: 'It is damaged.' }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function host() {
  const children: Child[] = []
  const failures: ServerFailure[] = []
  const sharing: (SharingNow | undefined)[] = []
  const heard: FeedbackNews[] = []
  const migrating: Extract<FromServer, { type: 'migrating' }>['progress'][] = []
  let readies = 0
  const server = hostServer({
    fork: () => {
      children.push(new Child())
      return children.at(-1)!
    },
    options: { dataFolder: '/notes' },
    onReady: () => readies++,
    onMigrating: (progress) => migrating.push(progress),
    onFailed: (failure) => failures.push(failure),
    onSecret: async (request) => ({ value: `${request.do} ${request.name}` }),
    onSharing: (now) => sharing.push(now),
    onFeedback: (feedback) => heard.push(feedback),
  })
  server.start()
  const newest = () => children.at(-1)!
  return { server, children, failures, sharing, heard, migrating, newest, readies: () => readies }
}

test('the server is started once, with what the person asked for', () => {
  const { server, children, newest } = host()
  server.start()
  expect(children).toHaveLength(1)
  expect(newest().told).toEqual([{ type: 'start', options: { dataFolder: '/notes' } }])
})

test('a server is told that the machine woke up, and where there is none nobody is', () => {
  const { server, children, newest } = host()
  server.wake()
  expect(newest().told.at(-1)).toEqual({ type: 'wake' })
  newest().says({ type: 'failed', failure: damaged })
  server.wake()
  expect(children).toHaveLength(1)
  expect(newest().told.filter(({ type }) => type === 'wake')).toHaveLength(1)
})

test('how far the documents have been brought up to date is passed on, and is no failure', () => {
  const { newest, migrating, failures, readies } = host()
  newest().says({ type: 'migrating', progress: { done: 20, of: 100 } })
  newest().says({ type: 'migrating', progress: { done: 70, of: 100 } })
  expect(migrating).toEqual([
    { done: 20, of: 100 },
    { done: 70, of: 100 },
  ])
  newest().says(ready)
  expect([readies(), failures]).toEqual([1, []])
})

test('a server that has run is started again on the ports it had', () => {
  const { children, newest, readies, failures } = host()
  newest().says(ready)
  newest().emit('exit', 9)
  vi.advanceTimersByTime(499)
  expect(children).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(children).toHaveLength(2)
  expect(newest().told).toEqual([
    { type: 'start', options: { dataFolder: '/notes', port: 4780, sharePort: 4781 } },
  ])
  newest().says(ready)
  expect(readies()).toBe(2)
  expect(failures).toEqual([])
})

test('it is started later each time it crashes, and soon again once it has run well', () => {
  const { children, newest } = host()
  for (const delay of [500, 1000, 2000]) {
    newest().says(ready)
    newest().emit('exit', 9)
    const before = children.length
    vi.advanceTimersByTime(delay - 1)
    expect(children).toHaveLength(before)
    vi.advanceTimersByTime(1)
    expect(children).toHaveLength(before + 1)
  }
  newest().says(ready)
  vi.advanceTimersByTime(60_000)
  newest().emit('exit', 9)
  const before = children.length
  vi.advanceTimersByTime(500)
  expect(children).toHaveLength(before + 1)
})

test('crashes are told when they go on', () => {
  const { newest, failures } = host()
  newest().says(ready)
  newest().emit('exit', 9)
  for (let crash = 2; crash <= 4; crash++) {
    expect(failures).toEqual([])
    vi.advanceTimersByTime(30_000)
    newest().emit('exit', 9)
  }
  expect(failures).toMatchObject([{ reason: 'crashed' }])
})

test('a server that can’t come up says why, and waits to be asked again', () => {
  const { server, children, newest, failures } = host()
  newest().says({ type: 'failed', failure: damaged })
  expect(newest().killed).toBe(true)
  expect(failures).toEqual([damaged])
  vi.advanceTimersByTime(60_000)
  expect(children).toHaveLength(1)
  server.start()
  expect(children).toHaveLength(2)
})

test('one that ends without a word at its first start is told at once', () => {
  const { newest, failures } = host()
  newest().emit('exit', 134)
  expect(failures).toMatchObject([{ reason: 'crashed' }])
})

test('one that has run and can’t come up again says why and is tried on', () => {
  const { children, newest, failures } = host()
  newest().says(ready)
  newest().emit('exit', 9)
  vi.advanceTimersByTime(500)
  newest().says({ type: 'failed', failure: damaged })
  expect(failures).toEqual([damaged])
  vi.advanceTimersByTime(1000)
  expect(children).toHaveLength(3)
})

test('each session goes to who asked for it, and none is promised by a server that has gone', async () => {
  const { server, newest } = host()
  newest().says(ready)
  const [first, second] = [server.createSession(), server.createSession()]
  newest().says({ type: 'session', id: 2, cookie: { name: 'session', value: 'two' } })
  newest().says({ type: 'session', id: 1, cookie: { name: 'session', value: 'one' } })
  expect([(await first).value, (await second).value]).toEqual(['one', 'two'])
  const third = server.createSession()
  newest().emit('exit', 9)
  await expect(third).rejects.toThrow('gone')
  await expect(server.createSession()).rejects.toThrow('not running')
})

test('a secret goes to the server that asked for it, and to none that came after', async () => {
  const { children, newest } = host()
  newest().says(ready)
  newest().says({ type: 'secret', id: 7, request: { do: 'find', name: 'ssh-key' } })
  await Promise.resolve()
  expect(newest().told.at(-1)).toEqual({ type: 'secret', id: 7, outcome: { value: 'find ssh-key' } })
  newest().says({ type: 'secret', id: 8, request: { do: 'find', name: 'ssh-key' } })
  newest().emit('exit', 9)
  vi.advanceTimersByTime(500)
  await Promise.resolve()
  expect(children.map(({ told }) => told.length)).toEqual([2, 1])
})

test('closing waits for the server to end, and nothing starts it again', async () => {
  const { server, children, newest, failures } = host()
  newest().says(ready)
  const closed = server.close()
  expect(newest().told.at(-1)).toEqual({ type: 'close' })
  newest().emit('exit', 0)
  await closed
  server.start()
  vi.advanceTimersByTime(60_000)
  expect(children).toHaveLength(1)
  expect(failures).toEqual([])
})

test('a server that makes way is started again only when it may come back, on the ports it had', async () => {
  const { server, children, newest, failures } = host()
  newest().says(ready)
  const paused = server.pause()
  expect(newest().told.at(-1)).toEqual({ type: 'close' })
  newest().emit('exit', 0)
  await paused
  server.start()
  vi.advanceTimersByTime(60_000)
  expect(children).toHaveLength(1)
  server.resume()
  expect(newest().told).toEqual([
    { type: 'start', options: { dataFolder: '/notes', port: 4780, sharePort: 4781 } },
  ])
  expect(failures).toEqual([])
})

test('one that had crashed makes way too', async () => {
  const { server, children, newest } = host()
  newest().says(ready)
  newest().emit('exit', 9)
  await server.pause()
  vi.advanceTimersByTime(60_000)
  expect(children).toHaveLength(1)
  server.resume()
  expect(children).toHaveLength(2)
})

test('a server that doesn’t close is ended', async () => {
  const { server, newest } = host()
  newest().says(ready)
  const closed = server.close()
  vi.advanceTimersByTime(10_000)
  await closed
  expect(newest().killed).toBe(true)
})

test('closing between a crash and the next start leaves it at that', async () => {
  const { server, children, newest } = host()
  newest().says(ready)
  newest().emit('exit', 9)
  await server.close()
  vi.advanceTimersByTime(60_000)
  expect(children).toHaveLength(1)
})

test('what is shared is passed on, and that nothing is while there is no server', () => {
  const { newest, sharing } = host()
  const three = { links: 3, stopped: false }
  newest().says({ type: 'sharing', sharing: three })
  newest().says(ready)
  newest().emit('exit', 9)
  expect(sharing).toEqual([three, undefined])
})

test('sharing is known to have stopped only when the server has said so', async () => {
  const { server, newest } = host()
  newest().says(ready)
  const stopping = server.setSharing({ stopped: true })
  expect(newest().told.at(-1)).toEqual({ type: 'set-sharing', id: 1, stopped: true })
  newest().says({ type: 'sharing-set', id: 1, done: true })
  await stopping
  const refused = server.setSharing({ stopped: true })
  newest().says({ type: 'sharing-set', id: 2, done: false })
  await expect(refused).rejects.toThrow('could not')
  const starting = server.setSharing({ stopped: false })
  newest().emit('exit', 1)
  await expect(starting).rejects.toThrow('gone')
  await expect(server.setSharing({ stopped: true })).rejects.toThrow('not running')
})

test('what others say is passed on', () => {
  const { newest, heard } = host()
  const about = { documentId: 'd', title: 'On proofs', author: 'Ana' }
  const feedback = { ...about, kind: 'comment', shownAs: 'comment', id: 'c' } as const
  newest().says({ type: 'feedback', feedback })
  expect(heard).toEqual([feedback])
})
