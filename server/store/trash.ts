import { day } from '../contract/durations.ts'
import { noteAuthor, type Author } from './author.ts'
import type { Db } from './database.ts'
import type { PutAway } from './in-trash.ts'
import type { DocumentStore, DocumentSummaryRow } from './documents.ts'

export type TrashedSummaryRow = DocumentSummaryRow & PutAway

/** Just enough of one to say which it is. */
interface TrashedHead extends PutAway {
  number: number
  id: string
  owner_id: string
  revision: number
}

/** Documents that were put away, until they are restored or deleted for good. */
export function trashStore(db: Db, now: () => number, documents: Pick<DocumentStore, 'findTrashed'>) {
  const put = db.prepare('INSERT INTO trash (document, deleted_at, deleted_by) VALUES (?, ?, ?)')
  const take = db.prepare('DELETE FROM trash WHERE document = ?')
  const remove = db.prepare(
    'DELETE FROM documents WHERE number = ? AND number IN (SELECT document FROM trash)',
  )
  const head = db.prepare<[string, string], TrashedHead>(
    `SELECT number, id, owner_id, revision, deleted_at, deleted_by FROM documents d JOIN trash t ON t.document = d.number
     WHERE id = ? AND owner_id = ?`,
  )
  const held = db.prepare<[number, string]>(
    'SELECT 1 FROM trash t JOIN documents d ON d.number = t.document WHERE t.document = ? AND d.id = ?',
  )
  const list = db.prepare<[string, number, number], TrashedSummaryRow>(
    `SELECT id, title, created_at, updated_at, deleted_at, deleted_by FROM trash t JOIN documents d ON d.number = t.document
     WHERE owner_id = ? ORDER BY deleted_at DESC, id LIMIT ? OFFSET ?`,
  )
  const all = db.prepare<[string], { id: string }>(
    'SELECT id FROM trash t JOIN documents d ON d.number = t.document WHERE owner_id = ? ORDER BY deleted_at',
  )
  const due = db.prepare<[number], Omit<TrashedHead, keyof PutAway>>(
    `SELECT number, d.id, owner_id, revision FROM trash t JOIN documents d ON d.number = t.document
     JOIN users u ON u.id = d.owner_id WHERE t.deleted_at <= ? - u.trash_days * ${day} LIMIT 1`,
  )

  return {
    /** Puts a document away, with all that belongs to it. */
    put(document: { number: number }, by?: Author): PutAway {
      const away = { deleted_at: now(), deleted_by: by ? noteAuthor(by) : null }
      put.run(document.number, away.deleted_at, away.deleted_by)
      return away
    },
    restore: (document: { number: number }) => void take.run(document.number),
    /** For good; what isn't in the trash stays. */
    delete: (document: { number: number }) => remove.run(document.number).changes > 0,
    find: documents.findTrashed,
    findHead: (id: string, ownerId: string) => head.get(id, ownerId),
    /** Whether the document of this number and this id is in the trash. */
    holds: (document: number, id: string) => held.get(document, id) !== undefined,
    /** The one that was put away last comes first. */
    list: (ownerId: string, limit: number, offset: number) => list.all(ownerId, limit, offset),
    listIds: (ownerId: string) => all.all(ownerId).map(({ id }) => id),
    /** Deletes one document whose days are over; which, or undefined if there is none. */
    sweepOne(): Omit<TrashedHead, keyof PutAway> | undefined {
      const gone = due.get(now())
      if (gone) remove.run(gone.number)
      return gone
    },
  }
}
