import { isMutation } from '../../feedback/message.ts'
import { withBody, type Entry, type NewEntry } from './entry.ts'
import type { EntryStore } from './entries.ts'

/**
 * Keeps a message until it is delivered. What is done to the same again, but otherwise, takes the place of what waits.
 */
export async function keep(store: EntryStore, message: NewEntry): Promise<Entry> {
  if (isMutation(message)) {
    const { kind, target, body, token } = message
    const before = (await store.list(token)).find(
      (entry) =>
        isMutation(entry) &&
        entry.kind === kind &&
        entry.target === target &&
        // One reaction is beside another.
        (entry.kind !== 'react' || message.kind !== 'react' || entry.body.reaction === message.body.reaction),
    )
    const changed =
      before &&
      (await store.change(before.order, (entry) =>
        entry.state === 'delivered' ? undefined : withBody(entry, body),
      ))
    if (changed) return changed
  }
  return store.add(message)
}
