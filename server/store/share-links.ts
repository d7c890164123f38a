import type { Db } from './database.ts'
import type { Permission } from '../contract/records.ts'
import { digest, randomHex } from './digest.ts'
import { noteUse } from './last-use.ts'
import { rememberedLookup } from './remembered.ts'

export interface ShareLinkRow {
  id: string
  document: number
  created_by: string
  token: string
  permission: Permission
  label: string | null
  expires_at: number | null
  created_at: number
  last_used_at: number | null
}

const columns = 'id, document, created_by, token, permission, label, expires_at, created_at, last_used_at'

export function shareLinkStore(db: Db, now: () => number, newId: () => string) {
  const known = rememberedLookup<ShareLinkRow>(db)
  const byDigest = db.prepare<[Buffer], ShareLinkRow>(
    `SELECT ${columns} FROM share_links l WHERE digest = ? AND NOT EXISTS (
       SELECT 1 FROM documents d JOIN stopped_sharing s ON s.user_id = d.owner_id WHERE d.number = l.document)`,
  )
  const byId = db.prepare<[string], ShareLinkRow>(`SELECT ${columns} FROM share_links WHERE id = ?`)
  const ofDocument = db.prepare<[number], ShareLinkRow>(
    `SELECT ${columns} FROM share_links WHERE document = ? ORDER BY created_at DESC, rowid DESC`,
  )
  const valid = db
    .prepare<[number], number>(
      `SELECT count(*) FROM share_links l JOIN documents d ON d.number = l.document
       WHERE (l.expires_at IS NULL OR l.expires_at > ?)
       AND d.owner_id NOT IN (SELECT user_id FROM stopped_sharing)`,
    )
    .pluck()
  const insert = db.prepare(
    'INSERT INTO share_links (id, document, created_by, token, digest, permission, label, expires_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const use = db.prepare('UPDATE share_links SET last_used_at = ? WHERE id = ?')
  const remove = db.prepare('DELETE FROM share_links WHERE id = ? AND document = ?')

  return {
    list: (document: number) => ofDocument.all(document),
    /** How many links work now, of all documents. */
    countValid: () => valid.get(now())!,
    create(
      document: number,
      createdBy: string,
      fields: { permission: Permission; label: string | null; expiresAt: number | null },
    ): ShareLinkRow {
      const id = newId()
      const token = randomHex(16)
      insert.run(
        id,
        document,
        createdBy,
        token,
        digest(token),
        fields.permission,
        fields.label,
        fields.expiresAt,
        now(),
      )
      return byId.get(id)!
    },
    /** The link of a token, if it is known, not expired, and its document's owner shares; notes its use, to the minute. */
    findValid(token: string): ShareLinkRow | undefined {
      if (!/^[0-9a-f]{32}$/.test(token)) return undefined
      const row = known(token, () => byDigest.get(digest(token)))
      const at = now()
      if (!row || (row.expires_at !== null && row.expires_at <= at)) return undefined
      noteUse(row.last_used_at, at, () => use.run(at, row.id))
      return row
    },
    delete: (id: string, document: number) => remove.run(id, document).changes > 0,
  }
}
