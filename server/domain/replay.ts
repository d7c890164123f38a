import { applyChanges, changesFromJson, composeAll } from './change-set.ts'
import { isHashOf } from './content-hash.ts'

/** An entry of a document's log, as far as its text follows from the text before. */
export interface ReplayedEntry {
  revision: number
  base: number
  length: number
  hash: number | null
  /** `LoggedChanges` as JSON. */
  changes: string
}

/** The text that entries make of an older one; null if they don't lead on from it, one to the next. */
export function replay(from: { revision: number; text: string }, entries: readonly ReplayedEntry[]) {
  const last = entries.at(-1)
  if (!last) return from.text
  const isChain = entries.every(({ base }, i) => base === (entries[i - 1] ?? from).revision)
  if (!isChain) return null
  try {
    const changes = entries.map((entry) => changesFromJson(JSON.parse(entry.changes)))
    const lengths = [from.text.length, ...entries.map(({ length }) => length)]
    if (!changes.every((one, i) => one.length === lengths[i] && one.newLength === lengths[i + 1])) return null
    const text = applyChanges(from.text, composeAll(changes, from.text.length))
    return text.length === last.length && isHashOf(last.hash, text) ? text : null
  } catch {
    return null
  }
}
