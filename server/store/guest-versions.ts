import { leftByGuests } from '../domain/guest-versions.ts'
import type { Db } from './database.ts'

export function guestVersionStore(db: Db, now: () => number) {
  const newestFirst = db.prepare<[number], { author_key: string; created_at: number; added: number }>(
    'SELECT author_key, created_at, added FROM versions WHERE document = ? ORDER BY revision DESC',
  )
  function* versions(document: number) {
    for (const { author_key, created_at, added } of newestFirst.iterate(document))
      yield { byGuest: author_key.startsWith('guest:'), at: created_at, added }
  }
  return {
    /** Characters that guests have lately put into a document, as `leftByGuests` counts. */
    left: (document: number) => leftByGuests(versions(document), now()),
  }
}
