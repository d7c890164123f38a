import type { Db } from './database.ts'
import { notInTrash } from './in-trash.ts'
import { unexpired } from './expiry.ts'

/** Whether a user shares at all. What stops is every link at once, and it comes back as it was. */
export function sharingStore(db: Db, now: () => number) {
  const find = db.prepare<[string], number>('SELECT at FROM stopped_sharing WHERE user_id = ?').pluck()
  const stop = db.prepare('INSERT INTO stopped_sharing (user_id, at) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const start = db.prepare('DELETE FROM stopped_sharing WHERE user_id = ?')
  const reopen = db.prepare(
    'UPDATE share_links SET open_since = ? WHERE document IN (SELECT number FROM documents WHERE owner_id = ?)',
  )
  const links = db
    .prepare<[string, number], number>(
      `SELECT count(*) FROM share_links l JOIN documents d ON d.number = l.document
       WHERE d.owner_id = ? AND ${notInTrash} AND l.revoked_at IS NULL AND ${unexpired('l')}`,
    )
    .pluck()

  return {
    /** Since when nothing of the user's is shared; undefined if it is. */
    stoppedAt: (userId: string) => find.get(userId),
    stop: (userId: string) => void stop.run(userId, now()),
    start(userId: string) {
      if (start.run(userId).changes > 0) reopen.run(now(), userId)
    },
    /** How many of the user's links have not expired, whether or not sharing is stopped. */
    countLinks: (userId: string) => links.get(userId, now())!,
  }
}
