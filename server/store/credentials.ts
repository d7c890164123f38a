import type { Db } from './database.ts'
import { digest, randomHex } from './digest.ts'
import { noteUse } from './last-use.ts'
import { limits } from '../contract/limits.ts'

export interface ApiKeyRow {
  id: string
  user_id: string
  name: string
  prefix: string
  access: 'full' | 'read'
  created_at: number
  last_used_at: number | null
  expires_at: number | null
}

/** `last_used_at` is kept to the minute, so that reading doesn't mean writing. */
const usedEvery = 60_000
const keyFields = 'id, user_id, name, prefix, access, created_at, last_used_at, expires_at'

export function apiKeyStore(db: Db, now: () => number, newId: () => string) {
  const byDigest = db.prepare<[Buffer], ApiKeyRow>(`SELECT ${keyFields} FROM api_keys WHERE digest = ?`)
  const byId = db.prepare<[string], ApiKeyRow>(`SELECT ${keyFields} FROM api_keys WHERE id = ?`)
  const ofUser = db.prepare<[string], ApiKeyRow>(
    `SELECT ${keyFields} FROM api_keys WHERE user_id = ? ORDER BY created_at DESC, rowid DESC`,
  )
  const insert = db.prepare(
    'INSERT INTO api_keys (id, user_id, name, prefix, digest, access, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const use = db.prepare('UPDATE api_keys SET last_used_at = ? WHERE id = ?')
  const remove = db.prepare('DELETE FROM api_keys WHERE id = ? AND user_id = ?')

  return {
    list: (userId: string) => ofUser.all(userId),
    /** Makes a key; the key itself is in the answer and nowhere else. */
    create(userId: string, fields: { name: string; access: 'full' | 'read'; expiresAt: number | null }) {
      const id = newId()
      const key = `gally_${randomHex(16)}`
      insert.run(
        id,
        userId,
        fields.name,
        key.slice(0, 12),
        digest(key),
        fields.access,
        now(),
        fields.expiresAt,
      )
      return { row: byId.get(id)!, key }
    },
    /** The key's record, if it is well-formed, known and not expired. */
    findValid(key: string): ApiKeyRow | undefined {
      if (!/^gally_[0-9a-f]{32}$/.test(key)) return undefined
      const row = byDigest.get(digest(key))
      const at = now()
      if (!row || (row.expires_at !== null && row.expires_at <= at)) return undefined
      if (row.last_used_at === null || at - row.last_used_at >= usedEvery) noteUse(() => use.run(at, row.id))
      return row
    },
    delete: (id: string, userId: string) => remove.run(id, userId).changes > 0,
  }
}

export function sessionStore(db: Db, now: () => number) {
  const idle = limits.sessionDays * 24 * 60 * 60_000
  const insertTicket = db.prepare('INSERT INTO tickets (digest, user_id, expires_at) VALUES (?, ?, ?)')
  const takeTicket = db.prepare<[Buffer], { user_id: string; expires_at: number }>(
    'DELETE FROM tickets WHERE digest = ? RETURNING user_id, expires_at',
  )
  const insert = db.prepare(
    'INSERT INTO sessions (digest, user_id, created_at, last_used_at) VALUES (?, ?, ?, ?)',
  )
  const byDigest = db.prepare<[Buffer], { user_id: string; last_used_at: number }>(
    'SELECT user_id, last_used_at FROM sessions WHERE digest = ?',
  )
  const use = db.prepare('UPDATE sessions SET last_used_at = ? WHERE digest = ?')
  const remove = db.prepare('DELETE FROM sessions WHERE digest = ?')
  const sweepSessions = db.prepare('DELETE FROM sessions WHERE last_used_at <= ?')
  const sweepTickets = db.prepare('DELETE FROM tickets WHERE expires_at <= ?')

  return {
    /** A one-time sign-in ticket of 192 random bits. */
    createTicket(userId: string): string {
      sweepTickets.run(now())
      const ticket = randomHex(24)
      insertTicket.run(digest(ticket), userId, now() + limits.ticketMinutes * 60_000)
      return ticket
    },
    /** Uses a ticket up; the new session's secret, or undefined if the ticket is unknown, used or too old. */
    exchange: db.transaction((ticket: string): { secret: string; userId: string } | undefined => {
      const found = takeTicket.get(digest(ticket))
      if (!found || found.expires_at <= now()) return undefined
      sweepSessions.run(now() - idle)
      const secret = randomHex(32)
      insert.run(digest(secret), found.user_id, now(), now())
      return { secret, userId: found.user_id }
    }).immediate,
    /** The session's user id and digest (its stable name), if it is known and not idle too long. */
    findValid(secret: string): { userId: string; digest: Buffer } | undefined {
      const key = digest(secret)
      const row = byDigest.get(key)
      const at = now()
      if (!row || at - row.last_used_at >= idle) return undefined
      if (at - row.last_used_at >= 60 * usedEvery) noteUse(() => use.run(at, key))
      return { userId: row.user_id, digest: key }
    },
    delete: (key: Buffer) => void remove.run(key),
  }
}
