import type { Db } from './database.ts'
import { replayCost } from './log.ts'

/**
 * A revision names one text for ever: editors, caches and `If-Match` rest on that. A document that is now other than
 * it was at its revision gets a revision after it. What people have seen of it may be revisions that never led here, so
 * nothing is followed from any of them.
 *
 * Of a document that wasn't here nobody can tell which revisions it has had: it was deleted, or went with another
 * restore, or all was lost. It goes on from the time in milliseconds. No document gets a revision each millisecond, so
 * none has ever come as far, however often it was restored and lifted before; and what is known of it here, from what
 * has happened, holds even where the clock was set back.
 *
 * In `temp.present` is what documents were before that are others now, and in `temp.other_documents` their numbers.
 */
export function liftRevisions(db: Db) {
  db.exec(`
    CREATE TEMP TABLE absent AS
      SELECT d.number, d.id, d.revision, ${shortened('d.id')} AS short_id FROM main.documents d
        WHERE d.number IN (SELECT number FROM temp.other_documents)
          AND d.id NOT IN (SELECT id FROM temp.present);
    CREATE TEMP TABLE known AS
      SELECT document_id AS short_id, max(revision) AS revision FROM main.events
        WHERE document_id IN (SELECT short_id FROM temp.absent) AND revision IS NOT NULL GROUP BY document_id;
    CREATE INDEX temp.known_by_id ON known (short_id)`)
  db.prepare(
    `CREATE TEMP TABLE lifts AS
       SELECT d.number, p.revision + 1 AS revision FROM main.documents d JOIN temp.present p ON p.id = d.id
         WHERE p.revision > d.revision
           OR (p.revision = d.revision AND (p.hash <> d.hash OR p.title <> d.title))
       UNION ALL
       SELECT a.number, max(a.revision + 1, coalesce(k.revision, 0) + 1, ?) FROM temp.absent a
         LEFT JOIN temp.known k ON k.short_id = a.short_id`,
  ).run(Date.now())
  liftEach(db, 'main')
  db.exec('DROP TABLE temp.known; DROP TABLE temp.absent')
}

/**
 * A document that is here as it was restored from just this state, and lifted then, is so again: its revision names
 * that text already. In `kept` is what is here, in `backup` what is to be; done to that, before the two are compared.
 */
export function liftAsBefore(db: Db) {
  db.exec(`
    CREATE TEMP TABLE lifts AS
      SELECT d.number, p.revision FROM backup.documents d JOIN kept.documents p ON p.number = d.number AND p.id = d.id
        JOIN backup.changes b ON b.document = d.number AND b.revision = d.revision
        JOIN kept.changes c ON c.document = d.number AND c.revision = p.revision
      WHERE c.base = d.revision AND c.base > 0 AND p.hash = d.hash AND p.title = d.title AND c.changes = ${allOf('d')}
        AND c.client_id IS NULL AND c.at = b.at AND c.author_key = b.author_key AND c.author_name = b.author_name`)
  liftEach(db, 'backup')
}

/** By `temp.lifts`, which goes: the log goes on to that revision with nothing changed. */
function liftEach(db: Db, schema: 'main' | 'backup') {
  const cost = (changes: string) => `${replayCost('')} + octet_length(${changes})`
  db.exec(`
    CREATE TEMP TABLE lifted AS
      SELECT d.number, l.revision, d.revision AS base, ${allOf('d')} AS changes,
        (SELECT max(v.revision) FROM ${schema}.versions v WHERE v.document = d.number) AS head
      FROM ${schema}.documents d JOIN temp.lifts l ON l.number = d.number;
    INSERT INTO ${schema}.changes (document, revision, base, at, author_key, author_name, length, hash, changes)
      SELECT c.document, l.revision, l.base, c.at, c.author_key, c.author_name, c.length, c.hash, l.changes
      FROM temp.lifted l JOIN ${schema}.changes c ON c.document = l.number AND c.revision = l.base;
    UPDATE ${schema}.versions SET revision = lifted.revision FROM temp.lifted
      WHERE versions.document = lifted.number AND versions.revision = lifted.head;
    UPDATE ${schema}.documents SET revision = lifted.revision, followed_from = lifted.revision,
        logged = logged + ${cost('lifted.changes')}
      FROM temp.lifted WHERE documents.number = lifted.number;
    DROP TABLE temp.lifted;
    DROP TABLE temp.lifts`)
}

/** What a log says that keeps all of a document’s text. */
const allOf = (document: string) =>
  `CASE ${document}.length WHEN 0 THEN '[]' ELSE '[' || ${document}.length || ']' END`

/** An id as events have it: 16 bytes where it is a UUID. */
const shortened = (id: string) => `coalesce(unhex(replace(${id}, '-', '')), ${id})`
