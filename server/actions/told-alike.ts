import type { AlikeWords } from '../contract/records/changes.ts'
import type { Store } from '../store/store.ts'

/**
 * What of the last changes was written alike by others. It is for editors that are open, whose undo it concerns, and so
 * is kept for as long as the server runs.
 */
const known = new WeakMap<Store, Map<string, readonly AlikeWords[]>>()
const most = 1_000

interface MadeChange {
  client_id: string | null
  client_number: number | null
}

const nameOf = (document: number, { client_id, client_number }: MadeChange) =>
  `${document} ${client_id} ${client_number}`

export function keepAlike(
  store: Store,
  document: number,
  change: MadeChange,
  words: readonly AlikeWords[],
): void {
  if (words.length === 0) return
  const all = known.get(store) ?? new Map<string, readonly AlikeWords[]>()
  known.set(store, all)
  all.set(nameOf(document, change), words)
  if (all.size > most) all.delete(all.keys().next().value!)
}

/** What is told of that with a change. */
export function alikeOf(store: Store, document: number, change: MadeChange): { alike?: AlikeWords[] } {
  const words = known.get(store)?.get(nameOf(document, change))
  return words ? { alike: [...words] } : {}
}
