import { here, type Bench } from '../threads/text-work.ts'
import type { KeptText } from '../threads/kept-text.ts'
import { cleaningOrder } from './cleaning.ts'
import type { ColourStore } from './colours.ts'
import type { Db } from './database.ts'
import type { DocumentRow } from './documents.ts'
import { replayCost } from './log.ts'
import { type Alike, redactedWords } from './redacted-words.ts'
import type { Texts } from './texts.ts'
import { PiecedText } from '../domain/pieced-text.ts'

export type ForgettingStore = ReturnType<typeof forgettingStore>

/**
 * Takes the past of a document out of the tables, all in the transaction that is under way. What it leaves behind in the
 * files goes with the cleaning that it orders.
 */
export function forgettingStore(db: Db, now: () => number, texts: Texts, colours: ColourStore) {
  const order = cleaningOrder(db)
  const isOrdered = db.prepare<[], number | null>('SELECT max(number) FROM cleanings').pluck()
  const done = db.prepare('DELETE FROM cleanings WHERE number <= ?')
  // Nobody but who asked can open them, so nobody can tell which of them hold what was forgotten.
  const forgetAnswers = db.prepare("UPDATE idempotency_records SET sealed = x'' WHERE sealed <> x''")
  const forgetRender = db.prepare('DELETE FROM renders WHERE document = ?')
  const unindex = db.prepare('UPDATE documents SET indexed = 0 WHERE number = ?')

  function clean({ number }: DocumentRow) {
    colours.letGo(number)
    forgetAnswers.run()
    forgetRender.run(number)
    unindex.run(number)
    texts.forgetPast(number)
    order(now())
  }

  return {
    before: forgetBefore(db, texts, clean),
    passage: forgetPassage(db, now, texts, clean),
    /** The newest cleaning that was ordered and isn’t done; null where all is clean. */
    due: () => isOrdered.get() ?? null,
    cleaned: (number: number) => void done.run(number),
  }
}

function forgetBefore(db: Db, texts: Texts, clean: (document: DocumentRow) => void) {
  const costSince = db.prepare<[number, number, number], { logged: number }>(
    `SELECT coalesce(sum(64 + octet_length(changes)), 0) AS logged FROM changes
     WHERE document = ? AND revision > ? AND revision <= ?`,
  )
  const removeEntries = db.prepare('DELETE FROM changes WHERE document = ? AND revision < ?')
  const removeKeyframes = db.prepare('DELETE FROM keyframes WHERE document = ? AND revision < ?')
  const removeVersions = db.prepare('DELETE FROM versions WHERE document = ? AND revision < ?')
  const begin = db.prepare('UPDATE changes SET base = 0, changes = ? WHERE document = ? AND revision = ?')
  const keep = db.prepare<[number, number, number, KeptText]>(
    'INSERT OR REPLACE INTO keyframes (document, revision, needed, logged, content) VALUES (?, ?, 1, ?, ?)',
  )
  const beginVersions = db.prepare(
    'UPDATE versions SET started_at = ? WHERE document = ? AND started_at < ? AND created_at >= ?',
  )
  const removeDecided = db.prepare(
    `DELETE FROM suggestions WHERE document = ? AND status <> 'pending'
     AND CASE WHEN decided_revision IS NULL THEN resolved_at < ? ELSE decided_revision < ? END`,
  )
  // What is told there of earlier decisions, and of those that took them back, can’t be asked for any more.
  const forgetNotes = (table: 'comments' | 'suggestions', notes: string, revision: string) =>
    db.prepare(
      `UPDATE ${table} SET anchor = json_set(anchor, '$.${notes}', (SELECT json_group_array(json(n.value))
         FROM json_each(anchor -> '$.${notes}') n WHERE ${revision} >= @revision))
       WHERE document = @number
         AND EXISTS (SELECT 1 FROM json_each(anchor -> '$.${notes}') n WHERE ${revision} < @revision)`,
    )
  const forgetDecisions = [
    forgetNotes('comments', 'taken_out', "n.value ->> '$.revision'"),
    forgetNotes('suggestions', 'taken_out', "n.value ->> '$.revision'"),
    forgetNotes('suggestions', 'undone', "coalesce(n.value ->> '$.by', n.value ->> '$[1]')"),
  ]
  const follow = db.prepare('UPDATE documents SET followed_from = max(followed_from, ?) WHERE number = ?')

  /**
   * The log begins with this revision, which the document must have; how many revisions are gone, or null where its text
   * can’t be read.
   */
  return (document: DocumentRow, revision: number, bench: Bench = here): number | null => {
    const { number } = document
    const text = revision === document.revision ? document.text.whole : texts.at(number, revision, bench)
    const entry = texts.log.find(number, revision)
    if (text === null || !entry) return null
    const kept = texts.kept(PiecedText.of(text), bench)
    const mark = texts.keyframes.mark(number, revision)
    const since = costSince.get(number, mark?.revision ?? 0, revision)!.logged
    const gone = removeEntries.run(number, revision).changes
    // The first text stands in the first keyframe, as that of a new document does.
    const changes = JSON.stringify(text === '' ? [] : [[0, text.length]])
    begin.run(changes, number, revision)
    removeKeyframes.run(number, revision)
    keep.run(number, revision, Math.max((mark?.logged ?? 0) + since, replayCost(changes)), kept)
    removeVersions.run(number, revision)
    beginVersions.run(entry.at, number, entry.at, entry.at)
    removeDecided.run(number, entry.at, revision)
    for (const notes of forgetDecisions) notes.run({ number, revision })
    follow.run(revision, number)
    clean(document)
    return gone
  }
}

/**
 * How often a passage was in the text, how many other places said it, and what still holds a large part of it; or that
 * today’s text still has all of it.
 */
export type ForgottenPassage =
  { stands: true } | { stands: false; found: number; quoted: number; alike: Alike[] }

function forgetPassage(db: Db, now: () => number, texts: Texts, clean: (document: DocumentRow) => void) {
  const keyframes = db.prepare<[number], { revision: number; content: KeptText }>(
    'SELECT revision, content FROM keyframes WHERE document = ? ORDER BY revision',
  )
  const setEntry = db.prepare('UPDATE changes SET hash = ?, changes = ? WHERE document = ? AND revision = ?')
  const setKeyframe = db.prepare<[KeptText, number, number]>(
    'UPDATE keyframes SET content = ? WHERE document = ? AND revision = ?',
  )
  const versions = db
    .prepare<[number], number>('SELECT revision FROM versions WHERE document = ? ORDER BY revision')
    .pluck()
  const words = redactedWords(db, now)

  /** The versions that these revisions went into. */
  function versionsOf(number: number, revisions: readonly number[]): Alike[] {
    const all = versions.all(number)
    const found = revisions.map((revision) => all.find((version) => version >= revision) ?? revision)
    return [...new Set(found)].map((revision) => ({ kind: 'version', id: String(revision) }))
  }

  return (document: DocumentRow, passage: string, bench: Bench = here): ForgottenPassage => {
    const { number } = document
    const entries = texts.log
      .since(number, 0)
      .map(({ revision, base, length, hash, changes }) => ({ revision, base, length, hash, changes }))
    const redacted = bench('redact', { passage, entries, keyframes: keyframes.all(number) })
    if (redacted.stands || document.text.whole.includes(passage)) return { stands: true }
    for (const { revision, hash, changes } of redacted.entries) setEntry.run(hash, changes, number, revision)
    for (const { revision, content } of redacted.keyframes) setKeyframe.run(content, number, revision)
    const quoted = words.redact(document, passage)
    clean(document)
    const inVersions = versionsOf(number, redacted.alike)
    const elsewhere = words
      .findAlike(document, passage)
      .filter(({ kind, id }) => kind !== 'version' || !inVersions.some((version) => version.id === id))
    return { stands: false, found: redacted.found, quoted, alike: [...elsewhere, ...inVersions] }
  }
}
