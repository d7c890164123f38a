import Database from 'better-sqlite3'
import { copyFileSync, rmSync } from 'node:fs'
import { findFileDamage, findRecordDamage } from './check.ts'
import { createPrivate, openDatabase, isGalleys, refuseNewer, type Db } from './database.ts'
import { replayCost } from './log.ts'
import { shortId } from './short-id.ts'
import { explainOpening, OpenError } from './open-error.ts'
import { unexpired } from './expiry.ts'

/**
 * Copies a backup to `copy` and brings the copy's schema up to date; the backup itself is only read.
 * @returns what of Galley's own rules the backup breaks, one line each
 * @throws OpenError if it isn't a sound database of Galley's, or a newer one
 */
export function readBackup(file: string, copy: string): string[] {
  createPrivate(copy)
  let db: Db | undefined
  try {
    copyDatabase(file, copy)
    db = openDatabase({ file: copy })
    const [damage] = findFileDamage(db)
    if (damage !== undefined)
      throw new OpenError('damaged', `${file} is damaged and was not restored: ${damage}.`)
    return findRecordDamage(db)
  } catch (error) {
    throw error instanceof OpenError ? error : explainBackup(error, file)
  } finally {
    db?.close()
  }
}

function copyDatabase(file: string, copy: string) {
  try {
    readFrom(file, file, (source) => source.prepare('VACUUM INTO ?').run(copy))
  } catch (error) {
    // A database in WAL mode can't be opened where nothing can be written beside it.
    if (!/^SQLITE_(CANTOPEN|READONLY)/.test(String((error as { code?: unknown }).code))) throw error
    copyFileSync(file, copy)
    readFrom(copy, file, () => {})
  }
}

/** @throws OpenError if it isn't Galley's, or is a newer one */
function readFrom(file: string, name: string, work: (db: Db) => void) {
  const db = new Database(file, { readonly: true, fileMustExist: true })
  try {
    if (!isGalleys(db)) throw new OpenError('not galley', `${name} is not a backup of Galley’s.`)
    refuseNewer(db, name)
    work(db)
  } finally {
    db.close()
  }
}

function explainBackup(error: unknown, file: string): OpenError {
  const code = String((error as { code?: unknown }).code)
  if (code === 'SQLITE_NOTADB')
    return new OpenError('not galley', `${file} is not a backup of Galley’s.`, error)
  if (code.startsWith('SQLITE_CORRUPT')) {
    return new OpenError('damaged', `${file} is damaged and was not restored.`, error)
  }
  return explainOpening(error, file)
}

export interface Restored {
  documents: number
  /** Share links and API keys that work from now on and didn't before, and links that allow or show more than they did. */
  revivedLinks: number
  revivedKeys: number
}

/**
 * Replaces everything in the database by what is in `copy`, in one transaction: whoever has the database open sees
 * one commit. Sign-ins belong to this machine's browsers, not to the documents: the present ones stay, and so do webhooks
 * and the origins of pages that may ask. Who has stopped sharing doesn't share by it.
 * @param keep runs first, when nobody else can write any more: what it has not seen by then was never acknowledged
 */
export function replaceAll(db: Db, copy: string, keep: () => void = () => {}): Restored {
  db.prepare('ATTACH ? AS backup').run(copy)
  try {
    const replace = db.transaction(() => {
      keep()
      return replaceRows(db)
    })
    return replace.immediate()
  } finally {
    db.exec('DETACH backup')
  }
}

/** Of whoever is there afterwards. A table comes after the one it belongs to. */
const stays = new Map([
  ['sessions', 'user_id IN (SELECT id FROM main.users)'],
  ['tickets', 'user_id IN (SELECT id FROM main.users)'],
  ['stopped_sharing', 'user_id IN (SELECT id FROM main.users)'],
  ['allowed_origins', 'user_id IN (SELECT id FROM main.users)'],
  // An old copy must not send what happens to where nobody wants it any more.
  ['webhooks', 'user_id IN (SELECT id FROM main.users)'],
  ['webhook_deliveries', 'webhook IN (SELECT id FROM main.webhooks)'],
])
/** Between the numbers of events that a backup holds and those that come after, where the ones between aren’t known. */
const lostEvents = 100_000
/** What is made anew from the documents. */
const made = ['search_words', 'search_words_due', 'search_words_sweep', 'search_parts']

/** What a link allows, the more the higher. */
const allows = (link: string) =>
  `(CASE ${link}.permission WHEN 'edit' THEN 3 - ${link}.suggest_only * 0.5 WHEN 'comment' THEN 2 ELSE 1 END)`

function replaceRows(db: Db): Restored {
  db.pragma('defer_foreign_keys = ON')
  const count = (sql: string) => db.prepare(sql).pluck().get() as number
  // An expired one that is to go on works again, and one that was lowered allows what it did.
  const revivedLinks = count(
    `SELECT count(*) FROM backup.share_links l LEFT JOIN main.share_links now ON now.digest = l.digest
       AND now.revoked_at IS NULL AND ${unexpired('now', 'unixepoch() * 1000')}
     WHERE l.revoked_at IS NULL AND ${unexpired('l', 'unixepoch() * 1000')}
       AND (now.digest IS NULL OR ${allows('l')} > ${allows('now')} OR l.hides_people < now.hides_people
         OR l.allows_agents > now.allows_agents)`,
  )
  const revivedKeys = count(
    `SELECT count(*) FROM backup.api_keys k WHERE digest NOT IN (SELECT digest FROM main.api_keys)
       AND ${unexpired('k', 'unixepoch() * 1000')}`,
  )
  const tables = db
    .prepare(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .pluck()
    .all() as string[]

  db.exec('CREATE TEMP TABLE present AS SELECT id, revision, hash, title FROM main.documents')
  for (const table of stays.keys()) db.exec(`CREATE TEMP TABLE kept_${table} AS SELECT * FROM main.${table}`)
  for (const index of ['documents_fts', 'search_words_fts', 'search_parts_fts'])
    db.exec(`INSERT INTO main.${index} (${index}) VALUES ('delete-all')`)
  for (const table of tables.filter((name) => !['events', 'blobs'].includes(name)))
    db.exec(`DELETE FROM main.${table}`)
  for (const table of tables.filter((name) => ![...stays.keys(), ...made, 'events'].includes(name))) {
    const columns = db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table).join(', ')
    // The search index is to be made anew; said here, since saying it afterwards would write every text again.
    const values = table === 'documents' ? columns.replace(/\bindexed\b/, '0') : columns
    // The bytes of files stay where they are, and go when their time has come.
    const insert = table === 'blobs' ? 'INSERT OR REPLACE' : 'INSERT'
    db.exec(`${insert} INTO main.${table} (${columns}) SELECT ${values} FROM backup.${table}`)
  }
  for (const [table, isOf] of stays) {
    db.exec(
      `INSERT INTO main.${table} SELECT * FROM temp.kept_${table} WHERE ${isOf};
       DROP TABLE temp.kept_${table}`,
    )
  }
  goOnWithEvents(db)
  liftRevisions(db)
  db.exec('DROP TABLE temp.present')
  return { documents: count('SELECT count(*) FROM main.documents'), revivedLinks, revivedKeys }
}

/**
 * What has happened has happened: the events here stay, and say that everything is another now. Where there are none,
 * since a database was lost, the backup's do, and no number after them is used that may have been used before.
 */
function goOnWithEvents(db: Db) {
  const newest = (schema: string) =>
    (db.prepare(`SELECT max(seq) FROM ${schema}.events`).pluck().get() as number | null) ?? 0
  const inBackup = newest('backup')
  const isLost = newest('main') === 0
  if (isLost) db.exec('INSERT INTO main.events SELECT * FROM backup.events')
  let seq = isLost && inBackup > 0 ? inBackup + lostEvents : Math.max(newest('main'), inBackup)
  const add = db.prepare(
    `INSERT INTO main.events (seq, at, kind, owner_id, principal_kind) VALUES (?, ?, 'backup.restored', ?, 'galley')`,
  )
  for (const id of db.prepare('SELECT id FROM main.users').pluck().all() as string[])
    add.run(++seq, Date.now(), shortId(id))
}

/**
 * A revision names one text for ever: editors, caches and `If-Match` rest on that. A document that is now other than
 * it was at its revision gets a revision after it. What people have seen of it may be revisions that never led here, so
 * nothing is followed from any of them.
 */
function liftRevisions(db: Db) {
  const cost = (changes: string) => `${replayCost('')} + octet_length(${changes})`
  db.exec(`
    CREATE TEMP TABLE lifted AS
      SELECT d.number, p.revision + 1 AS revision, d.revision AS base,
        CASE d.length WHEN 0 THEN '[]' ELSE '[' || d.length || ']' END AS changes,
        (SELECT max(v.revision) FROM main.versions v WHERE v.document = d.number) AS head
      FROM main.documents d JOIN temp.present p ON p.id = d.id
      WHERE p.revision > d.revision
        OR (p.revision = d.revision AND (p.hash <> d.hash OR p.title <> d.title));
    INSERT INTO main.changes (document, revision, base, at, author_key, author_name, length, hash, changes)
      SELECT c.document, l.revision, l.base, c.at, c.author_key, c.author_name, c.length, c.hash, l.changes
      FROM temp.lifted l JOIN main.changes c ON c.document = l.number AND c.revision = l.base;
    UPDATE main.versions SET revision = lifted.revision FROM temp.lifted
      WHERE versions.document = lifted.number AND versions.revision = lifted.head;
    UPDATE main.documents SET revision = lifted.revision, followed_from = lifted.revision,
        logged = logged + ${cost('lifted.changes')}
      FROM temp.lifted WHERE documents.number = lifted.number;
    DROP TABLE temp.lifted`)
}

/** Removes what `readBackup` made. */
export function removeCopy(copy: string) {
  for (const part of [copy, `${copy}-wal`, `${copy}-shm`, `${copy}-journal`]) rmSync(part, { force: true })
}
