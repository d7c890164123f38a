import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DocumentNews } from '../api/document-news.ts'
import { OptimisticList } from './optimistic-list.svelte.ts'
import { wantedOf } from './wanted.ts'

interface Item {
  id: string
  parent_id: string | null
  created_at: string
  updated_at: string
}

/** The server's list, which says what it changes and answers what is asked for, as the interface has it. */
class Server {
  items: Item[] = []
  asked: (string | null)[] = []
  #time = 0
  readonly #at = () => new Date(this.#time++).toISOString()

  add(id: string, parent_id: string | null = null): DocumentNews {
    const at = this.#at()
    this.items.push({ id, parent_id, created_at: at, updated_at: at })
    return this.#news({ ids: [id], gone: [] })
  }
  change(item: Item): DocumentNews {
    this.items = this.items.map((one) => (one === item ? { ...item, updated_at: this.#at() } : one))
    return this.#news({ ids: [item.id], gone: [] })
  }
  remove(item: Item): DocumentNews {
    this.items = this.items.filter(({ id, parent_id }) => id !== item.id && parent_id !== item.id)
    return this.#news({ ids: [], gone: [item.id] })
  }
  readonly list = (query?: { since: string }) => {
    this.asked.push(query?.since ?? null)
    return Promise.resolve(
      this.items.filter(({ updated_at }) => query === undefined || updated_at >= query.since),
    )
  }
  #news(named: { ids: string[]; gone: string[] }): DocumentNews {
    return { type: 'changed', document_id: 'd', what: 'comments', ...named }
  }
}

const load = (list: OptimisticList<Item>, server: Server, news: readonly DocumentNews[] | null) =>
  list.load(server.list, wantedOf('comments', news, false))
const byId = (items: readonly Item[]) => [...items].sort((a, b) => (a.id < b.id ? -1 : 1))

test('asking for what changed gives the same list as asking for all of it, whatever changes', async () => {
  const step = fc.record({ what: fc.constantFrom('add', 'reply', 'change', 'remove'), which: fc.nat(50) })
  const property = async (batches: { what: string; which: number }[][]) => {
    const server = new Server()
    const list = new OptimisticList<Item>()
    let made = 0
    await list.load(server.list)
    for (const batch of batches) {
      const news = batch.map(({ what, which }) => {
        const item = server.items[which % Math.max(server.items.length, 1)]
        if (what === 'add' || !item) return server.add(String(made++))
        if (what === 'reply') return server.add(String(made++), item.parent_id ?? item.id)
        return what === 'change' ? server.change(item) : server.remove(item)
      })
      await load(list, server, news)
      expect(byId(list.items)).toEqual(byId(server.items))
    }
  }
  await fc.assert(fc.asyncProperty(fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 12 }), property))
})

test('only what changed is asked for, and nothing where nothing did', async () => {
  const server = new Server()
  const list = new OptimisticList<Item>()
  for (const id of ['a', 'b', 'c']) server.add(id)
  await list.load(server.list)
  const [first] = server.items
  server.asked = []
  await load(list, server, [server.add('d')])
  await load(list, server, [server.remove(first!)])
  await load(list, server, ['silence', { type: 'changed', document_id: 'd', what: 'suggestions' }])
  await load(list, server, [])
  expect(server.asked.every((since) => since !== null)).toBe(true)
  expect(list.items.map(({ id }) => id)).toEqual(['b', 'c', 'd'])
  await load(list, server, null)
  expect(server.asked.at(-1)).toBeNull()
})

test('where what came lacks something, or something was confirmed meanwhile, all of it is asked for', async () => {
  const server = new Server()
  const list = new OptimisticList<Item>()
  server.add('a')
  await list.load(server.list)
  const news: DocumentNews = { type: 'changed', document_id: 'd', what: 'comments', ids: ['x'], gone: [] }
  server.asked = []
  await load(list, server, [news])
  expect(server.asked).toEqual([expect.any(String), null])

  const added = server.add('b')
  const answered = server.list
  const loading = list.load(
    (query) => {
      if (query) list.confirm((items) => items)
      return answered(query)
    },
    wantedOf('comments', [added], false),
  )
  await loading
  expect(list.items.map(({ id }) => id)).toEqual(['a', 'b'])
})

test('it is known in which text an item has its place, until one is confirmed without that', async () => {
  const server = new Server()
  const list = new OptimisticList<Item>()
  for (const id of ['a', 'b']) server.add(id)
  let revision = 4
  const ask = (news: readonly DocumentNews[] | null) =>
    list.load(
      async (query, placedIn) => {
        const items = await server.list(query)
        placedIn(revision)
        return items
      },
      wantedOf('comments', news, false),
    )
  const known = () => ['a', 'b', 'c'].map((id) => list.placedIn(id))
  await ask(null)
  expect(known()).toEqual([4, 4, undefined])
  revision = 6
  await ask([server.add('c')])
  expect(list.placedIn('a')).toBe(4)
  expect(list.placedIn('c')).toBe(6)
  list.confirm((items) => items.map((item) => (item.id === 'a' ? { ...item } : item)))
  expect(list.placedIn('a')).toBeUndefined()
  expect(list.placedIn('c')).toBe(6)
  // What asks for others asks for it, too: the answer that was to tell it may have been outrun.
  await ask([server.add('d')])
  expect(list.placedIn('a')).toBe(6)
  revision = 7
  await ask(null)
  expect(known()).toEqual([7, 7, 7])
})
