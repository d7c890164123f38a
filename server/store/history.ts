import type { VersionKind } from '../contract/records/versions.ts'
import type { ColourStore } from './colours.ts'
import type { Db } from './database.ts'
import type { LogEntry } from './log.ts'
import { readSuggesters, type ColouredSuggester, type VersionAuthor } from './versions.ts'

type StoredEntry = Pick<
  LogEntry,
  'revision' | 'base' | 'at' | 'author_key' | 'author_name' | 'length' | 'hash' | 'changes'
> & {
  /** Of the version that ended with this change; null where none did. */
  kind: VersionKind | null
  suggested_by: string | null
}
/** An entry of the log, and who made it. */
export type HistoryRow = Omit<StoredEntry, 'suggested_by'> &
  VersionAuthor & { colour: number | undefined; suggesters: readonly ColouredSuggester[] }

/** The log as it is read from its beginning on, in parts that take little time each. */
export function historyStore(db: Db, colours: ColourStore) {
  const after = db.prepare<[number, number], StoredEntry>(
    `SELECT c.revision, base, at, c.author_key, c.author_name, length, hash, changes, kind, suggested_by
     FROM changes c LEFT JOIN versions v ON v.document = c.document AND v.revision = c.revision
     WHERE c.document = ? AND c.revision > ? ORDER BY c.revision`,
  )
  // Guests have no account, and may be many; of them only agents are told from others.
  const accounts = db.prepare<[number], VersionAuthor & { author_key: string }>(
    `SELECT author_key, author_id, key_name, key_kind FROM versions
     WHERE document = ? AND (author_key NOT GLOB 'guest:*' OR key_kind = 'agent') GROUP BY author_key`,
  )

  return {
    /** The entries after a revision, oldest first: at most so many, and with more than one at most so many characters. */
    list(document: number, revision: number, most: { entries: number; characters: number }): HistoryRow[] {
      const rows: StoredEntry[] = []
      let characters = 0
      for (const row of after.iterate(document, revision)) {
        characters += row.changes.length
        if (rows.length > 0 && characters > most.characters) break
        rows.push(row)
        if (rows.length === most.entries) break
      }
      const known = new Map(accounts.all(document).map((one) => [one.author_key, one]))
      const nobody: VersionAuthor = { author_id: null, key_name: null, key_kind: null }
      return rows.map(({ suggested_by, ...row }) => {
        const { author_id, key_name, key_kind } = known.get(row.author_key) ?? nobody
        const made = { ...row, author_id, key_name, key_kind }
        return {
          ...made,
          colour: colours.find(document, made),
          suggesters: readSuggesters(document, suggested_by, colours),
        }
      })
    },
  }
}
