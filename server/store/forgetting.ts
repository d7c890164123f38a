import { holdsLargePartOf } from '../domain/large-part.ts'
import { redactText, forgottenMark } from '../domain/redact-log.ts'
import type { Anchor } from '../contract/records/anchors.ts'
import { here, type Bench } from '../threads/text-work.ts'
import type { KeptText } from '../threads/kept-text.ts'
import type { Db } from './database.ts'
import type { DocumentRow } from './documents.ts'
import { replayCost } from './log.ts'
import type { Texts } from './texts.ts'
import { PiecedText } from '../domain/pieced-text.ts'

/** Of a passage that is cut off at the end of a quote, so much tells that it is the passage. */
const leastOfPassage = 4

export type ForgettingStore = ReturnType<typeof forgettingStore>

/**
 * Takes the past of a document out of the tables, all in the transaction that is under way. What it leaves behind in the
 * files goes with the cleaning that it orders.
 */
export function forgettingStore(db: Db, now: () => number, texts: Texts) {
  const order = db.prepare('INSERT INTO cleanings (at) VALUES (?)')
  const isOrdered = db.prepare<[], number | null>('SELECT max(number) FROM cleanings').pluck()
  const done = db.prepare('DELETE FROM cleanings WHERE number <= ?')
  // Nobody but who asked can open them, so nobody can tell which of them hold what was forgotten.
  const forgetAnswers = db.prepare("UPDATE idempotency_records SET sealed = x'' WHERE sealed <> x''")
  const forgetWords = db.prepare(
    'INSERT INTO search_words_sweep (after) SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM search_words_sweep)',
  )
  const sweepAnew = db.prepare('UPDATE search_words_sweep SET after = 0')
  const forgetRender = db.prepare('DELETE FROM renders WHERE document = ?')
  const unindex = db.prepare('UPDATE documents SET indexed = 0 WHERE number = ?')

  function clean({ number }: DocumentRow) {
    forgetAnswers.run()
    forgetRender.run(number)
    unindex.run(number)
    forgetWords.run()
    sweepAnew.run()
    texts.forgetPast(number)
    order.run(now())
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
  const forgetReopening = db.prepare(
    'UPDATE suggestions SET reopened_revision = NULL WHERE document = ? AND reopened_revision < ?',
  )
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
    forgetReopening.run(number, revision)
    follow.run(revision, number)
    clean(document)
    return gone
  }
}

interface QuotedRow {
  id: string
  anchor: string | null
}
type CommentWords = QuotedRow & Record<'parent_id' | 'suggestion_id', string | null> & { body: string }
type SuggestionWords = QuotedRow &
  Record<'original_text' | 'suggested_text', string> &
  Record<'accepted_text' | 'note', string | null>

/** A thread or a suggestion. */
interface Alike {
  kind: 'comment' | 'suggestion'
  id: string
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
  const comments = db.prepare<[number], CommentWords>(
    'SELECT id, parent_id, suggestion_id, anchor, body FROM comments WHERE document = ?',
  )
  const setComment = db.prepare(
    'UPDATE comments SET anchor = ?, body = ?, updated_at = max(?, updated_at + 1) WHERE id = ?',
  )
  const suggestions = db.prepare<[number], SuggestionWords>(
    'SELECT id, anchor, original_text, suggested_text, accepted_text, note FROM suggestions WHERE document = ?',
  )
  const setSuggestion = db.prepare(
    'UPDATE suggestions SET anchor = ?, original_text = ?, suggested_text = ?, accepted_text = ?, note = ?, changed_at = ? WHERE id = ?',
  )
  const versions = db.prepare<[number], { revision: number; title: string; name: string | null }>(
    'SELECT revision, title, name FROM versions WHERE document = ?',
  )
  const setVersion = db.prepare('UPDATE versions SET title = ?, name = ? WHERE document = ? AND revision = ?')

  const rounds = db.prepare<[number], { id: string; note: string }>(
    'SELECT id, note FROM rounds WHERE document = ? AND note IS NOT NULL',
  )
  const setRound = db.prepare('UPDATE rounds SET note = ? WHERE id = ?')

  function redactFeedback(number: number, redact: (text: string) => string, passage: string): number {
    let quoted = 0
    const anchor = (text: string | null) => redactAnchor(text, redact, passage)
    for (const row of comments.all(number)) {
      const words = [anchor(row.anchor), redact(row.body)]
      if (words[0] === row.anchor && words[1] === row.body) continue
      quoted++
      setComment.run(...words, now(), row.id)
    }
    for (const row of suggestions.all(number)) {
      const before = [row.anchor, row.original_text, row.suggested_text, row.accepted_text, row.note]
      const words = [anchor(row.anchor), ...before.slice(1).map((text) => text && redact(text))]
      if (words.every((text, i) => text === before[i])) continue
      quoted++
      setSuggestion.run(...words, now(), row.id)
    }
    for (const { revision, title, name } of versions.all(number)) {
      const words = [redact(title), name && redact(name)]
      if (words[0] === title && words[1] === name) continue
      quoted++
      setVersion.run(...words, number, revision)
    }
    for (const { id, note } of rounds.all(number)) {
      const words = redact(note)
      if (words === note) continue
      quoted++
      setRound.run(words, id)
    }
    return quoted
  }

  /** What is left after the passage itself is gone; each thread and suggestion once. */
  function findAlike(number: number, passage: string): Alike[] {
    const isAlike = holdsLargePartOf(passage)
    const holds = (anchor: string | null, ...said: (string | null)[]) =>
      [quoteIn(anchor), ...said].some((text) => text !== null && isAlike(text))
    const found = new Map<string, Alike>()
    for (const { id, parent_id, suggestion_id, anchor, body } of comments.all(number)) {
      const [kind, of] = suggestion_id
        ? ['suggestion' as const, suggestion_id]
        : ['comment' as const, parent_id ?? id]
      if (holds(anchor, body)) found.set(of, { kind, id: of })
    }
    for (const { id, anchor, original_text, suggested_text, accepted_text, note } of suggestions.all(number))
      if (holds(anchor, original_text, suggested_text, accepted_text, note))
        found.set(id, { kind: 'suggestion', id })
    return [...found.values()]
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
    const quoted = redactFeedback(number, (text) => redactText(text, passage), passage)
    clean(document)
    return { stands: false, found: redacted.found, quoted, alike: findAlike(number, passage) }
  }
}

function redactAnchor(text: string | null, redact: (text: string) => string, passage: string): string | null {
  if (text === null) return null
  const anchor = JSON.parse(text) as Partial<Anchor>
  const { exact, prefix, suffix } = anchor
  // What stands around may be cut off within the passage, and all three together may be it.
  const whole = redact(`${prefix ?? ''}${exact ?? ''}${suffix ?? ''}`)
  const [a, b] = [(prefix ?? '').length, (prefix ?? '').length + (exact ?? '').length]
  const redacted = {
    ...anchor,
    ...(exact === undefined ? {} : { exact: whole.slice(a, b) }),
    ...(prefix === undefined ? {} : { prefix: withoutEndOf(whole.slice(0, a), passage) }),
    ...(suffix === undefined ? {} : { suffix: withoutStartOf(whole.slice(b), passage) }),
  }
  const written = JSON.stringify(redacted)
  return written === JSON.stringify(anchor) ? text : written
}

/** All that an anchor says of the text. */
function quoteIn(anchor: string | null): string | null {
  if (anchor === null) return null
  const { exact = '', prefix = '', suffix = '' } = JSON.parse(anchor) as Partial<Anchor>
  return prefix + exact + suffix
}

const marks = (text: string) => text.replace(/[^\r\n]/g, forgottenMark)

/** A prefix without the end of the passage, with which it may begin. */
function withoutEndOf(prefix: string, passage: string): string {
  for (let size = Math.min(prefix.length, passage.length); size >= leastOfPassage; size--)
    if (prefix.startsWith(passage.slice(-size))) return marks(prefix.slice(0, size)) + prefix.slice(size)
  return prefix
}
/** A suffix without the beginning of the passage, with which it may end. */
function withoutStartOf(suffix: string, passage: string): string {
  for (let size = Math.min(suffix.length, passage.length); size >= leastOfPassage; size--)
    if (suffix.endsWith(passage.slice(0, size))) return suffix.slice(0, -size) + marks(suffix.slice(-size))
  return suffix
}
