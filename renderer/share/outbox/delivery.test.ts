import fc from 'fast-check'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Permission } from '../../../server/contract/records/share-links.ts'
import { newIdempotencyKey } from '../../api/client-of.ts'
import { createApiClient, type ApiClient } from '../../api/client.ts'
import type { Chosen } from '../text-pane.ts'
import { deliver, refuseAll, type DeliveryRoute } from './delivery.ts'
import type { EntryStore } from './entries.ts'
import type { Message, Mutation, NewFeedback } from '../../feedback/message.ts'
import { isChangeable, surelyOnce } from './entry.ts'
import { explainRefusal } from './explain-refusal.ts'
import { keep } from './keep.ts'
import { memoryEntries } from './testing/memory-entries.ts'

/** What becomes of one request on its way to the server. */
type Weather =
  | 'fine'
  /** It never arrives. */
  | 'request lost'
  /** It arrives, and nobody hears what became of it. */
  | 'answer lost'
  /** A tunnel answers in the server’s place. */
  | 'tunnel'
  /** A hotel’s sign-in page does, and says that all is well. */
  | 'portal'
  /** The server says that it can’t write just now. */
  | 'BUSY'
  | 'STORAGE_FULL'
const foul = ['request lost', 'answer lost', 'tunnel', 'portal'] as const

/** The product’s own server on data of its own, behind a proxy that loses what it is told to lose. */
async function startWeather() {
  const folder = await mkdtemp(path.join(tmpdir(), 'galley-outbox-'))
  const cli = path.resolve(import.meta.dirname, '../../../server/cli.ts')
  const server = spawn(process.execPath, [cli, 'serve', '--port', '0', '--share-port', '0', '--data', folder])
  let said = ''
  server.stdout.on('data', (chunk) => (said += String(chunk)))
  const find = (pattern: RegExp) =>
    vi.waitFor(() => pattern.exec(said)?.[1] ?? Promise.reject(new Error('Not ready')), { timeout: 30_000 })
  const url = await find(/ready at (\S+)/)
  const shareUrl = new URL(await find(/start with (\S+)\/share\//))
  const ticket = await find(/\/sign-in#(\w+)/)

  /** Of the requests to come, in order; fine after the last. */
  const ahead: Weather[] = []
  const seen: string[] = []
  const proxy = createServer((request, response) => {
    const weather = ahead.shift() ?? 'fine'
    seen.push(`${request.method} ${request.url?.split('?')[0]?.split('/').at(-1)}`)
    if (weather === 'request lost') return void request.socket.destroy()
    if (weather === 'tunnel' || weather === 'portal') {
      response.writeHead(weather === 'tunnel' ? 502 : 200, { 'content-type': 'text/html' })
      return void request.resume().on('end', () => response.end('<h1>Somebody else</h1>'))
    }
    if (weather === 'BUSY' || weather === 'STORAGE_FULL') {
      response.writeHead(weather === 'BUSY' ? 503 : 507, {
        'content-type': 'application/json',
        ...(weather === 'BUSY' ? { 'retry-after': '1' } : {}),
      })
      const answer = JSON.stringify({ data: null, error: { code: weather, message: 'Not now.' } })
      return void request.resume().on('end', () => response.end(answer))
    }
    const { hostname, port, host } = shareUrl
    const onward = forward({
      ...{ hostname, port, path: request.url, method: request.method },
      headers: { ...request.headers, host },
    })
    onward.on('response', (answer) => {
      if (weather === 'answer lost') {
        answer.resume().on('end', () => request.socket.destroy())
        return
      }
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))

  const signedIn = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ticket }),
  })
  const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!
  const owner: ApiClient = createApiClient({
    base: url,
    fetch: (to, init) => fetch(to, { ...init, headers: { ...init?.headers, cookie } }),
  })

  return {
    owner,
    ahead,
    /** What came to the proxy. */
    seen,
    /** A recipient’s browser: what it calls goes through the proxy, and it keeps its cookies. */
    recipient(token: string) {
      let guest: string | undefined
      return createApiClient({
        base: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
        shareToken: token,
        fetch: async (to, init) => {
          const answer = await fetch(to, {
            ...init,
            headers: { ...init?.headers, ...(guest ? { cookie: guest } : {}), connection: 'close' },
          })
          guest = answer.headers.getSetCookie()[0]?.split(';')[0] ?? guest
          return answer
        },
      })
    },
    /** Sends a body of which nobody knows beforehand how long it is; the answer’s status. */
    async postUnmeasured(to: string) {
      const body = new Blob(['{}']).stream()
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body, duplex: 'half' }
      const answer = await fetch(new URL(to, shareUrl), init)
      return answer.status
    },
    async stop() {
      proxy.closeAllConnections()
      proxy.close()
      server.kill('SIGTERM')
      await new Promise((resolve) => server.once('exit', resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

let weather: Awaited<ReturnType<typeof startWeather>>
beforeAll(async () => {
  weather = await startWeather()
})
afterAll(() => weather.stop())
beforeEach(() => {
  weather.ahead.length = 0
  weather.seen.length = 0
})

const edits = (target: string, body: string): Mutation => ({ kind: 'edit', target, body: { body } })
const resolves = (target: string, resolved = true): Mutation => ({
  kind: 'resolve',
  target,
  body: { resolved },
})
const reviews = (target: string, finished = true): Mutation => ({
  kind: 'review',
  target,
  body: { finished },
})
const deletes = (target: string): Mutation => ({ kind: 'delete', target, body: null })
const withdraws = (target: string, body: { edited_at: string | null } | null = null): Mutation => ({
  kind: 'withdraw',
  target,
  body,
})

let written = 0
const said = (body: string, more = {}): NewFeedback => ({
  kind: 'comment',
  body: { body, ...more },
  place: null,
})

/** A recipient of a new document, and their outbox. */
async function outboxOf(permission: Permission = 'comment', content = 'A galley proof is a draft.\n') {
  const { owner } = weather
  const document = await owner.call('createDocument', { body: { content } })
  const params = { id: document.id }
  const link = await owner.call('createShareLink', { params, body: { permission } })
  const store = memoryEntries()
  const api = weather.recipient(link.token)
  const route: DeliveryRoute = { token: link.token, store, api }
  return {
    ...{ document, params, link, store, api, route },
    write: (message: Message) =>
      keep(store, {
        ...message,
        key: newIdempotencyKey(),
        token: link.token,
        documentId: document.id,
        writtenAt: ++written,
      }),
    entries: () => store.list(link.token),
    comments: () => owner.call('listComments', { params }),
    deliver: (more: Partial<DeliveryRoute> = {}) => deliver({ ...route, ...more }),
  }
}

/** A tab that is closed after so many steps: whatever it does then fails, and nobody hears of it. */
function tabOf(route: DeliveryRoute, steps: number): DeliveryRoute {
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    if (steps-- <= 0) throw new Error('This tab is gone.')
    const answer = await work()
    if (steps < 0) throw new Error('This tab is gone.')
    return answer
  }
  const { store, api } = route
  const held: EntryStore = {
    add: (entry) => step(() => store.add(entry)),
    list: (token) => step(() => store.list(token)),
    change: (order, change) => step(() => store.change(order, change)),
    restore: (entry) => step(() => store.restore(entry)),
  }
  return { ...route, store: held, api: { call: (name, options) => step(() => api.call(name, options)) } }
}

describe('delivery', () => {
  it('is exactly once, in order and by one guest, whatever gets lost and whenever tabs are closed', async () => {
    const words = fc.array(fc.constantFrom('Yes.', 'No.', 'Why?'), { minLength: 1, maxLength: 4 })
    const sky = fc.array(fc.constantFrom<Weather>('fine', 'fine', ...foul), { maxLength: 14 })
    const tabs = fc.array(fc.option(fc.nat(12), { nil: Infinity }), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(words, sky, tabs, async (bodies, sky, tabs) => {
        const { comments, deliver: deliverAll, entries, route, write, api, params } = await outboxOf()
        for (const body of bodies) await write(said(body))
        weather.ahead.push(...sky)
        for (const steps of tabs) await deliver(tabOf(route, steps)).catch(() => null)
        weather.ahead.length = 0
        expect(await deliverAll()).toEqual({ kind: 'done' })
        expect((await comments()).map(({ body }) => body)).toEqual(bodies)
        expect((await entries()).map(({ state }) => state)).toEqual(bodies.map(() => 'delivered'))
        expect((await api.call('listComments', { params })).every(({ mine }) => mine)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  it('by two tabs at once, without locks, is once', async () => {
    const { comments, route, write } = await outboxOf()
    const bodies = ['One', 'Two', 'Three']
    for (const body of bodies) await write(said(body))
    vi.stubGlobal('navigator', {})
    try {
      await Promise.all([deliver(route), deliver(route)])
    } finally {
      vi.unstubAllGlobals()
    }
    expect((await comments()).map(({ body }) => body)).toEqual(bodies)
  })

  it('sends nothing where there is no answer to a question, so that the words can still be changed', async () => {
    for (const sort of foul) {
      const { deliver, entries, write } = await outboxOf()
      await write(said('One'))
      weather.ahead.push(sort)
      weather.seen.length = 0
      expect(await deliver()).toEqual({ kind: 'away' })
      expect(weather.seen).toEqual(['GET marks'])
      expect((await entries()).map(isChangeable)).toEqual([true])
    }
  })

  it('says of what was sent without an answer that it may have arrived, and sends it in the same words', async () => {
    const { comments, deliver, entries, write } = await outboxOf()
    await write(said('One'))
    weather.ahead.push('fine', 'answer lost')
    expect(await deliver({ now: () => 7 })).toEqual({ kind: 'away' })
    expect(await entries()).toMatchObject([{ state: 'waiting', unsureSince: 7 }])
    expect((await entries()).map(isChangeable)).toEqual([false])
    expect(await comments()).toHaveLength(1)
    expect(await deliver({ now: () => 8 })).toEqual({ kind: 'done' })
    expect(await entries()).toMatchObject([{ state: 'delivered', recordId: (await comments())[0]!.id }])
  })

  it('sends nothing again that is so old that it might be made twice', async () => {
    const { comments, deliver, entries, write } = await outboxOf()
    await write(said('One'))
    weather.ahead.push('fine', 'answer lost')
    await deliver({ now: () => 0 })
    await write(said('Two'))
    expect(await deliver({ now: () => surelyOnce })).toEqual({ kind: 'done' })
    expect((await comments()).map(({ body }) => body)).toEqual(['One', 'Two'])
    const [first] = await entries()
    expect(first).toMatchObject({ state: 'refused', refusal: { code: 'UNSURE' } })
    expect(explainRefusal(first!)).toContain('a month ago')
  })

  it('keeps what is refused, with the reason, and delivers what follows it', async () => {
    const { api, comments, deliver, entries, params, write } = await outboxOf()
    const { id } = await api.call('createComment', { params, body: { body: 'Root' } })
    await write(said('A reply', { parent_id: id }))
    await write(said('x'.repeat(10_001)))
    await write(said('Another'))
    await api.call('deleteComment', { params: { ...params, comment_id: id } })
    expect(await deliver()).toEqual({ kind: 'done' })
    expect((await comments()).map(({ body }) => body)).toEqual(['Another'])
    const [reply, long, other] = await entries()
    expect(explainRefusal(reply!)).toBe('Couldn’t be delivered: what it answers has been deleted.')
    expect(explainRefusal(long!)).toContain('at most 10000 characters')
    expect([reply, long].map((entry) => isChangeable(entry!))).toEqual([true, true])
    expect(other!.state).toBe('delivered')
  })

  it('is refused what the link doesn’t permit', async () => {
    const { deliver, entries, write } = await outboxOf('view')
    await write(said('One'))
    expect(await deliver()).toEqual({ kind: 'done' })
    const [entry] = await entries()
    expect(explainRefusal(entry!)).toBe('Couldn’t be delivered: this link no longer permits it.')
  })

  it('ends with the link, and keeps the words', async () => {
    const { deliver, entries, link, params, route, write } = await outboxOf()
    await write(said('One'))
    await weather.owner.call('revokeShareLink', { params, query: { link_id: link.id } })
    expect(await deliver()).toEqual({ kind: 'dead' })
    await refuseAll(route)
    const [entry] = await entries()
    expect(entry).toMatchObject({ state: 'refused', body: { body: 'One' } })
    expect(explainRefusal(entry!)).toBe('Couldn’t be delivered: this link no longer works.')
  })

  it.each(['BUSY', 'STORAGE_FULL'] as const)('waits where nothing can be written: %s', async (code) => {
    const { comments, deliver, entries, write } = await outboxOf()
    await write(said('One'))
    // After the question whether anybody is there.
    weather.ahead.push('fine', code)
    expect(await deliver()).toMatchObject({ kind: 'later' })
    expect(await entries()).toMatchObject([{ state: 'waiting' }])
    expect(await deliver()).toEqual({ kind: 'done' })
    expect(await comments()).toHaveLength(1)
    expect(await entries()).toMatchObject([{ state: 'delivered' }])
  })

  it('waits for as long as it is asked to', async () => {
    const { comments, deliver, document, entries, link, write } = await outboxOf()
    // Sixty writes in a minute are a slow machine's work. Each of these counts as ten, for its length isn't known.
    const path = `/api/documents/${document.id}/comments?share_token=${link.token}`
    for (let i = 0; i < 5; i++) expect(await weather.postUnmeasured(path)).toBe(400)
    for (let i = 0; i <= 10; i++) await write(said(`Number ${String(i)}`))
    const ending = await deliver()
    expect(ending).toMatchObject({ kind: 'later' })
    expect(ending.kind === 'later' && ending.seconds).toBeGreaterThan(0)
    expect(await comments()).toHaveLength(10)
    expect((await entries()).at(-1)).toMatchObject({ state: 'waiting', unsureSince: null })
  })

  it('takes an answer about something else for none', async () => {
    const { api, comments, deliver, entries, route, write } = await outboxOf()
    const other = await outboxOf()
    await write(said('One'))
    const wrong: DeliveryRoute['api'] = {
      call: async (name, options) => {
        const answer = await api.call(name, options)
        return name === 'createComment' ? Object.assign(answer, { document_id: other.document.id }) : answer
      },
    }
    expect(await deliver({ ...route, api: wrong })).toEqual({ kind: 'away' })
    expect(await entries()).toMatchObject([{ state: 'waiting' }])
    expect(await deliver()).toEqual({ kind: 'done' })
    expect(await comments()).toHaveLength(1)
  })
})

describe('what is done to what was said before', () => {
  /** A recipient who has said things, which have arrived. */
  async function author(...bodies: string[]) {
    const outbox = await outboxOf('edit')
    const { api, params } = outbox
    const ids: string[] = []
    for (const body of bodies) ids.push((await api.call('createComment', { params, body: { body } })).id)
    return { ...outbox, ids, id: ids[0]! }
  }
  const suggestion = { original_text: 'galley', suggested_text: 'page' }

  it('ends as its author wanted it, whatever gets lost and whenever tabs are closed', async () => {
    const which = fc.nat(2)
    const step = fc.oneof(
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant('say' as const), body: fc.constantFrom('A', 'B') }),
      },
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant('edit' as const),
          which,
          body: fc.constantFrom('1', '2', '3'),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant('resolve' as const), which, resolved: fc.boolean() }),
      },
      fc.record({ kind: fc.constant('delete' as const), which }),
      {
        weight: 5,
        arbitrary: fc.record({
          kind: fc.constant('tab' as const),
          steps: fc.option(fc.nat(12), { nil: Infinity }),
          sky: fc.array(fc.constantFrom<Weather>('fine', 'fine', ...foul), { maxLength: 5 }),
        }),
      },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
        const { comments, deliver: deliverAll, entries, ids, route, write } = await author('X', 'Y', 'Z')
        const wanted: ({ body: string; resolved: boolean } | null)[] = ['X', 'Y', 'Z'].map((body) => ({
          body,
          resolved: false,
        }))
        for (const step of steps) {
          if (step.kind === 'tab') {
            weather.ahead.push(...step.sky)
            await deliver(tabOf(route, step.steps)).catch(() => null)
            weather.ahead.length = 0
          } else if (step.kind === 'say') {
            await write(said(step.body))
            wanted.push({ body: step.body, resolved: false })
          } else {
            const { which } = step
            const comment = wanted[which]
            // What goes away can’t be changed any more.
            if (!comment) continue
            const id = ids[which]!
            if (step.kind === 'edit') {
              comment.body = step.body
              await write(edits(id, step.body))
            } else if (step.kind === 'resolve') {
              comment.resolved = step.resolved
              await write(resolves(id, step.resolved))
            } else {
              wanted[which] = null
              await write(deletes(id))
            }
          }
        }
        expect(await deliverAll()).toEqual({ kind: 'done' })
        expect(
          (await comments()).map(({ body, resolved_at }) => ({ body, resolved: resolved_at !== null })),
        ).toEqual(wanted.filter(Boolean))
        expect((await entries()).filter(({ state }) => state !== 'delivered')).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('says that a reviewer is done, also twice, and nothing once the round has ended', async () => {
    const { entries, params, route, write } = await outboxOf()
    const { owner } = weather
    const round = await owner.call('createRound', { params, body: {} })
    const finished = async () =>
      (await owner.call('listRounds', { params }))[0]!.links!.map((link) => link.finished.length)
    // Who has said something before is known again.
    await write(said('Hm'))
    await write(reviews(round.id))
    weather.ahead.push('fine', 'fine', 'answer lost')
    expect(await deliver(route)).toEqual({ kind: 'away' })
    expect(await deliver(route)).toEqual({ kind: 'done' })
    expect(await finished()).toEqual([1])
    await write(reviews(round.id, false))
    await owner.call('updateRound', { params: { ...params, round_id: round.id }, body: { ended: true } })
    expect(await deliver(route)).toEqual({ kind: 'done' })
    expect((await entries()).filter(({ state }) => state !== 'delivered')).toEqual([])
    expect(await finished()).toEqual([1])
  })

  it('counts a guest’s first reaction, or that they are done, once where the answer got lost, also when it is taken back', async () => {
    for (const takesBack of [false, true]) {
      const { comments, deliver, params, write } = await outboxOf()
      const { owner } = weather
      const { id } = await owner.call('createComment', { params, body: { body: 'Which?' } })
      const reacts = (set: boolean) =>
        write({ kind: 'react', target: id, body: { reaction: 'agree', set, author_name: 'Ada' } })
      await reacts(true)
      weather.ahead.push('fine', 'answer lost')
      expect(await deliver()).toEqual({ kind: 'away' })
      if (takesBack) await reacts(false)
      expect(await deliver()).toEqual({ kind: 'done' })
      expect((await comments())[0]!.reactions?.map(({ count }) => count)).toEqual(takesBack ? undefined : [1])

      const other = await outboxOf()
      const round = await owner.call('createRound', { params: other.params, body: {} })
      await other.write(reviews(round.id))
      weather.ahead.push('fine', 'answer lost')
      expect(await other.deliver()).toEqual({ kind: 'away' })
      if (takesBack) await other.write(reviews(round.id, false))
      expect(await other.deliver()).toEqual({ kind: 'done' })
      const [shown] = await owner.call('listRounds', { params: other.params })
      expect(shown!.links!.map(({ finished }) => finished.length)).toEqual([takesBack ? 0 : 1])
    }
  })

  it('takes the place of what still waits, also when an attempt may have arrived', async () => {
    const { comments, deliver, entries, id, write } = await author('Said')
    await write(edits(id, 'First'))
    weather.ahead.push('fine', 'answer lost')
    expect(await deliver()).toEqual({ kind: 'away' })
    expect((await entries()).map(isChangeable)).toEqual([true])
    await write(edits(id, 'Second'))
    expect(await entries()).toMatchObject([{ state: 'waiting', body: { body: 'Second' } }])
    expect(await deliver()).toEqual({ kind: 'done' })
    expect((await comments()).map(({ body }) => body)).toEqual(['Second'])
  })

  it('is sent again where it was changed on its way', async () => {
    const { api, comments, deliver, entries, id, write } = await author('Said')
    await write(edits(id, 'First'))
    const delivered: string[] = []
    const slow: DeliveryRoute['api'] = {
      call: async (name, options) => {
        const answer = await api.call(name, options)
        if (name === 'updateComment' && delivered.push(JSON.stringify(options?.body)) === 1) {
          await write(edits(id, 'Second'))
        }
        return answer
      },
    }
    expect(await deliver({ api: slow })).toEqual({ kind: 'done' })
    expect(delivered).toEqual(['{"body":"First"}', '{"body":"Second"}'])
    expect(await entries()).toMatchObject([{ state: 'delivered', recordId: id }])
    expect((await comments()).map(({ body }) => body)).toEqual(['Second'])
  })

  it('of a refusal that is about other words than those that wait now, nothing is kept', async () => {
    const { api, comments, deliver, id, write } = await author('Said')
    await write(edits(id, 'x'.repeat(10_001)))
    const slow: DeliveryRoute['api'] = {
      call: async (name, options) => {
        if (name === 'updateComment') await write(edits(id, 'Short enough'))
        return api.call(name, options)
      },
    }
    expect(await deliver({ api: slow })).toEqual({ kind: 'done' })
    expect((await comments()).map(({ body }) => body)).toEqual(['Short enough'])
  })

  it('is done when it was deleted already, by an attempt whose answer got lost or by its owner', async () => {
    const { api, comments, deliver, entries, ids, params, write } = await author('One', 'Two')
    const { id } = await api.call('createSuggestion', { params, body: suggestion })
    await write(deletes(ids[0]!))
    await write(deletes(ids[1]!))
    await write(withdraws(id))
    weather.ahead.push('fine', 'answer lost')
    expect(await deliver()).toEqual({ kind: 'away' })
    expect((await comments()).map(({ body }) => body)).toEqual(['Two'])
    await weather.owner.call('deleteComment', { params: { ...params, comment_id: ids[1]! } })
    weather.ahead.push('fine', 'fine', 'fine', 'fine', 'fine', 'answer lost')
    expect(await deliver()).toEqual({ kind: 'away' })
    expect(await deliver()).toEqual({ kind: 'done' })
    expect((await entries()).map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered'])
    expect(await weather.owner.call('listSuggestions', { params })).toEqual([])
  })

  it('waits however long it may have been under way: doing it again does no harm', async () => {
    const { deliver, entries, id, write } = await author('Said')
    await write(edits(id, 'Changed'))
    weather.ahead.push('fine', 'answer lost')
    await deliver({ now: () => 0 })
    expect(await deliver({ now: () => 2 * surelyOnce })).toEqual({ kind: 'done' })
    expect(await entries()).toMatchObject([{ state: 'delivered' }])
  })

  it('is refused with the reason where what it is done to is gone, and the words are kept', async () => {
    const { deliver, entries, id, params, write } = await author('Said')
    await write(edits(id, 'Changed'))
    await write(resolves(id))
    await weather.owner.call('deleteComment', { params: { ...params, comment_id: id } })
    expect(await deliver()).toEqual({ kind: 'done' })
    // Nothing is left to be resolved, and nothing was typed.
    expect(await entries()).toMatchObject([{ state: 'refused', body: { body: 'Changed' } }])
    expect((await entries()).map(explainRefusal)).toEqual([
      'Your change couldn’t be delivered: it has been deleted.',
    ])
  })

  it('is refused for a suggestion that was accepted meanwhile', async () => {
    const { api, deliver, entries, params, write } = await author()
    const { id } = await api.call('createSuggestion', { params, body: suggestion })
    await write(withdraws(id))
    await weather.owner.call('acceptSuggestion', { params: { ...params, suggestion_id: id } })
    expect(await deliver()).toEqual({ kind: 'done' })
    expect((await entries()).map(explainRefusal)).toEqual([
      'Couldn’t be withdrawn: it has already been accepted or rejected.',
    ])
  })

  it('withdraws a suggestion only as it was seen', async () => {
    const { api, deliver, entries, params, write } = await author()
    const { id } = await api.call('createSuggestion', { params, body: suggestion })
    const at = { ...params, suggestion_id: id }
    const { edited_at } = await api.call('updateSuggestion', {
      params: at,
      body: { suggested_text: 'other' },
    })
    await write(withdraws(id, { edited_at: null }))
    expect(await deliver()).toEqual({ kind: 'done' })
    expect((await entries()).map(explainRefusal)).toEqual([
      'Couldn’t be withdrawn: it was changed in another window since. Its card shows what it suggests now.',
    ])
    await write(withdraws(id, { edited_at }))
    expect(await deliver()).toEqual({ kind: 'done' })
    expect(await weather.owner.call('listSuggestions', { params })).toEqual([])
  })

  it('is refused to somebody else', async () => {
    const { comments, deliver, entries, id, link, write } = await author('Said')
    await write(edits(id, 'Changed'))
    await write(resolves(id))
    await write(deletes(id))
    expect(await deliver({ api: weather.recipient(link.token) })).toEqual({ kind: 'done' })
    const why = 'this link no longer permits it, or this browser is no longer known as its author.'
    expect((await entries()).map(explainRefusal)).toEqual([
      `Your change couldn’t be delivered: ${why}`,
      `Couldn’t be resolved: ${why}`,
      `Couldn’t be deleted: ${why}`,
    ])
    expect((await comments()).map(({ body }) => body)).toEqual(['Said'])
  })

  it('leaves nothing behind of a comment that its author deletes in the end', async () => {
    const { deliver, entries, id, write } = await author('Said')
    await write(edits(id, 'x'.repeat(10_001)))
    await deliver()
    expect(await entries()).toMatchObject([{ state: 'refused' }])
    await write(deletes(id))
    await deliver()
    expect(await entries()).toMatchObject([{ kind: 'delete', state: 'delivered' }])
  })

  it('takes an answer about something else for none', async () => {
    const { api, deliver, entries, ids, write } = await author('One', 'Two')
    await write(edits(ids[0]!, 'Changed'))
    const wrong: DeliveryRoute['api'] = {
      call: async (name, options) => {
        const answer = await api.call(name, options)
        return name === 'updateComment' ? Object.assign(answer, { id: ids[1] }) : answer
      },
    }
    expect(await deliver({ api: wrong })).toEqual({ kind: 'away' })
    expect(await entries()).toMatchObject([{ state: 'waiting' }])
  })
})

describe('words that were chosen while nobody could be asked', () => {
  const place = (from: number, to: number, words: string): Chosen => ({
    from: { block: 0, char: from },
    to: { block: 0, char: to },
    words,
    part: 0,
    revision: 1,
  })
  const on = (chosen: Chosen): NewFeedback => ({ kind: 'comment', body: { body: 'Why?' }, place: chosen })

  it('are found on delivery', async () => {
    const { comments, deliver, write } = await outboxOf()
    await write(on(place(1, 7, 'galley')))
    expect(await deliver()).toEqual({ kind: 'done' })
    expect(await comments()).toMatchObject([{ anchor: { exact: 'galley' }, range: { start: 2, end: 8 } }])
  })

  it('are followed through the changes since', async () => {
    const { comments, deliver, params, write } = await outboxOf('comment', 'One galley, two galley.\n')
    await write(on(place(13, 19, 'galley')))
    const content = 'First a galley, then one galley, and two galley.\n'
    await weather.owner.call('updateDocument', { params, body: { content } })
    expect(await deliver()).toEqual({ kind: 'done' })
    expect(await comments()).toMatchObject([{ anchor: { exact: 'galley' }, range: { start: 41, end: 47 } }])
  })

  it('are looked for in the text as it is now where they are gone; where nobody can, they wait', async () => {
    const { comments, deliver, entries, params, write } = await outboxOf()
    await write(on(place(1, 7, 'galley')))
    await weather.owner.call('updateDocument', { params, body: { content: 'The good page.\n' } })
    expect(await deliver()).toEqual({ kind: 'away' })
    expect((await entries()).map(isChangeable)).toEqual([true])
    const find = (chosen: Chosen) => Promise.resolve({ ...chosen, ...place(7, 11, 'page'), revision: 2 })
    expect(await deliver({ find })).toEqual({ kind: 'done' })
    expect(await comments()).toMatchObject([{ anchor: { exact: 'page' }, range: { start: 9, end: 13 } }])
  })

  it('stay with the comment when they are gone', async () => {
    const { comments, deliver, params, write } = await outboxOf()
    await write(on(place(1, 7, 'galley')))
    await weather.owner.call('updateDocument', { params, body: { content: 'Something else.\n' } })
    expect(await deliver({ find: () => Promise.resolve(null) })).toEqual({ kind: 'done' })
    expect(await comments()).toMatchObject([{ body: 'Why?', anchor: { exact: 'galley' }, range: null }])
  })
})

it('what is too long to be answered twice is delivered once, too', async () => {
  const { deliver, entries, params, write } = await outboxOf('edit')
  const anchor = { exact: 'galley', prefix: 'A ', suffix: ' proof', start: 2 }
  const body = { original_text: 'galley', suggested_text: 'page\n'.repeat(10_000), anchor, note: null }
  await write({ kind: 'suggestion', body, place: null })
  weather.ahead.push('fine', 'answer lost')
  expect(await deliver()).toEqual({ kind: 'away' })
  expect(await deliver()).toEqual({ kind: 'done' })
  expect(await entries()).toMatchObject([{ state: 'delivered', recordId: null }])
  expect(await weather.owner.call('listSuggestions', { params })).toHaveLength(1)
})

it('a suggestion is delivered like a comment, and stays honest when its words have changed', async () => {
  const { deliver, params, write } = await outboxOf('edit')
  const anchor = { exact: 'galley', prefix: 'A ', suffix: ' proof', start: 2 }
  const body = { original_text: 'galley', suggested_text: 'page', anchor, note: null }
  await write({ kind: 'suggestion', body, place: null })
  await weather.owner.call('updateDocument', { params, body: { content: 'Something else.\n' } })
  weather.ahead.push('fine', 'answer lost')
  expect(await deliver()).toEqual({ kind: 'away' })
  expect(await deliver()).toEqual({ kind: 'done' })
  const suggestions = await weather.owner.call('listSuggestions', { params })
  expect(suggestions).toMatchObject([{ original_text: 'galley', status: 'pending', range: null }])
})

it('a reply to a suggestion is delivered to it once, and refused with the reason where that was withdrawn', async () => {
  const { comments, deliver, entries, params, write } = await outboxOf()
  const suggest = () =>
    weather.owner.call('createSuggestion', {
      params,
      body: { original_text: 'galley', suggested_text: 'page' },
    })
  const [kept, withdrawn] = [await suggest(), await suggest()]
  const answering = ({ id }: { id: string }) =>
    ({ ...said('Why?', { parent_id: id, author_name: 'Ada' }), answers: 'suggestion' }) as NewFeedback
  await write(answering(kept))
  await write(answering(withdrawn))
  await weather.owner.call('withdrawSuggestion', { params: { ...params, suggestion_id: withdrawn.id } })
  weather.ahead.push('fine', 'answer lost')
  expect(await deliver()).toEqual({ kind: 'away' })
  expect(await deliver()).toEqual({ kind: 'done' })
  const replies = await weather.owner.call('listReplies', { params: { ...params, suggestion_id: kept.id } })
  expect(replies).toMatchObject([{ body: 'Why?', author_name: 'Ada' }])
  expect(await comments()).toEqual([])
  expect((await entries()).map(({ state }) => state)).toEqual(['delivered', 'refused'])
  expect(explainRefusal((await entries())[1]!)).toBe(
    'Couldn’t be delivered: the suggestion it answers has been withdrawn.',
  )
})

it('brings what was written on an older text to the words that were meant', async () => {
  const content = 'First a draft.\nThen a draft.\nLast a draft.\n'
  const { comments, deliver: deliverAll, params, write } = await outboxOf('comment', content)
  const anchor = { exact: 'draft', prefix: 'a ', suffix: '.\n', start: 22, revision: 1 }
  await write(said('Which?', { anchor }))
  await weather.owner.call('updateDocument', { params, body: { content: content.slice(15) } })
  expect(await deliverAll()).toEqual({ kind: 'done' })
  expect((await comments()).map(({ range }) => range)).toEqual([{ start: 7, end: 12 }])
})

it('has the words looked for where nobody remembers the revision they were written on', async () => {
  const { comments, deliver: deliverAll, entries, write } = await outboxOf()
  const anchor = { exact: 'galley', prefix: 'A ', suffix: ' proof', start: 2, revision: 7 }
  await write(said('Which?', { anchor }))
  expect(await deliverAll()).toEqual({ kind: 'done' })
  expect((await entries()).map(({ state }) => state)).toEqual(['delivered'])
  expect((await comments()).map(({ range }) => range)).toEqual([{ start: 2, end: 8 }])
})
