import type { KeptCopy } from './backup.ts'
import { cleaningOrder, orderMeanwhile } from './cleaning.ts'
import type { Db } from './database.ts'
import { tablesOf, unmake, type RowKeys } from './differing-rows.ts'
import { unexpired } from './expiry.ts'
import { wasForgotten } from './forgotten-before.ts'
import { liftAsBefore, liftRevisions } from './lifted-revisions.ts'
import { otherRows, type OtherRows } from './other-rows.ts'
import { goOnWithEvents } from './restored-events.ts'

export interface Restored {
  documents: number
  /** Share links and API keys that work from now on and didn't before, and links that allow or show more than they did. */
  revivedLinks: number
  revivedKeys: number
}

/** The copy of what is there now, before it is replaced. */
export interface Kept {
  copy: Pick<KeptCopy, 'file'> & { bringUpToDate: (ordered?: number) => RowKeys }
  /** Inside a transaction or not: whether others have written since the copy was made. */
  hasChanged: () => boolean
}

/**
 * Makes everything in the database what is in `copy`, in one transaction: whoever has the database open sees one commit.
 * Only rows that differ are written. Which those are is found before, by what was kept; in the transaction, while
 * nobody else can write, what was written since is added to that, and to what was kept.
 *
 * A transaction that isn’t committed leaves its words in the log all the same, and nothing tells whether any of them were
 * forgotten. So a cleaning of the files is ordered, and committed, before it begins, and goes with what is committed then
 * unless there is something to clean; a cleaner waits as long as a restore is under way.
 *
 * Sign-ins belong to this machine's browsers, not to the documents: the present ones stay, and so do webhooks
 * and the origins of pages that may ask. Who has stopped sharing, here or in the backup, doesn't share by it.
 */
export function replaceAll(db: Db, copy: string, kept?: Kept): Restored {
  db.prepare('ATTACH ? AS backup').run(copy)
  // It goes when this is done.
  db.pragma('backup.synchronous = OFF')
  // Rows are taken as they are, with whatever belongs to them: the backup has been found sound.
  db.pragma('foreign_keys = OFF')
  const others = otherRows(
    db,
    tablesOf(db).filter((table) => !goesOn.has(table) && !stays.has(table)),
  )
  try {
    if (kept) lookAhead(db, others, kept)
    else others.find('main')
    const order = cleaningOrder(db)
    const takesOutForgotten = wasForgotten(db)
    const meanwhile = orderMeanwhile(db, Date.now())
    const replace = db.transaction(() => {
      if (kept) bringUp(others, kept, meanwhile.number)
      else others.find('main')
      const isToClean = takesOutForgotten || meanwhile.isAnotherDue()
      const restored = replaceRows(db, others)
      if (isToClean) order(Date.now())
      meanwhile.takeBack()
      return restored
    })
    return replace.immediate()
  } finally {
    others.forget()
    db.pragma('foreign_keys = ON')
    db.exec('DETACH backup')
  }
}

/** As much as can be done while others write, so that they wait for the rest only. */
function lookAhead(db: Db, others: OtherRows, kept: Kept) {
  db.prepare('ATTACH ? AS kept').run(kept.copy.file)
  try {
    liftAsBefore(db)
    others.find('kept')
  } finally {
    db.exec('DETACH kept')
  }
  bringUp(others, kept)
}

/** What others have written since is kept, too, and then goes like all that the backup hasn’t. */
function bringUp(others: OtherRows, { copy, hasChanged }: Kept, ordered?: number) {
  if (hasChanged()) others.add(copy.bringUpToDate(ordered))
}

/** What tells of this database, and of nothing in a backup. */
const goesOn = new Set(['events', 'cleanings'])
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

/** What a link allows, the more the higher. */
const allows = (link: string) =>
  `(CASE ${link}.permission WHEN 'edit' THEN 3 - ${link}.suggest_only * 0.5 WHEN 'comment' THEN 2 ELSE 1 END)`

const counter = (db: Db) => (sql: string) => db.prepare(sql).pluck().get() as number

/** Sharing that was stopped in the backup stays stopped, too: it goes on when its user says so, and by nothing else. */
const stopAsInBackup = `INSERT INTO main.stopped_sharing (user_id, at)
  SELECT user_id, at FROM backup.stopped_sharing WHERE user_id IN (SELECT id FROM main.users)
  ON CONFLICT (user_id) DO UPDATE SET at = min(at, excluded.at)`

/** Before rows are replaced: whether a document of the backup is of someone who shares afterwards. */
const isShared = (document: string) =>
  `EXISTS (SELECT 1 FROM backup.documents d WHERE d.number = ${document}
     AND d.owner_id NOT IN (SELECT user_id FROM main.stopped_sharing UNION SELECT user_id FROM backup.stopped_sharing))`

function countRevived(db: Db) {
  const count = counter(db)
  // An expired one that is to go on works again, and one that was lowered allows what it did.
  const revivedLinks = count(
    `SELECT count(*) FROM backup.share_links l LEFT JOIN main.share_links now ON now.digest = l.digest
       AND now.revoked_at IS NULL AND ${unexpired('now', 'unixepoch() * 1000')}
     WHERE l.revoked_at IS NULL AND ${unexpired('l', 'unixepoch() * 1000')} AND ${isShared('l.document')}
       AND (now.digest IS NULL OR ${allows('l')} > ${allows('now')} OR l.hides_people < now.hides_people
         OR l.allows_agents > now.allows_agents)`,
  )
  const revivedKeys = count(
    `SELECT count(*) FROM backup.api_keys k WHERE digest NOT IN (SELECT digest FROM main.api_keys)
       AND ${unexpired('k', 'unixepoch() * 1000')}`,
  )
  return { revivedLinks, revivedKeys }
}

function replaceRows(db: Db, others: OtherRows): Restored {
  const revived = countRevived(db)
  db.exec(
    `CREATE TEMP TABLE present AS SELECT id, revision, hash, title FROM main.documents
       WHERE number IN (SELECT number FROM temp.other_documents)`,
  )
  others.replace()
  db.exec(unmake('SELECT number FROM temp.other_documents'))
  for (const [table, isOf] of stays) db.exec(`DELETE FROM main.${table} WHERE NOT (${isOf})`)
  db.exec(stopAsInBackup)
  goOnWithEvents(db)
  liftRevisions(db)
  db.exec('DROP TABLE temp.present')
  return { documents: counter(db)('SELECT count(*) FROM main.documents'), ...revived }
}
