import { fresh, type Entry, type NewEntry } from './entry.ts'

/** Where entries are kept. Each call is one step that no other tab comes between. */
export interface EntryStore {
  add(entry: NewEntry): Promise<Entry>
  /** Those of one link, in order. */
  list(token: string): Promise<Entry[]>
  /**
   * Puts what `change` makes of an entry in its place, or removes it for null; leaves it alone for undefined. Resolves
   * to what stands there now; undefined where there was nothing or it was left alone.
   */
  change(order: number, change: (entry: Entry) => Entry | null | undefined): Promise<Entry | null | undefined>
}

const result = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The browser’s storage failed.'))
  })

/** Entries in IndexedDB, which pages and their worker share. */
export function indexedDbEntries(): EntryStore {
  let database: Promise<IDBDatabase> | null = null
  const open = () => {
    database ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('galley-outbox', 1)
      request.onupgradeneeded = () =>
        request.result
          .createObjectStore('entries', { keyPath: 'order', autoIncrement: true })
          .createIndex('token', 'token')
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error ?? new Error('The browser’s storage can’t be opened.'))
    }).catch((error: unknown) => {
      database = null
      throw error
    })
    return database
  }
  /** Resolves only once what was changed is safe. */
  const write = async <T>(work: (entries: IDBObjectStore) => Promise<T>) => {
    const transaction = (await open()).transaction('entries', 'readwrite', { durability: 'strict' })
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error ?? new Error('The browser’s storage is full.'))
    })
    const [answer] = await Promise.all([work(transaction.objectStore('entries')), done])
    return answer
  }
  return {
    add: (entry) =>
      write(async (entries) => {
        const { order: _, ...rest } = fresh(entry, 0)
        const order = await result(entries.add(rest))
        return fresh(entry, order as number)
      }),
    async list(token) {
      const entries = (await open()).transaction('entries').objectStore('entries')
      return (await result(entries.index('token').getAll(token))) as Entry[]
    },
    change: (order, change) =>
      write(async (entries) => {
        const entry = (await result(entries.get(order))) as Entry | undefined
        const changed = entry && change(entry)
        if (changed === null) await result(entries.delete(order))
        else if (changed) await result(entries.put(changed))
        return changed
      }),
  }
}

/** Entries that last as long as the page: for browsers that keep nothing. */
export function memoryEntries(): EntryStore {
  const all = new Map<number, Entry>()
  let last = 0
  return {
    add(entry) {
      const added = fresh(entry, ++last)
      all.set(added.order, added)
      return Promise.resolve(added)
    },
    list: (token) => Promise.resolve([...all.values()].filter((entry) => entry.token === token)),
    change(order, change) {
      const entry = all.get(order)
      const changed = entry && change(entry)
      if (changed === null) all.delete(order)
      else if (changed) all.set(order, changed)
      return Promise.resolve(changed)
    },
  }
}
