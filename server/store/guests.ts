import { limits } from '../contract/limits.ts'
import { renamedMentions } from '../domain/mentions.ts'
import type { StoredReaction } from '../domain/reactions.ts'
import type { Db } from './database.ts'

/** A guest who has said or written something in a document, or reacted to what others say. */
export interface GuestRow {
  key: string
  /** What the document’s owner calls them; null where they are called as they call themselves. */
  name: string | null
  own_name: string
  hidden: 0 | 1
  comments: number
  suggestions: number
}

/** Whoever a document’s owner may say something of. */
const all = `SELECT a.author_key AS key, g.name, coalesce(g.own_name, max(a.name)) AS own_name, coalesce(g.hidden, 0) AS hidden,
    sum(a.comment) AS comments, sum(a.suggestion) AS suggestions
  FROM (
    SELECT author_key, author_name AS name, created_at AS at, 1 AS comment, 0 AS suggestion FROM comments WHERE document = @document
    UNION ALL SELECT author_key, author_name, created_at, 0, 1 FROM suggestions WHERE document = @document
    UNION ALL SELECT r.value ->> 'by', r.value ->> 'name', c.updated_at, 0, 0 FROM comments c, json_each(c.reactions) r
      WHERE c.document = @document
    UNION ALL SELECT author_key, author_name, created_at, 0, 0 FROM versions WHERE document = @document
    UNION ALL SELECT f.reviewer, f.name, f.finished_at, 0, 0 FROM finished_reviews f
      JOIN rounds r ON r.id = f.round WHERE r.document = @document
  ) a LEFT JOIN guests g ON g.document = @document AND g.author_key = a.author_key
  WHERE a.author_key GLOB 'guest:*' GROUP BY a.author_key ORDER BY min(a.at), a.author_key`

/** Everywhere that a guest’s name stands, or one name of theirs. What is listed since some moment is listed again. */
const named = (name: string) => `(@before IS NULL OR ${name} = @before)`
const renaming = [
  `UPDATE comments SET author_name = @name, updated_at = max(@now, updated_at + 1) WHERE document = @document AND author_key = @key AND ${named('author_name')}`,
  `UPDATE suggestions SET author_name = @name, replied_at = @now WHERE document = @document AND author_key = @key AND ${named('author_name')}`,
  `UPDATE versions SET author_name = @name WHERE document = @document AND author_key = @key AND ${named('author_name')}`,
  `UPDATE changes SET author_name = @name WHERE document = @document AND author_key = @key AND ${named('author_name')}`,
  `UPDATE comments SET resolved_by = json_set(resolved_by, '$.author_name', @name) WHERE document = @document AND resolved_by ->> 'author_key' = @key AND ${named("resolved_by ->> 'author_name'")}`,
  `UPDATE finished_reviews SET name = @name WHERE reviewer = @key AND round IN (SELECT id FROM rounds WHERE document = @document) AND ${named('name')}`,
]

/** What guests are called who don’t say how. */
export const unnamed = 'Guest'

/** What a document’s owner says of its guests. */
export function guestStore(db: Db, now: () => number) {
  const ofDocument = db.prepare<{ document: number }, GuestRow>(all)
  const called = db
    .prepare<[number, string], string | null>('SELECT name FROM guests WHERE document = ? AND author_key = ?')
    .pluck()
  const hidden = db
    .prepare<[number, string], number>(
      'SELECT 1 FROM guests WHERE document = ? AND author_key = ? AND hidden = 1',
    )
    .pluck()
  const put = db.prepare<{ document: number } & Pick<GuestRow, 'key' | 'name' | 'own_name' | 'hidden'>>(
    `INSERT INTO guests (document, author_key, name, own_name, hidden) VALUES (@document, @key, @name, @own_name, @hidden)
     ON CONFLICT DO UPDATE SET name = excluded.name, own_name = excluded.own_name, hidden = excluded.hidden`,
  )
  const noteName = db.prepare<[string, number, string]>(
    'UPDATE guests SET own_name = ? WHERE document = ? AND author_key = ?',
  )
  const renames = renaming.map((sql) =>
    db.prepare<{ document: number; key: string; name: string; before: string | null; now: number }>(sql),
  )
  const touches = [
    `UPDATE comments SET updated_at = max(@now, updated_at + 1) WHERE document = @document AND (author_key = @key OR instr(reactions, @key) > 0)`,
    `UPDATE suggestions SET replied_at = @now WHERE document = @document AND (author_key = @key OR id IN (
       SELECT suggestion_id FROM comments WHERE document = @document AND instr(reactions, @key) > 0))`,
  ].map((sql) => db.prepare<{ document: number; key: string; now: number }>(sql))
  const saidBy = (table: 'comments' | 'suggestions', columns: string) =>
    db.prepare<[number, string], { id: string; suggestion_id: string | null }>(
      `SELECT ${columns} FROM ${table} WHERE document = ? AND author_key = ? ORDER BY created_at, rowid`,
    )
  const [comments, suggestions] = [
    saidBy('comments', 'id, suggestion_id'),
    saidBy('suggestions', 'id, NULL AS suggestion_id'),
  ]
  const reacted = db.prepare<
    [number, string],
    { id: string; suggestion_id: string | null; reactions: string }
  >('SELECT id, suggestion_id, reactions FROM comments WHERE document = ? AND instr(reactions, ?) > 0')
  const setReactions = db.prepare<[string | null, number, string]>(
    'UPDATE comments SET reactions = ?, updated_at = max(?, updated_at + 1) WHERE id = ?',
  )
  const others = db
    .prepare<{ document: number; key: string }, string>(
      `SELECT author_name FROM comments WHERE document = @document AND author_key <> @key
       UNION SELECT author_name FROM suggestions WHERE document = @document AND author_key <> @key`,
    )
    .pluck()
  const isUnnamed = db
    .prepare<{ document: number; key: string; name: string }, number>(
      `SELECT 1 WHERE EXISTS (SELECT 1 FROM comments WHERE document = @document AND author_key = @key AND author_name = @name)
         OR EXISTS (SELECT 1 FROM suggestions WHERE document = @document AND author_key = @key AND author_name = @name)`,
    )
    .pluck()
  const saying = db.prepare<[number, string], { id: string; body: string }>(
    'SELECT id, body FROM comments WHERE document = ? AND instr(body, ?) > 0',
  )
  const setBody = db.prepare<[string, number, string]>(
    'UPDATE comments SET body = ?, updated_at = max(?, updated_at + 1) WHERE id = ?',
  )
  const accepted = db.prepare<[number, string], { revision: number; name: string; suggested_by: string }>(
    `SELECT DISTINCT v.revision, s.author_name AS name, v.suggested_by FROM suggestions s
     JOIN versions v ON v.document = s.document AND v.revision = s.decided_revision
     WHERE s.document = ? AND s.author_key = ? AND s.status = 'accepted' AND v.suggested_by IS NOT NULL`,
  )
  const setSuggesters = db.prepare<[string, number, number]>(
    'UPDATE versions SET suggested_by = ? WHERE document = ? AND revision = ?',
  )

  /** By whom accepted suggestions were is noted with the version, by name alone. */
  function renameSuggesters(document: number, key: string, name: string, was: string | null) {
    for (const { revision, name: before, suggested_by } of accepted.all(document, key)) {
      if (was !== null && before !== was) continue
      const suggesters = JSON.parse(suggested_by) as ({ name: string; guest?: boolean | null } | string)[]
      const renamed = suggesters.map((one) =>
        typeof one !== 'string' && one.guest === true && one.name === before ? { ...one, name } : one,
      )
      setSuggesters.run(JSON.stringify(renamed), document, revision)
    }
  }

  function renameReactions(document: number, key: string, name: string, was: string | null) {
    for (const { id, reactions } of reacted.all(document, key)) {
      const all = JSON.parse(reactions) as StoredReaction[]
      const isIt = (one: StoredReaction) => one.by === key && (was === null || one.name === was)
      if (!all.some(isIt)) continue
      const renamed = all.map((one) => (isIt(one) ? { ...one, name } : one))
      setReactions.run(JSON.stringify(renamed), now(), id)
    }
  }

  /** A mention is the name in somebody’s words: it goes on meaning who was meant. Where another has that name, too, nobody knows who. */
  function renameMentions(document: number, key: string, before: string, name: string) {
    const names = others.all({ document, key })
    if (before === '' || names.includes(before)) return
    for (const { id, body } of saying.all(document, `@${before}`)) {
      const renamed = renamedMentions(body, before, name, names)
      if (renamed !== body && renamed.length <= limits.commentLength) setBody.run(renamed, now(), id)
    }
  }

  return {
    /** Those who have said or written something, the first of them first. */
    list: (document: number) => ofDocument.all({ document }),
    /** What the owner calls them; null or undefined where they are called as they call themselves. */
    calledBy: (document: number, key: string) => called.get(document, key),
    isHidden: (document: number, key: string) => hidden.get(document, key) !== undefined,
    /** Their comments, replies among them, and suggestions, the oldest first. */
    said: (document: number, key: string) => ({
      comments: comments.all(document, key),
      suggestions: suggestions.all(document, key),
    }),
    /** Takes all their reactions away; answers of which comments. */
    takeReactions: (document: number, key: string) =>
      reacted.all(document, key).map(({ id, suggestion_id, reactions }) => {
        const left = (JSON.parse(reactions) as StoredReaction[]).filter(({ by }) => by !== key)
        setReactions.run(left.length === 0 ? null : JSON.stringify(left), now(), id)
        return { id, suggestion_id }
      }),
    /** They call themselves so now, though they are shown under another name. */
    noteName: (document: number, key: string, name: string) => void noteName.run(name, document, key),
    /** Of somebody who has said something without a name, and has one now: all that bears it. False where nothing was. */
    nameEarlier(document: number, key: string, name: string): boolean {
      if (name === unnamed || isUnnamed.get({ document, key, name: unnamed }) === undefined) return false
      // A version has names alone, which nobody tells apart.
      if (!others.all({ document, key }).includes(unnamed)) renameSuggesters(document, key, name, unnamed)
      renameReactions(document, key, name, unnamed)
      for (const rename of renames) rename.run({ document, key, name, before: unnamed, now: now() })
      return true
    },
    /** What was said of them before stays where nothing else is said; everything of theirs has the new name at once. */
    change(document: number, guest: GuestRow, fields: { name?: string | null; hidden?: boolean }): GuestRow {
      const { key, own_name } = guest
      const { name = guest.name } = fields
      const changed = {
        ...guest,
        name,
        hidden: fields.hidden === undefined ? guest.hidden : fields.hidden ? 1 : 0,
      }
      put.run({ document, key, name, own_name, hidden: changed.hidden })
      const shown = name ?? own_name
      const before = guest.name ?? own_name
      if (shown !== before) {
        renameMentions(document, key, before, shown)
        renameSuggesters(document, key, shown, null)
        renameReactions(document, key, shown, null)
        for (const rename of renames) rename.run({ document, key, name: shown, before: null, now: now() })
      } else if (changed.hidden !== guest.hidden)
        for (const touch of touches) touch.run({ document, key, now: now() })
      return changed
    },
  }
}
