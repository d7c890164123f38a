import { noteAuthor, type Author } from './author.ts'
import type { Db } from './database.ts'
import type { Permission } from '../contract/records/share-links.ts'
import { minute } from '../contract/durations.ts'
import { limits } from '../contract/limits.ts'
import { digest, randomHex } from './digest.ts'
import type { DeferredWrites } from './deferred-writes.ts'
import { lastUses } from './last-use.ts'
import type { Memory } from './memory.ts'
import { notInTrash } from './in-trash.ts'
import { hasExpired, unexpired } from './expiry.ts'

export interface ShareLinkRow {
  id: string
  document: number
  created_by: string
  /** A `NotedAuthor`; null where an older Galley didn’t note it. */
  made_by: string | null
  token: string
  permission: Permission
  label: string | null
  expires_at: number | null
  created_at: number
  /** Since when it has opened the document without a break: what was written before isn't for whoever holds it. */
  open_since: number
  last_used_at: number | null
  /** 1 where its holders and other recipients aren’t told of each other. */
  hides_people: 0 | 1
  /** 1 where a link to edit lets its holders suggest, but not change the text themselves. */
  suggest_only: 0 | 1
  /** 1 where agents may work on the document by it. */
  allows_agents: 0 | 1
}

/** What of a link its owner chooses. */
interface LinkChoices {
  permission: Permission
  label: string | null
  expiresAt: number | null
  hidesPeople?: boolean
  suggestOnly?: boolean
  allowsAgents?: boolean
}

const columns =
  'id, document, created_by, made_by, token, permission, label, expires_at, created_at, coalesce(open_since, created_at) AS open_since, last_used_at, hides_people, suggest_only, allows_agents'

export function shareLinkStore(
  db: Db,
  memory: Memory,
  now: () => number,
  newId: () => string,
  deferred: DeferredWrites,
) {
  // Whose a document is never changes.
  const known = memory.lookup<ShareLinkRow>(['share_links', 'stopped_sharing'])
  const byDigest = db.prepare<[Buffer], ShareLinkRow>(
    `SELECT ${columns} FROM share_links l WHERE digest = ? AND revoked_at IS NULL AND NOT EXISTS (
       SELECT 1 FROM documents d JOIN stopped_sharing s ON s.user_id = d.owner_id WHERE d.number = l.document)`,
  )
  const byId = db.prepare<[string], ShareLinkRow>(
    `SELECT ${columns} FROM share_links WHERE id = ? AND revoked_at IS NULL`,
  )
  const ofDocument = db.prepare<[number], ShareLinkRow>(
    `SELECT ${columns} FROM share_links WHERE document = ? AND revoked_at IS NULL ORDER BY created_at DESC, rowid DESC`,
  )
  const valid = db
    .prepare<[number], number>(
      `SELECT count(*) FROM share_links l JOIN documents d ON d.number = l.document
       WHERE l.revoked_at IS NULL AND ${unexpired('l')} AND ${notInTrash}
       AND d.owner_id NOT IN (SELECT user_id FROM stopped_sharing)`,
    )
    .pluck()
  const any = db
    .prepare<[number], number>(
      `SELECT EXISTS (SELECT 1 FROM share_links WHERE revoked_at IS NULL AND ${unexpired('share_links')})`,
    )
    .pluck()
  const insert = db.prepare(
    'INSERT INTO share_links (id, document, created_by, made_by, token, digest, permission, label, expires_at, hides_people, suggest_only, allows_agents, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const use = db.prepare('UPDATE share_links SET last_used_at = ? WHERE id = ?')
  const change = db.prepare(
    'UPDATE share_links SET permission = ?, label = ?, expires_at = ?, hides_people = ?, suggest_only = ?, allows_agents = ?, open_since = ? WHERE id = ? AND revoked_at IS NULL',
  )
  const revoke = db.prepare(
    'UPDATE share_links SET revoked_at = ? WHERE id = ? AND document = ? AND revoked_at IS NULL',
  )
  const restore = db.prepare(
    'UPDATE share_links SET revoked_at = NULL, open_since = ? WHERE id = ? AND document = ? AND revoked_at > ?',
  )
  const forgettable = db
    .prepare<[number], number>('SELECT EXISTS (SELECT 1 FROM share_links WHERE revoked_at <= ?)')
    .pluck()
  const kept = db
    .prepare<[string, number, number], number>(
      `SELECT EXISTS (SELECT 1 FROM share_links
       WHERE id = ? AND document = ? AND (revoked_at IS NULL OR revoked_at > ?))`,
    )
    .pluck()
  const forget = db.prepare('DELETE FROM share_links WHERE revoked_at <= ?')
  const stillThere = () => now() - limits.revokedLinkMinutes * minute
  const uses = lastUses(deferred, 'links', (id, at) => use.run(at, id))

  return {
    list: (document: number) =>
      ofDocument.all(document).map((row) => ({ ...row, last_used_at: uses.known(row.id, row.last_used_at) })),
    /** Whether somebody may hold a link that opens something, or will when its owner shares again. */
    hasAny: () => any.get(now()) === 1,
    /** How many links work now, of all documents. */
    countValid: () => valid.get(now())!,
    create(document: number, createdBy: string, fields: LinkChoices, by?: Author): ShareLinkRow {
      const id = newId()
      const token = randomHex(16)
      insert.run(
        id,
        document,
        createdBy,
        by ? noteAuthor(by) : null,
        token,
        digest(token),
        fields.permission,
        fields.label,
        fields.expiresAt,
        Number(fields.hidesPeople ?? false),
        Number(fields.suggestOnly ?? false),
        Number(fields.allowsAgents ?? false),
        now(),
      )
      return byId.get(id)!
    },
    /** The link of a token, if it is known, not expired, and its document's owner shares; notes its use, to the minute. */
    findValid(token: string): ShareLinkRow | undefined {
      if (!/^[0-9a-f]{32}$/.test(token)) return undefined
      const row = known(token, () => byDigest.get(digest(token)))
      const at = now()
      if (!row || hasExpired(row, at)) return undefined
      uses.note(row.id, row.last_used_at, at)
      return row
    },
    find(id: string, document: number): ShareLinkRow | undefined {
      const row = byId.get(id)
      return row?.document === document ? row : undefined
    },
    /** Whether it works, or was revoked so lately that it can be brought back. */
    isKept: (id: string, document: number) => kept.get(id, document, stillThere()) === 1,
    update(link: ShareLinkRow, fields: Partial<LinkChoices>): ShareLinkRow {
      const { permission = link.permission, label = link.label, expiresAt = link.expires_at } = fields
      const { hidesPeople = link.hides_people, suggestOnly = link.suggest_only } = fields
      const { allowsAgents = link.allows_agents } = fields
      const openSince = hasExpired(link, now()) ? now() : link.open_since
      const flags = [Number(hidesPeople), Number(suggestOnly), Number(allowsAgents)]
      change.run(permission, label, expiresAt, ...flags, openSince, link.id)
      return byId.get(link.id)!
    },
    /** From now on it opens nothing. False if there is no such link. */
    revoke: (id: string, document: number) => revoke.run(now(), id, document).changes > 0,
    /** A link that was revoked a moment ago is what it was; undefined if it is gone for good. */
    restore: (id: string, document: number): ShareLinkRow | undefined =>
      restore.run(now(), id, document, stillThere()).changes > 0 ? byId.get(id) : undefined,
    /** Forgets for good what was revoked longer ago. Writes only if there is something to forget. */
    forgetRevoked() {
      if (forgettable.get(stillThere())) forget.run(stillThere())
    },
  }
}
