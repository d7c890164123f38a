import { minute } from '../contract/durations.ts'
import { limits } from '../contract/limits.ts'
import type { Db } from './database.ts'
import { digest, randomHex } from './digest.ts'

export type SignInLinkStore = ReturnType<typeof signInLinkStore>

/** What makes links work that sign a browser in: the ticket in each, which is good once, and for a while. */
export function signInLinkStore(db: Db, now: () => number) {
  const insert = db.prepare('INSERT INTO tickets (digest, user_id, expires_at) VALUES (?, ?, ?)')
  const take = db.prepare<[Buffer], { user_id: string; expires_at: number }>(
    'DELETE FROM tickets WHERE digest = ? RETURNING user_id, expires_at',
  )
  const sweep = db.prepare('DELETE FROM tickets WHERE expires_at <= ?')

  return {
    /** A one-time ticket of 192 random bits. */
    createTicket(userId: string): string {
      sweep.run(now())
      const ticket = randomHex(24)
      insert.run(digest(ticket), userId, now() + limits.signInLinkMinutes * minute)
      return ticket
    },
    /** Uses a ticket up: the id of whom it signs in, or undefined if it is unknown, used or too old. */
    take(ticket: string): string | undefined {
      const found = take.get(digest(ticket))
      return found && found.expires_at > now() ? found.user_id : undefined
    },
  }
}
