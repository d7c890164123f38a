import { day, hour } from '../contract/durations.ts'
import { limits } from '../contract/limits.ts'
import type { Db } from './database.ts'
import { digest, randomHex } from './digest.ts'
import type { DeferredWrites } from './deferred-writes.ts'
import { lastUses } from './last-use.ts'
import type { Memory } from './memory.ts'
import type { SignInLinkStore } from './sign-in-links.ts'
import type { UserRow } from './users.ts'

export function sessionStore(
  db: Db,
  memory: Memory,
  now: () => number,
  findUser: (id: string) => UserRow | undefined,
  deferred: DeferredWrites,
  signInLinks: SignInLinkStore,
) {
  const known = memory.lookup<{ user: UserRow; digest: Buffer; usedAt: number }>(['sessions', 'users'])
  const fresh = deferred.addValues<{ user: UserRow; digest: Buffer; usedAt: number }>(
    'sessions',
    (_name, { user, digest, usedAt }) => void insert.run(digest, user.id, usedAt, usedAt),
    { delay: 0, small: true },
  )
  const idle = limits.sessionDays * day
  const insert = db.prepare(
    'INSERT INTO sessions (digest, user_id, created_at, last_used_at) VALUES (?, ?, ?, ?)',
  )
  const byDigest = db.prepare<[Buffer], { user_id: string; last_used_at: number }>(
    'SELECT user_id, last_used_at FROM sessions WHERE digest = ?',
  )
  const use = db.prepare('UPDATE sessions SET last_used_at = ? WHERE digest = ?')
  const remove = db.prepare('DELETE FROM sessions WHERE digest = ?')
  const uses = lastUses(deferred, 'sessions', (name, at) => use.run(at, Buffer.from(name, 'hex')), hour)
  const sweepSessions = db.prepare('DELETE FROM sessions WHERE last_used_at <= ?')

  return {
    /**
     * A session for whoever needs no ticket; its secret. It is good at once and written a moment later, so that a window
     * opens also where nothing can be written.
     */
    create(userId: string): string {
      const secret = randomHex(32)
      const key = digest(secret)
      fresh.put(key.toString('hex'), { user: findUser(userId)!, digest: key, usedAt: now() })
      return secret
    },
    /** Uses a ticket up; the new session's secret, or undefined if the ticket is unknown, used or too old. */
    exchange: db.transaction((ticket: string): { secret: string; userId: string } | undefined => {
      const userId = signInLinks.take(ticket)
      if (userId === undefined) return undefined
      sweepSessions.run(now() - idle)
      const secret = randomHex(32)
      insert.run(digest(secret), userId, now(), now())
      return { secret, userId }
    }).immediate,
    /** The session's user and digest (its stable name), if it is known and not idle too long. */
    findValid(secret: string): { user: UserRow; digest: Buffer } | undefined {
      const key = digest(secret)
      const unwritten = fresh.find(key.toString('hex'))
      const found =
        unwritten ??
        known(secret, () => {
          const row = byDigest.get(key)
          const user = row && findUser(row.user_id)
          return user && { user, digest: key, usedAt: row.last_used_at }
        })
      const at = now()
      if (!found) return undefined
      const name = found.digest.toString('hex')
      if (at - uses.known(name, found.usedAt)! >= idle) return undefined
      uses.note(name, found.usedAt, at)
      return found
    },
    delete(key: Buffer) {
      fresh.drop(key.toString('hex'))
      remove.run(key)
    },
  }
}
