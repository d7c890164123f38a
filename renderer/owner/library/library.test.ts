import { expect, it } from 'vitest'
import { ApiError, type ApiClient } from '../../api/client.ts'
import { Library } from './library.svelte.ts'

function scene(count: number) {
  let all = Array.from({ length: count }, (_, i) => ({
    id: `id${i}`,
    title: `Document ${count - i}`,
    created_at: `2026-01-01T00:00:00.${String(i % 1000).padStart(3, '0')}Z`,
    updated_at: '2026-01-02T00:00:00.000Z',
  }))
  let away = false
  const asked: object[] = []
  const api = {
    url: () => '',
    call(_name: string, { query }: { query: { limit: number; offset: number; q?: string } }) {
      asked.push(query)
      if (away) return Promise.reject(new ApiError('OFFLINE', 0, 'Galley can’t be reached right now.'))
      const found = query.q ? all.filter(({ title }) => title.includes(query.q!)) : all
      return Promise.resolve(found.slice(query.offset, query.offset + query.limit))
    },
  } as unknown as ApiClient
  return {
    library: new Library(api),
    asked,
    goAway: (value: boolean) => (away = value),
    change: (next: (items: typeof all) => typeof all) => (all = next(all)),
  }
}

it('loads a page at a time', async () => {
  const { library } = scene(250)
  await library.load()
  expect(library.items.length).toBe(100)
  await library.loadMore()
  await library.loadMore()
  expect(library.items.length).toBe(250)
  expect(library.hasMore).toBe(false)
})
it('fetches as much as was there when it looks again', async () => {
  const { library, change } = scene(250)
  await library.load()
  await library.loadMore()
  change((items) => items.slice(1))
  await library.load()
  expect(library.items[0]!.id).toBe('id1')
  expect(library.items.length).toBe(200)
})
it('loads everything before it sorts by anything but the last change', async () => {
  const { library } = scene(250)
  await library.load()
  await library.sortBy('title')
  expect(library.sorted.length).toBe(250)
  expect(library.sorted.slice(0, 2).map(({ title }) => title)).toEqual(['Document 1', 'Document 2'])
  expect(library.sorted.at(-1)!.title).toBe('Document 250')
})
it('shows what a search finds in the order of the search', async () => {
  const { library } = scene(30)
  await library.load()
  await library.sortBy('title')
  await library.search('Document 2')
  expect(library.sorted.map(({ id }) => id)).toEqual(library.items.map(({ id }) => id))
  expect(library.items.every(({ title }) => title.includes('Document 2'))).toBe(true)
})
it('keeps the list on show while the server is away, and says so', async () => {
  const { library, goAway } = scene(3)
  await library.load()
  goAway(true)
  await library.load()
  expect(library.state).toBe('failed')
  expect(library.items.length).toBe(3)
  goAway(false)
  await library.load()
  expect(library.state).toBe('ready')
})
