import { GalleyError } from '../contract/errors.ts'
import { GUEST_BUDGET, type ChangeBudget } from '../domain/budget.ts'
import { excerptedFrom } from '../domain/excerpt.ts'
import {
  changeDocument,
  type AnchoredRecord,
  type ChangeOutcome,
  type Edited,
} from '../domain/document-change.ts'
import { PiecedText, type Readable } from '../domain/pieced-text.ts'
import { shownName } from '../domain/shown-name.ts'
import { here, type Bench } from '../threads/text-work.ts'
import type { Author } from './author.ts'
import { anchoredRecords } from './anchored-records.ts'
import { notInTrash, type PutAway } from './in-trash.ts'
import type { Db } from './database.ts'
import { documentPast } from './document-past.ts'
import type { Memory } from './memory.ts'
import { replayCost, type ClientChange, type LogEntry } from './log.ts'
import { NoReadableText } from './replayed-texts.ts'
import type { Texts } from './texts.ts'
import type { ColourStore } from './colours.ts'
import type { NamedSuggester, versionStore } from './versions.ts'

export interface DocumentRow {
  number: number
  id: string
  owner_id: string
  title: string
  text: PiecedText
  revision: number
  hash: number
  created_at: number
  updated_at: number
  /** Whether the search index has this revision. */
  indexed: 0 | 1
  /** What the log costs to replay. */
  logged: number
  /** The oldest revision that places may be followed from. */
  followed_from: number
}
/** The same without its text. */
type StoredDocument = Omit<DocumentRow, 'text'> & { length: number }
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

/** What is to be written to a document: its whole new text or what was worked out of it, and perhaps its new title. */
export interface DocumentWrite {
  content?: string
  /** What it makes of the document as it is now, anchors and all, where that was worked out before. */
  edited?: Edited
  title?: string
  kind: 'edit' | 'title' | 'suggestion' | 'reopening' | 'restore' | 'import'
  author: Author
  /** Whether the author knew the text they replaced (`If-Match`): an uninformed change is a version of its own. */
  informed: boolean
  /** Whose suggestions it takes in. */
  suggestedBy?: readonly NamedSuggester[]
  client?: ClientChange
}

/** Of a document `d`. */
const columns =
  'd.number, d.id, d.owner_id, d.title, d.length, d.revision, d.hash, d.created_at, d.updated_at, d.indexed, d.logged, d.followed_from'

/** Field by field, since it is done with every read and write, and what copies all but one takes several times as long. */
const withText = (row: StoredDocument, text: PiecedText): DocumentRow => ({
  number: row.number,
  id: row.id,
  owner_id: row.owner_id,
  title: row.title,
  text,
  revision: row.revision,
  hash: row.hash,
  created_at: row.created_at,
  updated_at: row.updated_at,
  indexed: row.indexed,
  logged: row.logged,
  followed_from: row.followed_from,
})

/** @throws GalleyError DB_ERROR where no text of the document can be read any more */
function newestOf(row: StoredDocument, texts: Texts): PiecedText {
  try {
    return texts.newest(row)
  } catch (error) {
    if (!(error instanceof NoReadableText)) throw error
    throw new GalleyError(
      'DB_ERROR',
      `The text of “${shownName(row.title)}” is damaged on the disk, and none that it had before can be read. “galley check” tells more; “galley restore FILE” brings back a backup.`,
      { cause: error },
    )
  }
}

const startOf = (text: Readable) => text.slice(0, excerptedFrom).toWellFormed()

/** What a whole new text, or the same one, makes of a document. */
function editedTo(
  content: string | PiecedText,
  {
    before,
    ...edit
  }: { before: PiecedText; anchors: readonly AnchoredRecord[]; budget: ChangeBudget | undefined },
  bench: Bench,
): Edited {
  const after = typeof content === 'string' ? content : content.whole
  const edited = bench('edit', { ...edit, before: before.whole, after })
  return { content: PiecedText.of(content, edited.hash), ...edited }
}

export function documentStore(
  db: Db,
  memory: Memory,
  now: () => number,
  newId: () => string,
  {
    versions,
    texts,
    colours,
  }: { versions: ReturnType<typeof versionStore>; texts: Texts; colours: ColourStore },
) {
  const { log } = texts
  const anchored = anchoredRecords(db, memory, now)
  const byId = db.prepare<[string], StoredDocument>(
    `SELECT ${columns} FROM documents d WHERE id = ? AND ${notInTrash}`,
  )
  const trashedById = db.prepare<[string, string], StoredDocument & PutAway>(
    `SELECT ${columns}, deleted_at, deleted_by FROM documents d JOIN trash t ON t.document = d.number
     WHERE id = ? AND owner_id = ?`,
  )
  const byNumber = db.prepare<[number], StoredDocument>(
    `SELECT ${columns} FROM documents d WHERE number = ? AND ${notInTrash}`,
  )
  const anyByNumber = db.prepare<[number], StoredDocument>(
    `SELECT ${columns} FROM documents d WHERE number = ?`,
  )
  const lookup = () => memory.lookup<StoredDocument>(['documents', 'trash'])
  const [ofId, ofNumber] = [lookup(), lookup()]
  const rowOf = (id: string) => ofId(id, () => byId.get(id))
  const rowNumbered = (number: number) => ofNumber(number, () => byNumber.get(number))
  const ownedAmong = db.prepare<[string, string, number, number], DocumentSummaryRow>(
    `SELECT id, title, created_at, updated_at FROM documents d WHERE owner_id = ? AND ${notInTrash}
     AND id IN (SELECT value FROM json_each(?)) ORDER BY updated_at DESC, id LIMIT ? OFFSET ?`,
  )
  // Two lists in order, of which only the second has to be sorted first.
  const ownedWhere = (indexed: 0 | 1, index: string) =>
    `SELECT id, title, created_at, updated_at FROM documents d INDEXED BY ${index}
     WHERE owner_id = @owner AND indexed = ${indexed} AND ${notInTrash}`
  const owned = db.prepare<[{ owner: string; limit: number; offset: number }], DocumentSummaryRow>(
    `${ownedWhere(1, 'documents_by_update')} UNION ALL ${ownedWhere(0, 'documents_unindexed')}
     ORDER BY updated_at DESC, id LIMIT @limit OFFSET @offset`,
  )
  const all = db.prepare<[string], { id: string }>(
    `SELECT id FROM documents d WHERE owner_id = ? AND ${notInTrash} ORDER BY number`,
  )
  const insert = db.prepare(
    `INSERT INTO documents (id, owner_id, title, revision, hash, length, logged, created_at, updated_at)
     VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?)`,
  )
  const save = db.prepare(
    'UPDATE documents SET title = ?, revision = ?, hash = ?, length = ?, logged = ?, updated_at = ? WHERE number = ?',
  )
  // Apart from `save`, and before it: in a burst of changes only the first has to say it, and to write those pages.
  const unindex = db.prepare('UPDATE documents SET indexed = 0 WHERE number = ? AND indexed = 1')
  const start = db.prepare(
    'INSERT INTO document_starts (document, text) VALUES (?, ?) ON CONFLICT DO UPDATE SET text = excluded.text',
  )
  const startById = db
    .prepare<[string], string>(
      'SELECT text FROM documents d JOIN document_starts s ON s.document = d.number WHERE id = ?',
    )
    .pluck()
  const remove = db.prepare('DELETE FROM documents WHERE number = ?')

  const whole = (row: StoredDocument | undefined): DocumentRow | undefined =>
    row && withText(row, newestOf(row, texts))

  function asMade(document: DocumentRow, { revision, hash, at }: LogEntry): DocumentRow {
    const content = texts.at(document.number, revision)
    if (content === null || hash === null) throw new Error('What the change made can’t be read any more')
    return { ...document, text: PiecedText.of(content), revision, hash, updated_at: at }
  }

  /** The version that a change leaves, or goes on with, and those that end with the text before it. */
  function leaveVersion(
    document: number,
    { author, suggestedBy }: DocumentWrite,
    outcome: ChangeOutcome,
    session: number | undefined,
  ) {
    const { revision, title, updatedAt, text, inserted: added, removed } = outcome
    const size = text.length
    if (outcome.ends) versions.endSessions(document)
    if (outcome.version === 'extended')
      versions.extend(document, session!, { revision, title, at: updatedAt, size, added, removed })
    else if (outcome.version === 'new')
      versions.add({
        document,
        revision,
        title,
        kind: outcome.kind,
        author,
        started_at: updatedAt,
        created_at: updatedAt,
        size,
        added,
        removed,
        is_open: outcome.isOpen ? 1 : 0,
        ...(suggestedBy ? { suggestedBy } : {}),
      })
  }

  return {
    // None of these finds what is in the trash.
    find: (id: string): DocumentRow | undefined => whole(rowOf(id)),
    findHead: (id: string): DocumentHead | undefined => rowOf(id),
    titleOf: (id: string): string | undefined => rowOf(id)?.title,
    /** Whether its text, which was read before, is older than the one that was saved last: that is damaged. */
    readsOlder(id: string): boolean {
      const row = rowOf(id)
      return row !== undefined && texts.isDamaged(row.number)
    },
    /** The document of a share link. */
    findLinked: (link: { document: number }): DocumentRow | undefined => whole(rowNumbered(link.document)),
    findLinkedHead: (link: { document: number }): DocumentHead | undefined => rowNumbered(link.document),
    /** One that is in the trash. */
    findTrashed(id: string, ownerId: string): (DocumentRow & PutAway) | undefined {
      const row = trashedById.get(id, ownerId)
      return (
        row && {
          ...withText(row, newestOf(row, texts)),
          deleted_at: row.deleted_at,
          deleted_by: row.deleted_by,
        }
      )
    },
    /** Whether or not it is in the trash. */
    get: (number: number): DocumentRow => whole(anyByNumber.get(number))!,
    ...documentPast(texts, versions, colours),
    list: (ownerId: string, limit: number, offset: number, among: readonly string[] | null = null) =>
      among
        ? ownedAmong.all(ownerId, JSON.stringify(among), limit, offset)
        : owned.all({ owner: ownerId, limit, offset }),
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
      const text = PiecedText.of(content)
      const { hash } = text
      // The first text stands in the first keyframe.
      const changes = JSON.stringify(content === '' ? [] : [[0, content.length]])
      const logged = replayCost(changes)
      const number = Number(
        insert.run(id, ownerId, title, hash, content.length, logged, createdAt, updatedAt).lastInsertRowid,
      )
      log.append(number, { revision: 1, base: 0, at, length: content.length, hash, changes }, author)
      colours.give(number, author)
      texts.keep({ number, revision: 1, hash }, logged, true, text, content)
      start.run(number, startOf(text))
      versions.add({
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
        is_open: 0,
      })
      return {
        number,
        id,
        owner_id: ownerId,
        title,
        text,
        revision: 1,
        hash,
        created_at: createdAt,
        updated_at: updatedAt,
        indexed: 0,
        logged,
        followed_from: 0,
      }
    },

    /** What stands somewhere in a document's text, and is still of interest. */
    anchors: anchored.of,
    anchorsBeside: anchored.beside,
    moveAnchors: anchored.move,

    /**
     * Applies one change inside a transaction: the text, its entry in the log, the anchors it maps,
     * and the version it leaves, all or nothing. Every change of every document goes through here. What may
     * take long is left to `bench`, before anything is written. A change that its client has named is applied once,
     * however often it comes: after that, this answers what it made then.
     */
    change(document: DocumentRow, change: DocumentWrite, bench: Bench = here): DocumentRow {
      const made = change.client && log.findByClient(document.number, change.client)
      if (made) return asMade(document, made)
      // Whoever didn’t know the text before leaves a version of its own, whatever came before it.
      const session = change.informed ? versions.findSession(document.number, change.author.key) : undefined
      const before = document.text
      const anchors = change.edited ? [] : anchored.of(document.number)
      const budget = change.author.id === null ? GUEST_BUDGET : undefined
      const edited = change.edited ?? editedTo(change.content ?? before, { before, anchors, budget }, bench)
      const outcome = changeDocument(
        {
          text: before,
          title: document.title,
          revision: document.revision,
          updatedAt: document.updated_at,
          anchors,
          session: session ? { endedAt: session.created_at, isOpen: session.is_open === 1 } : null,
        },
        { ...change, budget, at: now() },
        edited,
      )
      const { text, title, revision, updatedAt, hash, isShape } = outcome
      const { number } = document
      const size = text.length
      const logged = document.logged + replayCost(outcome.log)
      const isKept = isShape || texts.needsKeyframe(document, logged, size)
      const kept = isKept ? texts.kept(text, bench) : null

      const renewals = [ofId.renewal(document.id), ofNumber.renewal(number)]
      if (document.indexed === 1) unindex.run(number)
      save.run(title, revision, hash, size, logged, updatedAt, number)
      const saved: StoredDocument = {
        number,
        id: document.id,
        owner_id: document.owner_id,
        title,
        revision,
        hash,
        created_at: document.created_at,
        updated_at: updatedAt,
        indexed: 0,
        logged,
        followed_from: document.followed_from,
        length: size,
      }
      for (const renew of renewals) renew(saved)
      const begins = startOf(text)
      if (begins !== startOf(before)) start.run(number, begins)
      const entry = { revision, base: document.revision, at: updatedAt, length: size, hash }
      log.append(number, { ...entry, changes: outcome.log }, change.author, change.client)
      colours.give(number, change.author, change.client?.id)
      if (kept === null) texts.hold({ number, revision, hash }, text)
      else texts.keep({ number, revision, hash }, logged, isShape, text, kept)
      const stand = anchored.renewal(number)
      anchored.move(outcome.moved)
      stand(outcome.moved)
      leaveVersion(document.number, change, outcome, session?.revision)
      return withText(saved, text)
    },

    /** For good; everything that belongs to it goes with it. */
    delete(document: DocumentRow) {
      remove.run(document.number)
      texts.forgetDocument(document.number)
    },
  }
}

export type DocumentStore = ReturnType<typeof documentStore>
