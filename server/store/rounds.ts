import { limits } from '../contract/limits.ts'
import { noteAuthor, type Author } from './author.ts'
import type { Db } from './database.ts'
import { unexpired } from './expiry.ts'

export interface RoundRow {
  id: string
  document: number
  /** What the document had come to when the round began. */
  revision: number
  /** What that is called, as “Second draft”. */
  name: string | null
  note: string | null
  due_at: number | null
  created_at: number
  /** A `NotedAuthor`; null where an older Galley didn’t note it. */
  asked_by: string | null
  ended_at: number | null
}

/** What has become of a round at one of the document’s links. */
export interface RoundLinkRow {
  link: string
  label: string | null
  opened_at: number | null
  read_at: number | null
}

export interface FinishedReviewRow {
  link: string
  reviewer: string
  name: string
  finished_at: number
}

const columns = 'id, document, revision, name, note, due_at, created_at, asked_by, ended_at'

/** Rounds of review: one of a document runs at a time, and those that have ended stay. */
export function roundStore(db: Db, now: () => number, newId: () => string) {
  const put = db.prepare<[RoundRow]>(
    `INSERT INTO rounds (${columns}) VALUES (@id, @document, @revision, @name, @note, @due_at, @created_at, @asked_by, @ended_at)`,
  )
  const byId = db.prepare<[string, number], RoundRow>(
    `SELECT ${columns} FROM rounds WHERE id = ? AND document = ?`,
  )
  const ofDocument = db.prepare<[number, number], RoundRow>(
    `SELECT ${columns} FROM rounds WHERE document = ? ORDER BY created_at DESC, rowid DESC LIMIT ?`,
  )
  const open = db.prepare<[number], RoundRow>(
    `SELECT ${columns} FROM rounds WHERE document = ? AND ended_at IS NULL`,
  )
  const change = db.prepare<[Pick<RoundRow, 'id' | 'name' | 'note' | 'due_at' | 'ended_at'>]>(
    'UPDATE rounds SET name = @name, note = @note, due_at = @due_at, ended_at = @ended_at WHERE id = @id',
  )
  const shorten = db.prepare<{ document: number; most: number }>(
    `DELETE FROM rounds WHERE document = @document AND ended_at IS NOT NULL AND id NOT IN
     (SELECT id FROM rounds WHERE document = @document ORDER BY created_at DESC, rowid DESC LIMIT @most)`,
  )
  // Nobody can be done any more by a link that has expired.
  const linksOf = db.prepare<
    { round: string; document: number; from: number; to: number; until: number },
    RoundLinkRow
  >(
    `SELECT l.id AS link, l.label, max(v.opened_at) AS opened_at, max(v.read_at) AS read_at FROM share_links l
     LEFT JOIN link_visits v ON v.link = l.id AND v.preview = 0 AND v.opened_at <= @to
       AND max(v.opened_at, coalesce(v.read_at, 0)) >= @from
     WHERE l.document = @document AND l.revoked_at IS NULL AND (${unexpired('l', '@until')}
       OR EXISTS (SELECT 1 FROM finished_reviews f WHERE f.round = @round AND f.link = l.id)) GROUP BY l.id ORDER BY l.created_at DESC, l.rowid DESC`,
  )
  const finishedOf = db.prepare<[string], FinishedReviewRow>(
    `SELECT f.link, f.reviewer, f.name, f.finished_at FROM finished_reviews f JOIN share_links l ON l.id = f.link
     WHERE f.round = ? AND l.revoked_at IS NULL ORDER BY f.finished_at, f.reviewer`,
  )
  const finish = db.prepare<
    [Record<'round' | 'link' | 'reviewer' | 'name', string> & { at: number; most: number }]
  >(
    `INSERT INTO finished_reviews (round, link, reviewer, name, finished_at)
     SELECT @round, @link, @reviewer, @name, @at
     WHERE (SELECT count(*) FROM finished_reviews WHERE round = @round AND link = @link) < @most
     ON CONFLICT DO NOTHING`,
  )
  const resume = db.prepare<[string, string, string]>(
    'DELETE FROM finished_reviews WHERE round = ? AND link = ? AND reviewer = ?',
  )

  return {
    find: (id: string, document: number) => byId.get(id, document),
    findOpen: (document: number) => open.get(document),
    /** The newest first. */
    list: (document: number) => ofDocument.all(document, limits.rounds),
    create(
      document: number,
      fields: Pick<RoundRow, 'revision' | 'name' | 'note' | 'due_at'>,
      by: Author,
    ): RoundRow {
      const made = { created_at: now(), asked_by: noteAuthor(by), ended_at: null }
      const row = { id: newId(), document, ...fields, ...made }
      put.run(row)
      shorten.run({ document, most: limits.rounds })
      return row
    },
    update(
      row: RoundRow,
      fields: Partial<Pick<RoundRow, 'name' | 'note' | 'due_at' | 'ended_at'>>,
    ): RoundRow {
      const changed = { ...row, ...fields }
      const { id, name, note, due_at, ended_at } = changed
      change.run({ id, name, note, due_at, ended_at })
      return changed
    },
    /** Of each link of the document by which somebody is or could have been done: when it was opened, and read to the end, while the round ran. */
    links: ({ id, document, created_at, ended_at }: RoundRow) =>
      linksOf.all({
        ...{ round: id, document, from: created_at, to: ended_at ?? Number.MAX_SAFE_INTEGER },
        until: ended_at ?? now(),
      }),
    finished: ({ id }: RoundRow) => finishedOf.all(id),
    /** False where that was so already. */
    finish: (round: string, link: string, { key, name }: { key: string; name: string }) =>
      finish.run({ round, link, reviewer: key, name, at: now(), most: limits.roundReviewers }).changes > 0,
    resume: (round: string, link: string, { key }: { key: string }) =>
      resume.run(round, link, key).changes > 0,
  }
}
