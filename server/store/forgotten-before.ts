import type { Db } from './database.ts'

/**
 * Whether what a restore takes out of the tables may be what somebody has had forgotten: it came back with a backup from
 * before that, and goes again with one from after it, but not out of the file. Events tell, for as long as they are
 * kept; so does a document whose past is another in the backup, wherever both go as far, since no past changes otherwise
 * but by a restore. In `temp.other_changes` are the revisions that are looked at. Of a document that the backup hasn’t at
 * all nothing is known that was before the oldest event: it may have been deleted since, with a past that was forgotten.
 * Its log begins before anything was forgotten in it, so one that begins later is none of these.
 */
export function wasForgotten(db: Db): boolean {
  const known = ['main', 'backup'].map(
    (schema) => `EXISTS (SELECT 1 FROM ${schema}.events WHERE kind = 'version.forgotten')`,
  )
  const isOrdered = 'EXISTS (SELECT 1 FROM backup.cleanings)'
  const rewritten = [
    ['main', 'backup'],
    ['backup', 'main'],
  ].map(
    ([ours, theirs]) => `EXISTS (
      SELECT 1 FROM temp.other_changes o
        JOIN ${ours}.changes USING (document, revision)
        JOIN ${ours}.documents d ON d.number = o.document
        JOIN ${theirs}.documents as_far ON as_far.id = d.id AND as_far.revision >= o.revision
        LEFT JOIN ${theirs}.changes c ON c.document = as_far.number AND c.revision = o.revision
        WHERE c.hash IS NOT ${ours}.changes.hash OR c.changes IS NOT ${ours}.changes.changes)`,
  )
  // The newest event stays however old it is: where there is none, nothing was ever forgotten.
  const oldest = ['main', 'backup'].map(
    (schema) => `coalesce((SELECT at FROM ${schema}.events ORDER BY seq LIMIT 1), 0)`,
  )
  const unknown = `EXISTS (
    SELECT 1 FROM main.documents d WHERE id NOT IN (SELECT id FROM backup.documents)
      AND coalesce((SELECT at FROM main.changes WHERE document = d.number ORDER BY revision LIMIT 1), 0)
        < max(${oldest.join(', ')}))`
  const sql = `SELECT ${[isOrdered, ...known, ...rewritten, unknown].join(' OR ')}`
  return db.prepare<[], number>(sql).pluck().get() === 1
}
