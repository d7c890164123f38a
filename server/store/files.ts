import type { Db } from './database.ts'

export interface FileRow {
  id: string
  name: string
  sha256: string
  type: string
  size: number
  width: number | null
  height: number | null
  author_key: string
}

export interface NewFile {
  name: string
  sha256: string
  type: string
  size: number
  width: number | null
  height: number | null
  link: string | null
  authorKey: string
}

/** What documents have beside their texts, by name. The bytes are in the blob folder. */
export function fileStore(db: Db, now: () => number, newId: () => string) {
  const columns = 'f.id, f.name, b.sha256, b.type, b.size, b.width, b.height, f.author_key'
  const from = 'FROM files f JOIN blobs b ON b.sha256 = f.blob'
  const list = db.prepare<[number], FileRow>(`SELECT ${columns} ${from} WHERE f.document = ? ORDER BY f.name`)
  const byName = db.prepare<[number, string], FileRow>(
    `SELECT ${columns} ${from} WHERE f.document = ? AND f.name = ?`,
  )
  const byId = db.prepare<[number, string], FileRow>(
    `SELECT ${columns} ${from} WHERE f.document = ? AND f.id = ?`,
  )
  const byContent = db.prepare<[number, string], FileRow>(
    `SELECT ${columns} ${from} WHERE f.document = ? AND f.blob = ? ORDER BY f.created_at, f.name LIMIT 1`,
  )
  const used = db.prepare<[number], { count: number; bytes: number }>(
    `SELECT count(*) AS count, coalesce(sum(b.size), 0) AS bytes ${from} WHERE f.document = ?`,
  )
  const usedByLink = db
    .prepare<[number, string], number>(
      `SELECT coalesce(sum(b.size), 0) ${from} WHERE f.document = ? AND f.link = ?`,
    )
    .pluck()
  const bytesUsed = db
    .prepare<[], number>(
      'SELECT coalesce(sum(size), 0) FROM blobs WHERE EXISTS (SELECT 1 FROM files f WHERE f.blob = blobs.sha256)',
    )
    .pluck()
  const bytesKept = db.prepare<[], number>('SELECT coalesce(sum(size), 0) FROM blobs').pluck()
  const unusedKept = db.prepare<[], { count: number; bytes: number }>(
    'SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes FROM blobs WHERE NOT EXISTS (SELECT 1 FROM files f WHERE f.blob = blobs.sha256)',
  )
  const putBlob = db.prepare<[string, number, string, number | null, number | null, number]>(
    'INSERT INTO blobs (sha256, size, type, width, height, created_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET unused_since = NULL',
  )
  const put = db.prepare<[string, number, string, string, string | null, string, number]>(
    'INSERT INTO files (id, document, name, blob, link, author_key, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const remove = db.prepare<[string]>('DELETE FROM files WHERE id = ?')
  const touch = db.prepare<[number, number]>(
    'UPDATE documents SET updated_at = max(updated_at + 1, ?) WHERE number = ?',
  )
  const isUsed = 'EXISTS (SELECT 1 FROM files f WHERE f.blob = blobs.sha256)'
  const noteUse = db.prepare<[number]>(
    `UPDATE blobs SET unused_since = CASE WHEN ${isUsed} THEN NULL ELSE ? END
     WHERE (unused_since IS NOT NULL) = ${isUsed}`,
  )
  const noteUnused = db.prepare<[number, string]>(
    `UPDATE blobs SET unused_since = ? WHERE sha256 = ? AND NOT ${isUsed}`,
  )
  const unused = db
    .prepare<[number], string>(`SELECT sha256 FROM blobs WHERE unused_since < ? AND NOT ${isUsed}`)
    .pluck()
  const known = db.prepare<[string], 1>('SELECT 1 FROM blobs WHERE sha256 = ?').pluck()
  const forget = db.prepare<[string, number]>(
    `DELETE FROM blobs WHERE sha256 = ? AND unused_since < ? AND NOT ${isUsed}`,
  )
  const forgetUnused = db.prepare<[string, number]>(
    `DELETE FROM blobs WHERE sha256 = ? AND unused_since = ? AND NOT ${isUsed}`,
  )

  return {
    list: (document: number) => list.all(document),
    findByName: (document: number, name: string) => byName.get(document, name),
    /** The first that has this content. */
    findByContent: (document: number, sha256: string) => byContent.get(document, sha256),
    find: (document: number, id: string) => byId.get(document, id),
    used: (document: number) => used.get(document)!,
    usedByLink: (document: number, link: string) => usedByLink.get(document, link)!,
    /** Of all documents, each content once. */
    bytesUsed: () => bytesUsed.get()!,
    /** The same, with what no document uses any more and is still there. */
    bytesKept: () => bytesKept.get()!,
    /** What no document uses any more and is still there. */
    unusedKept: () => unusedKept.get()!,
    create(document: number, file: NewFile): FileRow {
      const id = newId()
      putBlob.run(file.sha256, file.size, file.type, file.width, file.height, now())
      // What is shown of the document is another now.
      touch.run(now(), document)
      put.run(id, document, file.name, file.sha256, file.link, file.authorKey, now())
      return byId.get(document, id)!
    },
    delete(document: number, id: string): void {
      touch.run(now(), document)
      remove.run(id)
    },
    /** @returns since when this content is unused, which is now; undefined if a file has it */
    noteUnusedContent(sha256: string): number | undefined {
      const since = now()
      return noteUnused.run(since, sha256).changes > 0 ? since : undefined
    },
    /** Notes of each content since when no file has it. */
    noteUnused: () => void noteUse.run(now()),
    /** The contents that were noted as unused before this time, and still are. */
    listUnused: (before: number) => unused.all(before),
    knows: (sha256: string) => known.get(sha256) !== undefined,
    /** @returns whether it was forgotten: it is unused since before this time */
    forget: (sha256: string, before: number) => forget.run(sha256, before).changes > 0,
    /** @returns whether it was forgotten: it is unused since just then, and was all the while */
    forgetUnusedSince: (sha256: string, since: number) => forgetUnused.run(sha256, since).changes > 0,
  }
}

export interface StoredBlob {
  sha256: string
  size: number
}

/** The contents that files of a database have, which may be an older Galley's. */
export function usedBlobs(db: Db): StoredBlob[] {
  if (!hasFiles(db)) return []
  return db
    .prepare<[], StoredBlob>(
      'SELECT sha256, size FROM blobs WHERE sha256 IN (SELECT blob FROM files) ORDER BY sha256',
    )
    .all()
}

/** Whether a file of a database has this content. */
export const usesBlob = (db: Db, sha256: string): boolean =>
  hasFiles(db) && db.prepare('SELECT 1 FROM files WHERE blob = ?').get(sha256) !== undefined

const hasFiles = (db: Db) =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'blobs'").pluck().get() === 1
