import { minute } from '../contract/durations.ts'
import type { DeferredWrites } from './deferred-writes.ts'

/**
 * When credentials of one kind were last used, to the minute unless said otherwise. A use is written later, so that
 * reading neither writes nor waits for whoever writes.
 */
export function lastUses(
  deferred: DeferredWrites,
  name: string,
  write: (id: string, at: number) => unknown,
  every = minute,
) {
  const waiting = deferred.addValues<number>(`last use of ${name}`, write, { small: true })
  /** As it is known now, whether or not it is written yet. */
  const known = (id: string, written: number | null) => waiting.find(id) ?? written
  return {
    known,
    note(id: string, written: number | null, at: number) {
      const before = known(id, written)
      if (before === null || at - before >= every) waiting.put(id, at)
    },
  }
}
