import type { Anchor } from '../contract/records.ts'
import { GUEST_BUDGET } from '../domain/budget.ts'
import {
  applyChanges,
  changesFromJson,
  composeAll,
  contentHash,
  type ChangesJson,
} from '../domain/change-set.ts'
import { excerptedFrom } from '../domain/excerpt.ts'
import { changeDocument, type AnchoredRecord, type Edited, type Outcome } from '../domain/document-change.ts'
import { here, type Bench } from '../threads/text-work.ts'
import type { Author } from './author.ts'
import { readAnchor, readRange } from './comments.ts'
import { notInTrash } from './in-trash.ts'
import type { Db } from './database.ts'
import type { versionStore } from './versions.ts'

export interface DocumentRow {
  number: number
  id: string
  owner_id: string
  title: string
  content: string
  revision: number
  hash: number
  created_at: number
  updated_at: number
  /** Whether the search index has this revision. */
  indexed: 0 | 1
}
/** Just enough of a document to decide who sees it. */
export interface DocumentHead {
  number: number
  id: string
  owner_id: string
  revision: number
  updated_at: number
}
export interface DocumentSummaryRow {
  id: string
  title: string
  created_at: number
  updated_at: number
}

/** One change of a document: its whole new text or what was worked out of it, and perhaps its new title. */
export interface DocumentChange {
  content?: string
  /** What it makes of the document as it is now, anchors and all, where that was worked out before. */
  edited?: Edited
  title?: string
  kind: 'edit' | 'title' | 'suggestion' | 'restore' | 'import'
  author: Author
  /** Whether the author knew the text they replaced (`If-Match`): an uninformed change never folds into a version. */
  informed: boolean
  /** Whether guests have left so many versions that this one may take the place of its author's own before it. */
  crowded?: boolean
  /** Whose suggestions it takes in. */
  suggestedBy?: readonly string[]
  /** The editor's own name for the change, so that a repeated one can be told. */
  clientId?: string
}

const columns = 'number, id, owner_id, title, content, revision, hash, created_at, updated_at, indexed'
/** How much log is kept for editors that come back late; older changes live on in the versions. */
const logEntries = 1_000
const logBytes = 4 * 1024 * 1024
const compactEvery = 64
/** A change this large compacts the log at once, so that a few of them never outgrow it in between. */
const largeChange = logBytes / compactEvery

/** So many characters of a text, and of its log, are read to know how it was. */
const replayed = 1024 * 1024

interface AnchoredRow {
  id: string
  anchor: string
  range_start: number | null
  range_end: number | null
}

const startOf = (content: string) => content.slice(0, excerptedFrom).toWellFormed()

export function documentStore(
  db: Db,
  now: () => number,
  newId: () => string,
  versions: ReturnType<typeof versionStore>,
) {
  const byId = db.prepare<[string], DocumentRow>(
    `SELECT ${columns} FROM documents d WHERE id = ? AND ${notInTrash}`,
  )
  const headById = db.prepare<[string], DocumentHead>(
    `SELECT number, id, owner_id, revision, updated_at FROM documents d WHERE id = ? AND ${notInTrash}`,
  )
  const byNumber = db.prepare<[number], DocumentRow>(
    `SELECT ${columns} FROM documents d WHERE number = ? AND ${notInTrash}`,
  )
  const headByNumber = db.prepare<[number], DocumentHead>(
    `SELECT number, id, owner_id, revision, updated_at FROM documents d WHERE number = ? AND ${notInTrash}`,
  )
  const owned = db.prepare<[string, number, number], DocumentSummaryRow>(
    `SELECT id, title, created_at, updated_at FROM documents d WHERE owner_id = ? AND ${notInTrash}
     ORDER BY updated_at DESC, id LIMIT ? OFFSET ?`,
  )
  const all = db.prepare<[string], { id: string }>(
    `SELECT id FROM documents d WHERE owner_id = ? AND ${notInTrash} ORDER BY number`,
  )
  const insert = db.prepare(
    `INSERT INTO documents (id, owner_id, title, content, revision, hash, created_at, updated_at)
     VALUES (?, ?, ?, ?, 1, ?, ?, ?)`,
  )
  const save = db.prepare(
    'UPDATE documents SET title = ?, content = ?, revision = ?, hash = ?, updated_at = ? WHERE number = ?',
  )
  // Apart from `save`: in a burst of changes only the first has to say it, and to write that page.
  const start = db.prepare(
    'INSERT INTO document_starts (document, text) VALUES (?, ?) ON CONFLICT DO UPDATE SET text = excluded.text',
  )
  const startById = db
    .prepare<[string], string>(
      'SELECT text FROM documents d JOIN document_starts s ON s.document = d.number WHERE id = ?',
    )
    .pluck()
  const unindex = db.prepare('UPDATE documents SET indexed = 0 WHERE number = ?')
  const remove = db.prepare('DELETE FROM documents WHERE number = ?')
  const momentOf = db
    .prepare<[{ document: number; revision: number }], number>(
      `SELECT at FROM changes WHERE document = @document AND revision = @revision
       UNION ALL SELECT created_at FROM versions WHERE document = @document AND revision = @revision
       UNION ALL SELECT created_at FROM documents WHERE number = @document AND @revision = 1
       UNION ALL SELECT updated_at FROM documents WHERE number = @document AND revision = @revision LIMIT 1`,
    )
    .pluck()
  const log = db.prepare(
    'INSERT INTO changes (document, revision, at, author_key, client_id, length, hash, changes) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const logTotal = db
    .prepare<[number, number], number>(
      'SELECT total(octet_length(changes)) FROM changes WHERE document = ? AND revision > ?',
    )
    .pluck()
  const logSizes = db.prepare<[number], { revision: number; bytes: number }>(
    'SELECT revision, octet_length(changes) AS bytes FROM changes WHERE document = ? ORDER BY revision DESC',
  )
  const logSince = db
    .prepare<[number, number], string>(
      'SELECT changes FROM changes WHERE document = ? AND revision > ? ORDER BY revision',
    )
    .pluck()
  const oldest = db
    .prepare<[number], number | null>('SELECT min(revision) FROM changes WHERE document = ?')
    .pluck()
  const forget = db.prepare('DELETE FROM changes WHERE document = ? AND revision <= ?')
  const anchoredComments = db.prepare<[number], AnchoredRow>(
    'SELECT id, anchor, range_start, range_end FROM comments WHERE document = ? AND anchor IS NOT NULL',
  )
  const anchoredSuggestions = db.prepare<[number], AnchoredRow>(
    "SELECT id, anchor, range_start, range_end FROM suggestions WHERE document = ? AND anchor IS NOT NULL AND status = 'pending'",
  )
  const moveComment = db.prepare('UPDATE comments SET range_start = ?, range_end = ? WHERE id = ?')
  const moveSuggestion = db.prepare('UPDATE suggestions SET range_start = ?, range_end = ? WHERE id = ?')

  const anchored = (kind: 'comment' | 'suggestion', rows: AnchoredRow[]): AnchoredRecord[] =>
    rows.map((row) => ({
      id: row.id,
      kind,
      anchor: readAnchor(row.anchor) as Anchor,
      range: readRange(row),
    }))

  const anchorsOf = (document: number): AnchoredRecord[] => [
    ...anchored('comment', anchoredComments.all(document)),
    ...anchored('suggestion', anchoredSuggestions.all(document)),
  ]

  /** Keeps the newest entries, one a revision, up to as many and as large as they may be; at least the last one. */
  function compactLog(document: number, revision: number) {
    let upTo = revision - logEntries
    if (logTotal.get(document, upTo)! > logBytes) {
      let bytes = 0
      for (const row of logSizes.iterate(document)) {
        bytes += row.bytes
        if (bytes > logBytes && row.revision < revision) {
          upTo = Math.max(upTo, row.revision)
          break
        }
      }
    }
    if (upTo > 0) forget.run(document, upTo)
  }

  function logChange(document: number, outcome: Outcome, { author, clientId }: DocumentChange) {
    const { revision, updatedAt, content, hash, log: changes } = outcome
    // The log has no gaps: without this entry, none of those before it leads on.
    if (changes === null) return void forget.run(document, revision)
    log.run(document, revision, updatedAt, author.key, clientId ?? null, content.length, hash, changes)
    if (revision % compactEvery === 0 || changes.length > largeChange) compactLog(document, revision)
  }

  return {
    // None of these finds what is in the trash.
    find: (id: string) => byId.get(id),
    findHead: (id: string) => headById.get(id),
    /** The document of a share link. */
    findLinked: (link: { document: number }) => byNumber.get(link.document),
    findLinkedHead: (link: { document: number }) => headByNumber.get(link.document),
    /** When a revision was made, as far as the log or the versions still know. */
    timeOf: (document: number, revision: number) => momentOf.get({ document, revision }),
    /** The oldest revision that the log leads on from. */
    oldestRemembered: ({ number, revision }: DocumentRow) => (oldest.get(number) ?? revision + 1) - 1,
    /** The changes after a revision, which the log has to remember, oldest first. */
    changesSince: ({ number }: DocumentRow, revision: number) =>
      logSince.all(number, revision).map((changes) => JSON.parse(changes) as ChangesJson),
    /**
     * The text as it was at an earlier revision; null where versions and log don't lead there any more, or only by way
     * of so much that others would notice.
     */
    textAt({ number, revision: now, content }: DocumentRow, revision: number): string | null {
      if (revision >= now) return revision === now ? content : null
      const kept = versions.textUpTo(number, revision)
      if (!kept) return null
      // The newest has no text of its own. What came after it has left the text as it was.
      const text = kept.content ?? content
      if (kept.revision === revision || kept.content === null) return text
      const first = (oldest.get(number) ?? now + 1) - 1
      if (first > kept.revision || text.length > replayed) return null
      const bytes = (logTotal.get(number, kept.revision) ?? 0) - (logTotal.get(number, revision) ?? 0)
      if (bytes > replayed) return null
      const entries = logSince.all(number, kept.revision).slice(0, revision - kept.revision)
      const changes = entries.map((entry) => changesFromJson(JSON.parse(entry)))
      return applyChanges(text, composeAll(changes, text.length))
    },
    list: (ownerId: string, limit: number, offset: number) => owned.all(ownerId, limit, offset),
    /** How its text begins, as far as excerpts need it; the text itself isn't read for that. */
    startOf: (id: string) => startById.get(id) ?? '',
    listIds: (ownerId: string) => all.all(ownerId).map((row) => row.id),

    create(
      ownerId: string,
      fields: {
        title: string
        content: string
        /** Where it was written before it came here, in milliseconds. */
        createdAt?: number | null | undefined
        updatedAt?: number | null | undefined
      },
      author: Author,
      kind: 'create' | 'import' = 'create',
    ): DocumentRow {
      const id = newId()
      const at = now()
      const createdAt = fields.createdAt ?? at
      const updatedAt = Math.max(fields.updatedAt ?? at, createdAt)
      const { title, content } = fields
      const hash = contentHash(content)
      const number = Number(
        insert.run(id, ownerId, title, content, hash, createdAt, updatedAt).lastInsertRowid,
      )
      start.run(number, startOf(content))
      versions.add(
        {
          document: number,
          revision: 1,
          title,
          kind,
          author,
          started_at: at,
          created_at: at,
          size: content.length,
          added: content.length,
          removed: 0,
        },
        null,
      )
      return {
        number,
        id,
        owner_id: ownerId,
        title,
        content,
        revision: 1,
        hash,
        created_at: createdAt,
        updated_at: updatedAt,
        indexed: 0,
      }
    },

    /** What stands somewhere in a document's text, and is still of interest. */
    anchors: anchorsOf,

    /**
     * Applies one change inside the caller's transaction: the text, its entry in the log, the anchors it carries
     * along and the version it leaves, all or nothing. Every change of every document goes through here. What may
     * take long is left to `bench`, before anything is written.
     */
    change(document: DocumentRow, change: DocumentChange, bench: Bench = here): DocumentRow {
      const head = versions.head(document.number, document.revision)!
      const before = document.content
      const anchors = change.edited ? [] : anchorsOf(document.number)
      const budget = change.author.id === null ? GUEST_BUDGET : undefined
      const after = change.content ?? before
      const edited = change.edited ?? {
        content: after,
        ...bench('edit', { before, after, anchors, budget }),
      }
      const outcome = changeDocument(
        {
          content: before,
          title: document.title,
          revision: document.revision,
          updatedAt: document.updated_at,
          anchors,
          headVersion: {
            authorKey: head.author_key,
            kind: head.kind,
            startedAt: head.started_at,
          },
        },
        { ...change, authorKey: change.author.key, crowded: change.crowded ?? false, budget, at: now() },
        edited,
      )
      const { content, title, revision, updatedAt } = outcome
      const previous =
        outcome.version === 'new' ? { revision: head.revision, ...versions.kept(before, bench) } : null

      save.run(title, content, revision, outcome.hash, updatedAt, document.number)
      const begins = startOf(content)
      if (begins !== startOf(document.content)) start.run(document.number, begins)
      if (document.indexed) unindex.run(document.number)
      logChange(document.number, outcome, change)
      for (const { id, kind, range } of outcome.moved) {
        const move = kind === 'comment' ? moveComment : moveSuggestion
        move.run(range?.start ?? null, range?.end ?? null, id)
      }
      const size = content.length
      const { inserted: added, removed } = outcome
      if (outcome.version === 'fold') {
        versions.extend(document.number, head.revision, {
          revision,
          title,
          at: updatedAt,
          size,
          added,
          removed,
        })
      } else if (outcome.version === 'new') {
        versions.add(
          {
            document: document.number,
            revision,
            title,
            kind: outcome.kind,
            author: change.author,
            started_at: updatedAt,
            created_at: updatedAt,
            size,
            added,
            removed,
            ...(change.suggestedBy ? { suggestedBy: change.suggestedBy } : {}),
          },
          previous,
        )
      }
      return { ...document, title, content, revision, hash: outcome.hash, updated_at: updatedAt, indexed: 0 }
    },

    /** For good; everything that belongs to it goes with it. */
    delete: (document: DocumentRow) => void remove.run(document.number),
  }
}
