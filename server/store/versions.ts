import type { ColourStore } from './colours.ts'
import type { Db } from './database.ts'
import type { KeyKind } from '../contract/records/authors.ts'
import type { VersionKind } from '../contract/records/versions.ts'
import type { Author } from './author.ts'

export interface VersionRow {
  document: number
  revision: number
  title: string
  /** What its owner calls it. */
  name: string | null
  kind: VersionKind
  author_id: string | null
  author_name: string
  author_key: string
  key_name: string | null
  key_kind: KeyKind | null
  /** Whose suggestions it took in: a JSON list of `Suggester`; of names alone where an older Galley wrote it. */
  suggested_by: string | null
  started_at: number
  created_at: number
  size: number
  added: number
  removed: number
  /** Whether its author's next changes may belong to it. */
  is_open: 0 | 1
  /** Its author’s in the document. */
  colour: number | undefined
  suggesters: readonly ColouredSuggester[]
}
type StoredVersion = Omit<VersionRow, 'colour' | 'suggesters'>

/** Whoever made a suggestion that was accepted. */
export interface NamedSuggester {
  name: string
  /** null where that isn't known. */
  guest: boolean | null
  /** Of the API key that it was made with; absent where there was none, and where an older Galley wrote it. */
  keyName?: string
  keyKind?: KeyKind
  /** Who they are, as `personOf` has it; absent where an older Galley wrote it and nothing tells. */
  person?: string
}
export type ColouredSuggester = NamedSuggester & { colour: number | undefined }

export interface WantedVersions {
  limit: number | null
  offset: number
  /** After a revision, or made at a time in milliseconds or later. */
  since: { revision: number } | { at: number } | null
  /** Only those that have a name. */
  named?: boolean
}

export type VersionAuthor = Pick<VersionRow, 'author_id' | 'key_name' | 'key_kind'>

/** An author's newest version is looked for among so many. */
const lookedAt = 50

const fields =
  'document, revision, title, kind, author_id, author_name, author_key, started_at, created_at, size, added, removed, key_name, key_kind, suggested_by, is_open, name'

/** Whose suggestions a version took in. */
export const readSuggesters = (
  document: number,
  suggested_by: string | null,
  colours: ColourStore,
): ColouredSuggester[] =>
  suggested_by === null
    ? []
    : (JSON.parse(suggested_by) as (NamedSuggester | string)[]).map((one) => {
        const named: NamedSuggester = typeof one === 'string' ? { name: one, guest: null } : one
        const { person } = named
        return { ...named, colour: person === undefined ? undefined : colours.findPerson(document, person) }
      })

export function versionStore(db: Db, colours: ColourStore) {
  const read = (stored: StoredVersion): VersionRow => ({
    ...stored,
    colour: colours.find(stored.document, stored),
    suggesters: readSuggesters(stored.document, stored.suggested_by, colours),
  })
  const insert = db.prepare(
    `INSERT INTO versions (${fields}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)`,
  )
  // Apart from the rest: it's nearly always the author's own, and looking at so many takes time.
  const newest = db.prepare<[number], Pick<VersionRow, 'revision' | 'created_at' | 'is_open' | 'author_key'>>(
    'SELECT revision, created_at, is_open, author_key FROM versions WHERE document = ? ORDER BY revision DESC LIMIT 1',
  )
  const newestBy = db.prepare<[number, string], Pick<VersionRow, 'revision' | 'created_at' | 'is_open'>>(
    `SELECT revision, created_at, is_open FROM (
       SELECT revision, created_at, is_open, author_key FROM versions
       WHERE document = ? ORDER BY revision DESC LIMIT ${lookedAt}
     ) WHERE author_key = ? ORDER BY revision DESC LIMIT 1`,
  )
  const extend = db.prepare(
    `UPDATE versions SET revision = ?, title = ?, created_at = ?, size = ?, added = added + ?, removed = removed + ?
     WHERE document = ? AND revision = ?`,
  )
  const all = db.prepare<[Record<string, number | null>], StoredVersion>(
    `SELECT ${fields} FROM versions WHERE document = @document
     AND (@after IS NULL OR revision > @after) AND (@from IS NULL OR created_at >= @from)
     AND (@named = 0 OR name IS NOT NULL)
     ORDER BY revision DESC LIMIT @limit OFFSET @offset`,
  )
  const one = db.prepare<[number, number], StoredVersion>(
    `SELECT ${fields} FROM versions WHERE document = ? AND revision = ?`,
  )

  const end = db.prepare<[{ document: number }]>(
    `UPDATE versions SET is_open = 0 WHERE document = @document AND is_open = 1
     AND revision IN (SELECT revision FROM versions WHERE document = @document ORDER BY revision DESC LIMIT ${lookedAt})`,
  )
  const rename = db.prepare('UPDATE versions SET name = ?, is_open = 0 WHERE document = ? AND revision = ?')
  const authorOf = db.prepare<[{ document: number; revision: number; key: string }], VersionAuthor>(
    `SELECT author_id, key_name, key_kind FROM versions WHERE document = @document AND author_key = @key
     ORDER BY revision < @revision, revision LIMIT 1`,
  )

  const newestAuthor = db.prepare<[number, string], VersionAuthor>(
    `SELECT author_id, key_name, key_kind FROM versions WHERE document = ? AND author_key = ?
     ORDER BY revision DESC LIMIT 1`,
  )
  const unknown: VersionAuthor = { author_id: null, key_name: null, key_kind: null }

  return {
    /** The newest of an author, unless many others came after it. */
    findSession(document: number, authorKey: string) {
      const last = newest.get(document)
      return last?.author_key === authorKey ? last : newestBy.get(document, authorKey)
    },
    /** The newest first; all of them, or those that are asked for. */
    list(document: number, wanted?: WantedVersions): VersionRow[] {
      const { limit = null, offset = 0, since = null, named = false } = wanted ?? {}
      const rows = all.all({
        document,
        after: since && 'revision' in since ? since.revision : null,
        from: since && 'at' in since ? since.at : null,
        named: named ? 1 : 0,
        limit: limit ?? -1,
        offset,
      })
      return rows.map(read)
    },
    /** A new newest version. */
    add(
      version: Omit<
        StoredVersion,
        'name' | 'author_id' | 'author_name' | 'author_key' | 'key_name' | 'key_kind' | 'suggested_by'
      > & {
        author: Author
        suggestedBy?: readonly NamedSuggester[]
      },
    ) {
      insert.run(
        version.document,
        version.revision,
        version.title,
        version.kind,
        version.author.id,
        version.author.name,
        version.author.key,
        version.started_at,
        version.created_at,
        version.size,
        version.added,
        version.removed,
        version.author.keyName ?? null,
        version.author.keyKind ?? null,
        version.suggestedBy ? JSON.stringify(version.suggestedBy) : null,
        version.is_open,
      )
    },
    /** A version takes one more change of its author in. */
    extend(
      document: number,
      revision: number,
      to: { revision: number; title: string; at: number; size: number; added: number; removed: number },
    ) {
      extend.run(to.revision, to.title, to.at, to.size, to.added, to.removed, document, revision)
    },
    /** Ends what is being written: the next changes are versions of their own. */
    endSessions(document: number) {
      // What ended all that was open stands last until somebody writes on.
      if (newest.get(document)?.is_open === 1) end.run({ document })
    },
    find(document: number, revision: number): VersionRow | undefined {
      const stored = one.get(document, revision)
      return stored && read(stored)
    },
    /** Gives a version a name, or takes it away. From then on it stays at its revision: what comes next is another. */
    name: (document: number, revision: number, name: string | null) =>
      void rename.run(name, document, revision),
    /** Who it is that a change at a revision was made as, as far as their versions tell. */
    findAuthor: (document: number, revision: number, authorKey: string): VersionAuthor =>
      authorOf.get({ document, revision, key: authorKey }) ?? unknown,
    /** The same of somebody who has changed the text lately. */
    findLateAuthor: (document: number, authorKey: string): VersionAuthor =>
      newestAuthor.get(document, authorKey) ?? unknown,
  }
}
