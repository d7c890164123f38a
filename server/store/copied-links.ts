import { limits } from '../contract/limits.ts'
import type { Db } from './database.ts'
import { notInTrash } from './in-trash.ts'
import { unexpired } from './expiry.ts'

export interface CopiedLinkRow {
  link: string
  label: string | null
  document: string
  title: string
  address: string
  at: number
}

/** The links that were copied, each with the address it had then. */
export function copiedLinkStore(db: Db, now: () => number) {
  const note = db.prepare(
    `INSERT INTO copied_links (link, address, at) SELECT id, ?, ? FROM share_links
     WHERE id = ? AND document = ? AND revoked_at IS NULL
     ON CONFLICT (link) DO UPDATE SET address = excluded.address, at = excluded.at`,
  )
  const others = db.prepare<[string, string, number], CopiedLinkRow>(
    `SELECT c.link, l.label, d.id AS document, d.title, c.address, c.at
     FROM copied_links c JOIN share_links l ON l.id = c.link JOIN documents d ON d.number = l.document
     WHERE d.owner_id = ? AND c.address <> ? AND ${notInTrash} AND l.revoked_at IS NULL AND ${unexpired('l')}
     ORDER BY c.at DESC, c.link LIMIT ${limits.staleLinks}`,
  )

  return {
    /** Whether there is such a link of the document. */
    note: (link: string, document: number, address: string) =>
      note.run(address, now(), link, document).changes > 0,
    /** The user's links that were copied with another address than this, and have not expired; the newest first. */
    listOther: (userId: string, address: string) => others.all(userId, address, now()),
  }
}
