import { limits } from '../contract/limits.ts'
import type { KeyKind } from '../contract/records/authors.ts'
import type { KeyAccess } from '../contract/records/keys.ts'
import type { Db } from './database.ts'
import { digest, randomHex } from './digest.ts'
import type { DeferredWrites } from './deferred-writes.ts'
import { lastUses } from './last-use.ts'
import type { Memory } from './memory.ts'
import type { UserRow } from './users.ts'
import { hasExpired } from './expiry.ts'

export interface ApiKeyRow {
  id: string
  user_id: string
  name: string
  prefix: string
  kind: KeyKind
  access: KeyAccess
  /** The ids of those that it is for; null for all. */
  documents: readonly string[] | null
  created_at: number
  last_used_at: number | null
  expires_at: number | null
}

const keyFields = 'id, user_id, name, prefix, kind, access, documents, created_at, last_used_at, expires_at'

interface StoredKey extends Omit<ApiKeyRow, 'documents'> {
  documents: string | null
}
const readKey = (row: StoredKey): ApiKeyRow => ({
  ...row,
  documents: row.documents === null ? null : (JSON.parse(row.documents) as string[]),
})

interface NewKeyFields {
  name: string
  kind?: KeyKind
  access: KeyAccess
  documents?: readonly string[] | null
  expiresAt: number | null
}

export function apiKeyStore(
  db: Db,
  memory: Memory,
  now: () => number,
  newId: () => string,
  findUser: (id: string) => UserRow | undefined,
  deferred: DeferredWrites,
) {
  const known = memory.lookup<{ row: ApiKeyRow; user: UserRow }>(['api_keys', 'users'])
  const byDigest = db.prepare<[Buffer], StoredKey>(`SELECT ${keyFields} FROM api_keys WHERE digest = ?`)
  const byId = db.prepare<[string], StoredKey>(`SELECT ${keyFields} FROM api_keys WHERE id = ?`)
  const ofUser = db.prepare<[string], StoredKey>(
    `SELECT ${keyFields} FROM api_keys WHERE user_id = ? ORDER BY created_at DESC, rowid DESC`,
  )
  const insert = db.prepare(
    'INSERT INTO api_keys (id, user_id, name, prefix, digest, kind, access, documents, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const use = db.prepare('UPDATE api_keys SET last_used_at = ? WHERE id = ?')
  const remove = db.prepare('DELETE FROM api_keys WHERE id = ? AND user_id = ?')
  const uses = lastUses(deferred, 'keys', (id, at) => use.run(at, id))

  return {
    list: (userId: string) =>
      ofUser
        .all(userId)
        .map((row) => ({ ...readKey(row), last_used_at: uses.known(row.id, row.last_used_at) })),
    /** Makes a key; the key itself is in the answer and nowhere else. */
    create(userId: string, fields: NewKeyFields) {
      const id = newId()
      const key = `gally_${randomHex(16)}`
      insert.run(
        id,
        userId,
        fields.name,
        key.slice(0, limits.keyPrefixLength),
        digest(key),
        fields.kind ?? 'script',
        fields.access,
        fields.documents ? JSON.stringify(fields.documents) : null,
        now(),
        fields.expiresAt,
      )
      return { row: readKey(byId.get(id)!), key }
    },
    /** The key's record and its user, if it is well-formed, known and not expired. */
    findValid(key: string): { row: ApiKeyRow; user: UserRow } | undefined {
      if (!/^gally_[0-9a-f]{32}$/.test(key)) return undefined
      const found = known(key, () => {
        const row = byDigest.get(digest(key))
        const user = row && findUser(row.user_id)
        return user && { row: readKey(row), user }
      })
      if (!found) return undefined
      const { row } = found
      const at = now()
      if (hasExpired(row, at)) return undefined
      uses.note(row.id, row.last_used_at, at)
      return found
    },
    delete: (id: string, userId: string) => remove.run(id, userId).changes > 0,
  }
}
