import type { Anchor, Range } from '../contract/records/anchors.ts'
import type { SuggestionStatus } from '../contract/records/suggestions.ts'
import { readAnchor, readRange } from './comments.ts'
import type { Db } from './database.ts'
import type { Author } from './author.ts'

export interface SuggestionRow {
  id: string
  document: number
  author_id: string | null
  author_key: string
  author_name: string
  key_name: string | null
  status: SuggestionStatus
  anchor: Anchor | null
  range: Range | null
  created_at: number
  resolved_at: number | null
  note: string | null
  original_text: string
  suggested_text: string
}

interface Stored extends Omit<SuggestionRow, 'anchor' | 'range'> {
  anchor: string | null
  range_start: number | null
  range_end: number | null
}
export interface WantedSuggestions {
  status?: SuggestionStatus
  limit?: number | null
  offset?: number
  /** Made or decided then or later, in milliseconds. */
  since?: number | null
}
const read = ({ anchor, range_start, range_end, ...row }: Stored): SuggestionRow => ({
  ...row,
  anchor: readAnchor(anchor),
  range: readRange({ range_start, range_end }),
})

export function suggestionStore(db: Db, now: () => number, newId: () => string) {
  const ofDocument = db.prepare<[number], Stored>(
    'SELECT * FROM suggestions WHERE document = ? ORDER BY created_at, rowid',
  )
  const selected = db.prepare<[Record<string, string | number | null>], Stored>(
    `SELECT * FROM suggestions WHERE document = @document
     AND (@status IS NULL OR status = @status)
     AND (@since IS NULL OR coalesce(resolved_at, created_at) >= @since)
     ORDER BY created_at, rowid LIMIT @limit OFFSET @offset`,
  )
  const one = db.prepare<[string, number], Stored>('SELECT * FROM suggestions WHERE id = ? AND document = ?')
  const insert = db.prepare(
    `INSERT INTO suggestions (id, document, author_id, author_key, author_name, key_name, anchor, range_start, range_end, created_at, note, original_text, suggested_text)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const settle = db.prepare(
    "UPDATE suggestions SET status = ?, resolved_at = ? WHERE id = ? AND status = 'pending'",
  )
  const remove = db.prepare('DELETE FROM suggestions WHERE id = ?')
  const openByGuests = db.prepare<[number], { count: number; bytes: number }>(
    `SELECT count(*) AS count, coalesce(sum(octet_length(original_text) + octet_length(suggested_text)
       + coalesce(octet_length(anchor), 0) + coalesce(octet_length(note), 0)), 0) AS bytes
     FROM suggestions WHERE document = ? AND author_id IS NULL AND status = 'pending'`,
  )

  const find = (id: string, document: number) => {
    const row = one.get(id, document)
    return row && read(row)
  }
  return {
    find,
    /** The oldest first; all of them, or those that are asked for. */
    list(document: number, wanted?: WantedSuggestions): SuggestionRow[] {
      if (!wanted) return ofDocument.all(document).map(read)
      const { status = null, since = null, limit, offset = 0 } = wanted
      return selected.all({ document, status, since, limit: limit ?? -1, offset }).map(read)
    },
    create(
      document: number,
      author: Author,
      fields: {
        original_text: string
        suggested_text: string
        note: string | null
        anchor: Anchor | null
        range: Range | null
      },
    ): SuggestionRow {
      const id = newId()
      insert.run(
        id,
        document,
        author.id,
        author.key,
        author.name,
        author.keyName ?? null,
        fields.anchor && JSON.stringify(fields.anchor),
        fields.range?.start ?? null,
        fields.range?.end ?? null,
        now(),
        fields.note,
        fields.original_text,
        fields.suggested_text,
      )
      return find(id, document)!
    },
    /** Marks a pending suggestion; false if somebody was quicker. */
    settle: (id: string, status: 'accepted' | 'rejected') => settle.run(status, now(), id).changes > 0,
    /** How many pending suggestions of a document guests have made, and how much text. */
    openByGuests: (document: number) => openByGuests.get(document)!,
    delete: (id: string) => void remove.run(id),
  }
}
