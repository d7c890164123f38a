import { fresh, type Entry } from '../entry.ts'
import type { EntryStore } from '../entries.ts'

/** Entries as the browser’s database has them, for tests: Node has no such database. */
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
    restore: (entry) => Promise.resolve(all.set(entry.order, entry)),
  }
}
