import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type Database from 'better-sqlite3'

/**
 * The log is the document: it leads from nothing to the newest revision, each entry from the revision `base` on. An
 * entry whose `changes` leave out what was inserted rests on the keyframe of its revision. Where `hash` is null, the
 * text of that revision is not known any more; that is only so of what was left out of older logs.
 *
 * `logged` is what all entries up to a revision cost to replay. `followed_from` is the oldest revision that places may
 * be followed from: a restored backup may be another past than the one that people have seen.
 */
const tables = `
ALTER TABLE changes RENAME TO old_changes;
ALTER TABLE versions RENAME TO old_versions;

CREATE TABLE changes (
  document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  base INTEGER NOT NULL,
  at INTEGER NOT NULL,
  author_key TEXT NOT NULL,
  author_name TEXT NOT NULL,
  client_id TEXT,
  client_number INTEGER,
  length INTEGER NOT NULL,
  hash INTEGER,
  changes TEXT NOT NULL,
  PRIMARY KEY (document, revision)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX changes_by_client ON changes (document, client_id, client_number)
  WHERE client_id IS NOT NULL;

-- Whole texts: the newest for reading, older ones to start from. As text, or as a blob where they are deflated.
CREATE TABLE keyframes (
  document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  needed INTEGER NOT NULL,
  logged INTEGER NOT NULL,
  content ANY NOT NULL,
  PRIMARY KEY (document, revision)
) STRICT;

-- Stretches of the log by one author, each by the revision it ended at.
CREATE TABLE versions (
  document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  title TEXT NOT NULL,
  kind TEXT NOT NULL,
  author_id TEXT REFERENCES users (id) ON DELETE SET NULL,
  author_name TEXT NOT NULL,
  author_key TEXT NOT NULL,
  key_name TEXT,
  suggested_by TEXT,
  started_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  size INTEGER NOT NULL,
  added INTEGER NOT NULL,
  removed INTEGER NOT NULL,
  is_open INTEGER NOT NULL,
  PRIMARY KEY (document, revision)
) STRICT;
INSERT INTO versions SELECT document, revision, title, kind, author_id, author_name, author_key, key_name, suggested_by,
  started_at, created_at, size, added, removed, kind = 'edit' FROM old_versions;

ALTER TABLE documents ADD COLUMN length INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN logged INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN followed_from INTEGER NOT NULL DEFAULT 0;
`

const cleanUp = `
DROP TABLE old_changes;
DROP TABLE old_versions;
ALTER TABLE documents DROP COLUMN content;
`

/** What an entry costs to replay beside its length. */
const perEntry = 64
const packedFrom = 8 * 1024

interface OldDocument {
  number: number
  revision: number
  created_at: number
  content: string
}

/** Builds each document's log and keyframes from what there was; one text or two are in memory at a time. */
export default function unbrokenLog(db: Database.Database, onDocument: (done: number, of: number) => void) {
  db.exec(tables)
  const numbers = db.prepare<[], number>('SELECT number FROM documents ORDER BY number').pluck().all()
  const read = db.prepare<[number], OldDocument>(
    'SELECT number, revision, created_at, content FROM documents WHERE number = ?',
  )
  const move = logMover(db)
  for (const [done, number] of numbers.entries()) {
    move(read.get(number)!)
    onDocument(done + 1, numbers.length)
  }
  db.exec(cleanUp)
}

function logMover(db: Database.Database) {
  // The old texts go at once, so that their pages are used again.
  const keepTexts = db.prepare<[number]>(
    `INSERT INTO keyframes SELECT document, revision, 1, 0, CASE WHEN deflated THEN content ELSE CAST(content AS TEXT) END
     FROM old_versions WHERE document = ? AND content IS NOT NULL`,
  )
  const dropTexts = db.prepare<[number]>(
    'UPDATE old_versions SET content = NULL WHERE document = ? AND content IS NOT NULL',
  )
  const keep = db.prepare<[number, number, string | Buffer]>(
    'INSERT OR REPLACE INTO keyframes (document, revision, needed, logged, content) VALUES (?, ?, 1, 0, ?)',
  )
  const headOf = db
    .prepare<[number], number | null>('SELECT max(revision) FROM versions WHERE document = ?')
    .pluck()
  const keptRevisions = db
    .prepare<[number], number>('SELECT revision FROM keyframes WHERE document = ? ORDER BY revision')
    .pluck()
  const keptText = db
    .prepare<[number, number], string | Buffer>(
      'SELECT content FROM keyframes WHERE document = ? AND revision = ?',
    )
    .pluck()
  const textAt = (document: number, revision: number) => {
    if (revision === 0) return ''
    const content = keptText.get(document, revision)
    if (content === undefined) return null
    return typeof content === 'string' ? content : inflateRawSync(content).toString('utf8')
  }
  const loggedRevisions = db
    .prepare<[number, number], number>(
      'SELECT revision FROM old_changes WHERE document = ? AND revision <= ? ORDER BY revision',
    )
    .pluck()
  const moveEntries = db.prepare<[number, number]>(
    `INSERT INTO changes
     SELECT document, revision, revision - 1, at, author_key, coalesce(
         (SELECT author_name FROM versions v WHERE v.document = c.document AND v.author_key = c.author_key LIMIT 1), ''),
       NULL, NULL, length, hash, changes
     FROM old_changes c WHERE document = ? AND revision <= ?`,
  )
  const entry = db.prepare<[number, number], { length: number; changes: string }>(
    'SELECT length, changes FROM changes WHERE document = ? AND revision = ?',
  )
  const makers = db.prepare<[number, number], { at: number; key: string; name: string }>(
    `SELECT created_at AS at, author_key AS key, author_name AS name FROM versions
     WHERE document = ? AND revision = ?`,
  )
  const add = db.prepare(
    `INSERT INTO changes (document, revision, base, at, author_key, author_name, length, hash, changes)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const count = db.prepare(
    `UPDATE keyframes SET logged = (SELECT total(octet_length(changes) + ${perEntry}) FROM changes c
       WHERE c.document = keyframes.document AND c.revision <= keyframes.revision) WHERE document = ?`,
  )
  const shrink = db.prepare(
    `UPDATE documents SET content = '', length = ?, logged =
       (SELECT max(logged) FROM keyframes WHERE document = number) WHERE number = ?`,
  )

  /** One entry over all revisions after `base`, up to one whose text is known. */
  function bridge({ number, created_at }: OldDocument, base: number, revision: number) {
    const after = textAt(number, revision)!
    const before = textAt(number, base)
    const changes = before === null ? [[lengthAt(number, base), after.length]] : replacement(before, after)
    const { at, key, name } = makers.get(number, revision) ?? { at: created_at, key: '', name: '' }
    add.run(number, revision, base, at, key, name, after.length, textHash(after), JSON.stringify(changes))
  }
  /** One entry up to a revision whose text isn't known, but which the old log leads on from. */
  function leap({ number, created_at }: OldDocument, base: number, revision: number) {
    const next = JSON.parse(entry.get(number, revision + 1)!.changes) as (number | [number])[]
    const length = next.reduce<number>((sum, part) => sum + (typeof part === 'number' ? part : part[0]), 0)
    const changes = JSON.stringify([[lengthAt(number, base), length]])
    add.run(number, revision, base, created_at, '', '', length, null, changes)
  }
  const lengthAt = (document: number, revision: number) =>
    textAt(document, revision)?.length ?? entry.get(document, revision)!.length

  return (document: OldDocument) => {
    const { number, revision: newest, content } = document
    keepTexts.run(number)
    dropTexts.run(number)
    keep.run(number, newest, content)
    const head = headOf.get(number) ?? null
    if (head !== null && head < newest) keep.run(number, head, packed(content))
    moveEntries.run(number, newest)

    const logged = loggedRevisions.all(number, newest)
    const kept = keptRevisions.all(number).filter((revision) => revision <= newest)
    let at = 0
    let [nextLogged, nextKept] = [0, 0]
    while (at < newest) {
      while (logged[nextLogged]! <= at) nextLogged++
      while (kept[nextKept]! <= at) nextKept++
      const known = kept[nextKept]!
      const begins = (logged[nextLogged] ?? Infinity) - 1
      if (begins === at) at++
      else if (known <= begins) {
        bridge(document, at, known)
        at = known
      } else {
        leap(document, at, begins)
        at = begins
      }
    }
    count.run(number)
    shrink.run(content.length, number)
  }
}

const packed = (text: string) =>
  text.length > packedFrom ? deflateRawSync(Buffer.from(text, 'utf8'), { level: 3 }) : text

/** What stands between the common ends of two texts, by its size alone; no surrogate pair is cut. */
function replacement(before: string, after: string): (number | [number, number])[] {
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && before.charCodeAt(head) === after.charCodeAt(head)) head++
  if (head > 0 && isHigh(before.charCodeAt(head - 1))) head--
  let tail = 0
  while (
    tail < most - head &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++
  if (tail > 0 && isLow(before.charCodeAt(before.length - tail))) tail--
  const [removed, inserted] = [before.length - head - tail, after.length - head - tail]
  return [
    ...(head > 0 ? [head] : []),
    ...(removed + inserted > 0 ? [[removed, inserted] as [number, number]] : []),
    ...(tail > 0 ? [tail] : []),
  ]
}
const isHigh = (code: number) => (code & 0xfc00) === 0xd800
const isLow = (code: number) => (code & 0xfc00) === 0xdc00

/** As `contentHash` was when this was released. */
function textHash(text: string): number {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return 4294967296 * (2097151 & low) + (high >>> 0)
}
