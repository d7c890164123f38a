import { leftByGuests } from '../domain/guest-versions.ts'
import type { Db } from './database.ts'

export function guestVersionStore(db: Db, now: () => number) {
  const newestFirst = db.prepare<[number], { author_key: string; created_at: number; size: number }>(
    'SELECT author_key, created_at, size FROM versions WHERE document = ? ORDER BY revision DESC',
  )
  function* versions(document: number) {
    for (const { author_key, created_at, size } of newestFirst.iterate(document))
      yield { byGuest: author_key.startsWith('guest:'), at: created_at, size }
  }
  return {
    /** Characters that guests have lately left in versions of a document, as `leftByGuests` counts. */
    left: (document: number) => leftByGuests(versions(document), now()),
  }
}
