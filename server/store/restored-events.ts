import type { Db } from './database.ts'
import { shortId } from './short-id.ts'

/** No server has as many events in a millisecond, for as long as it runs. */
const mostInMillisecond = 100

/**
 * What has happened has happened: the events here stay, and say that everything is another now. Where there are none,
 * since a database was lost, the backup's do. No number is used that may have been used before: whoever has heard up to
 * it would miss what comes.
 */
export function goOnWithEvents(db: Db): void {
  const count = (sql: string) => (db.prepare(sql).pluck().get() as number | null) ?? 0
  const newest = (schema: string) => count(`SELECT max(seq) FROM ${schema}.events`)
  const numbers = [newest('main'), newest('backup')]
  // Otherwise it may have gone on anywhere before it was lost, of which nothing is known but that it was earlier.
  if (!goesOnHere(db)) numbers.push(Date.now() * mostInMillisecond)
  if (numbers[0] === 0) db.exec('INSERT INTO main.events SELECT * FROM backup.events')
  let seq = Math.max(...numbers)
  const add = db.prepare(
    `INSERT INTO main.events (seq, at, kind, owner_id, principal_kind) VALUES (?, ?, 'backup.restored', ?, 'galley')`,
  )
  for (const id of db.prepare('SELECT id FROM main.users').pluck().all() as string[])
    add.run(++seq, Date.now(), shortId(id))
}

/** Whether the events here are those that came after the backup’s: its newest one is here. */
const goesOnHere = (db: Db) =>
  db
    .prepare(
      `SELECT 1 FROM (SELECT * FROM backup.events ORDER BY seq DESC LIMIT 1) theirs JOIN main.events ours USING (seq)
       WHERE ours.at = theirs.at AND ours.kind = theirs.kind AND ours.owner_id IS theirs.owner_id
         AND ours.document_id IS theirs.document_id AND ours.revision IS theirs.revision`,
    )
    .get() !== undefined
