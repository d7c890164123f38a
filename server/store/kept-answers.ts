import type { Db } from './database.ts'

export interface KeptAnswer {
  /** Digest of the request that was answered. */
  request: Buffer
  sealed: Buffer
}

/** Answers that are given again to a request that is made again, by a name that only its caller can say; for a day. */
export function keptAnswerStore(db: Db, now: () => number) {
  const lifetime = 24 * 60 * 60 * 1000
  const one = db.prepare<[Buffer, number], KeptAnswer>(
    'SELECT request, sealed FROM kept_answers WHERE name = ? AND at > ?',
  )
  const put = db.prepare(
    'INSERT OR REPLACE INTO kept_answers (name, request, at, sealed) VALUES (?, ?, ?, ?)',
  )
  const sweep = db.prepare('DELETE FROM kept_answers WHERE at <= ?')

  return {
    find: (name: Buffer) => one.get(name, now() - lifetime),
    /** Inside the transaction of what is answered, so that both are kept or neither is. */
    keep(name: Buffer, { request, sealed }: KeptAnswer) {
      sweep.run(now() - lifetime)
      put.run(name, request, now(), sealed)
    },
  }
}
