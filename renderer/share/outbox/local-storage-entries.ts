import { browserStorage } from '../../feedback/feedback-drafts.ts'
import { fresh, type Entry } from './entry.ts'
import type { EntryStore } from './entries.ts'

export interface FallbackStore extends EntryStore {
  /** Whether an entry of this fallback outlives the page. */
  lasts: (order: number) => boolean
}

const prefix = 'galley.outbox.'
/** The orders of the fallback’s entries come after all that a database ever counts. */
const first = 2 ** 52
export const isInFallback = (order: number) => order >= first

/**
 * Entries beside the drafts, in `localStorage`, for browsers whose database takes none. What finds no room there either
 * lasts as long as the page.
 */
export function localStorageEntries(storage: Storage | null = browserStorage()): FallbackStore {
  const loose = new Map<number, Entry>()
  let last = first

  const read = (order: number): Entry | null => {
    try {
      return JSON.parse(storage?.getItem(prefix + order) ?? 'null') as Entry | null
    } catch {
      return null
    }
  }
  const find = (order: number) => loose.get(order) ?? read(order)
  const put = (entry: Entry) => {
    loose.set(entry.order, entry)
    try {
      storage?.setItem(prefix + entry.order, JSON.stringify(entry))
      if (storage) loose.delete(entry.order)
    } catch {
      // There may be room later.
    }
  }
  const remove = (order: number) => {
    loose.delete(order)
    try {
      storage?.removeItem(prefix + order)
    } catch {
      // Nothing was stored.
    }
  }
  const orders = () => {
    const all = new Set(loose.keys())
    for (let at = 0; at < (storage?.length ?? 0); at++) {
      const key = storage?.key(at)
      if (key?.startsWith(prefix)) all.add(Number(key.slice(prefix.length)))
    }
    return [...all].sort((one, other) => one - other)
  }

  return {
    add(entry) {
      // By the clock, as other tabs add theirs, perhaps in the same millisecond.
      do last = Math.max(last + 1, first + Date.now())
      while (find(last))
      const added = fresh(entry, last)
      put(added)
      return Promise.resolve(added)
    },
    list(token) {
      for (const entry of loose.values()) put(entry)
      const all = orders().flatMap((order) => find(order) ?? [])
      return Promise.resolve(all.filter((entry) => entry.token === token))
    },
    change(order, change) {
      const entry = find(order)
      const changed = entry && change(entry)
      if (changed === null && entry) remove(order)
      else if (changed) put(changed)
      return Promise.resolve(entry ? changed : undefined)
    },
    restore: (entry) => Promise.resolve(put(entry)),
    lasts: (order) => !loose.has(order),
  }
}
