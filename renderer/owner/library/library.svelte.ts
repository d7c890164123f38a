import type { ApiClient } from '../../api/client.ts'
import { ApiError } from '../../api/client.ts'
import type { Document, SearchHit } from '../../../server/contract/records/documents.ts'

export type Sort = 'updated' | 'created' | 'title'
const page = 100
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** The list of documents: what was asked for, what has come so far, and what went wrong. */
export class Library<Item extends SearchHit = SearchHit> {
  items = $state.raw<Item[]>([])
  state = $state<'loading' | 'ready' | 'failed'>('loading')
  problem = $state('')
  hasMore = $state(false)
  query = $state('')
  /** Where the list was left, to come back to: how far it was scrolled, and the document that was opened. */
  left: { search: string; scroll: number; id: string | null } | null = null
  sort = $state<Sort>('updated')
  readonly #api: ApiClient
  readonly #route: 'listDocuments' | 'listTrash'
  #request: AbortController | null = null
  #more: Promise<void> | null = null

  constructor(api: ApiClient, route: 'listDocuments' | 'listTrash' = 'listDocuments') {
    this.#api = api
    this.#route = route
  }

  /** The documents in the order asked for; what a search found stays in the order of its ranking. */
  readonly sorted = $derived.by(() => {
    if (this.query.trim() !== '' || this.sort === 'updated') return this.items
    const by = this.sort
    return this.items.toSorted((a, b) =>
      by === 'title' ? collator.compare(a.title, b.title) : b.created_at < a.created_at ? -1 : 1,
    )
  })

  search(query: string): Promise<void> {
    this.query = query
    return this.load()
  }

  sortBy(sort: Sort): Promise<void> {
    this.sort = sort
    return this.#loadRest()
  }

  /** Fetches the list anew, as much of it as was there before. What is shown stays until the answer has come. */
  async load(): Promise<void> {
    this.#request?.abort()
    const request = (this.#request = new AbortController())
    const wanted = Math.max(page, this.items.length)
    if (this.state === 'failed') this.state = 'loading'
    try {
      const items: Item[] = []
      let more = true
      while (more && items.length < wanted) {
        const next = await this.#fetch(items.length, request.signal)
        more = next.length === page
        items.push(...next)
      }
      if (request.signal.aborted) return
      if (!sameList(items, this.items)) this.items = unique(items)
      this.hasMore = more
      this.state = 'ready'
      await this.#loadRest()
    } catch (error) {
      if (request.signal.aborted) return
      this.problem = error instanceof ApiError ? error.message : 'Something went wrong.'
      this.state = 'failed'
    }
  }

  /** Fetches the next documents, where there are more. */
  loadMore(): Promise<void> {
    if (!this.hasMore || this.state !== 'ready') return Promise.resolve()
    this.#more ??= this.#fetchMore().finally(() => (this.#more = null))
    return this.#more
  }

  /** Puts a document that was just changed here where it belongs, without asking the server. */
  put({ id, title, created_at, updated_at }: Document): void {
    const before = this.items.find((other) => other.id === id)
    const item = { ...before, id, title, created_at, updated_at } as Item
    this.items = [item, ...this.items.filter((other) => other.id !== id)]
  }

  remove(id: string): void {
    this.items = this.items.filter((item) => item.id !== id)
  }

  async #fetchMore(): Promise<void> {
    try {
      const next = await this.#fetch(this.items.length, this.#request?.signal)
      this.hasMore = next.length === page
      this.items = unique([...this.items, ...next])
    } catch {
      // The next look at the list, seconds from now, tries again.
      this.hasMore = false
    }
  }

  // The server sorts by the last change only; another order needs the whole list.
  async #loadRest(): Promise<void> {
    while (this.sort !== 'updated' && this.query.trim() === '' && this.hasMore) await this.loadMore()
  }

  #fetch(offset: number, signal?: AbortSignal): Promise<Item[]> {
    const q = this.query.trim() || undefined
    return this.#api.call(this.#route, {
      query: { limit: page, offset, q, ...(this.#route === 'listDocuments' ? { details: true } : {}) },
      ...(signal ? { signal } : {}),
    }) as Promise<Item[]>
  }
}

const sameList = (a: SearchHit[], b: SearchHit[]) =>
  a.length === b.length &&
  a.every((item, i) => {
    const other = b[i]!
    return (
      item.id === other.id &&
      item.updated_at === other.updated_at &&
      item.title === other.title &&
      item.snippet === other.snippet &&
      item.excerpt === other.excerpt &&
      item.unseen_feedback === other.unseen_feedback &&
      item.unseen_reviews === other.unseen_reviews
    )
  })
// A document that moved up between two pages comes twice.
const unique = <Item extends SearchHit>(items: Item[]) => [
  ...new Map(items.map((item) => [item.id, item])).values(),
]
