import { resultOf } from '../../ui/database-result.ts'
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
  /** Puts back an entry that was removed, as it was. */
  restore(entry: Entry): Promise<unknown>
}

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
    })
    return database
  }
  /** Browsers drop connections, some without saying so: what fails is tried once more, on a new one. */
  const step = async <T>(work: (database: IDBDatabase) => Promise<T>): Promise<T> => {
    const used = open()
    try {
      return await work(await used)
    } catch {
      void used.then(
        (dropped) => dropped.close(),
        () => undefined,
      )
      if (database === used) database = null
    }
    const again = open()
    try {
      return await work(await again)
    } catch (error) {
      if (database === again) database = null
      throw error
    }
  }
  /** Resolves only once what was changed is safe. */
  const write = <T>(work: (entries: IDBObjectStore) => Promise<T>) =>
    step(async (opened) => {
      const transaction = opened.transaction('entries', 'readwrite', { durability: 'strict' })
      const done = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve()
        transaction.onabort = () => reject(transaction.error ?? new Error('The browser’s storage is full.'))
      })
      const [answer] = await Promise.all([work(transaction.objectStore('entries')), done])
      return answer
    })
  return {
    add: (entry) =>
      write(async (entries) => {
        // A connection may have been lost after all was written.
        const all = (await resultOf(entries.index('token').getAll(entry.token))) as Entry[]
        const same = all.find(({ key }) => key === entry.key)
        if (same) return same
        const { order: _, ...rest } = fresh(entry, 0)
        const order = await resultOf(entries.add(rest))
        return fresh(entry, order as number)
      }),
    list: (token) =>
      step(async (opened) => {
        const entries = opened.transaction('entries').objectStore('entries')
        return (await resultOf(entries.index('token').getAll(token))) as Entry[]
      }),
    change: (order, change) =>
      write(async (entries) => {
        const entry = (await resultOf(entries.get(order))) as Entry | undefined
        const changed = entry && change(entry)
        if (changed === null) await resultOf(entries.delete(order))
        else if (changed) await resultOf(entries.put(changed))
        return changed
      }),
    restore: (entry) => write((entries) => resultOf(entries.put(entry))),
  }
}
