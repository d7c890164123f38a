import type { Anchor, Range } from '../contract/records/anchors.ts'
import type { Beside, SuggestionStatus } from '../contract/records/suggestions.ts'
import type { LineEnds } from '../domain/anchors/lines-after-decisions.ts'
import { inTurn } from '../domain/order-at-place.ts'
import { mostRemembered, type PlaceBefore } from '../domain/anchors/place-before.ts'
import {
  isHidden,
  isShown,
  readAnchor,
  readBeside,
  readLineEnds,
  readRange,
  readTakenOut,
  readUndoneDecisions,
  writtenAnchor,
} from './comments.ts'
import { linesOf as lineEndsOf, type Acceptance } from '../domain/acceptance.ts'
import type { Db } from './database.ts'
import { authorColumns, noteAuthor, type Author, type NotedAuthor } from './author.ts'
import type { ColourStore } from './colours.ts'

export interface SuggestionRow extends NotedAuthor {
  id: string
  document: number
  status: SuggestionStatus
  anchor: Anchor | null
  range: Range | null
  created_at: number
  resolved_at: number | null
  /** When its author last changed its words or its place; null if never. */
  edited_at: number | null
  /** A `NotedAuthor`; null while it is pending, and where an older Galley didn’t note it. */
  resolved_by: string | null
  note: string | null
  original_text: string
  suggested_text: string
  /** The document's when it was decided; null while it is pending, and where an older Galley decided it. */
  decided_revision: number | null
  /** How many were decided by that revision, itself among them. */
  decided_with: number | null
  /** What was put in instead of the suggested words, if its owner had changed them first. */
  accepted_text: string | null
  /** Where that stood in the text of that revision, if they were put in. */
  applied: Range | null
  /** Of lines that it puts in, as its author put them, while a decision has put others. */
  lineEnds: LineEnds | null
  /** Where it stood before decisions that touched that. */
  takenOut: readonly PlaceBefore[]
  /** Of one that puts something in: the one beside whose words it stood while these were accepted. */
  beside: Beside | undefined
  /** 1 where the document’s owner has hidden what its author says. */
  hidden: 0 | 1
  /** Its author’s in the document. */
  colour: number | undefined
}

interface StoredSuggestion extends Omit<
  SuggestionRow,
  'anchor' | 'lineEnds' | 'takenOut' | 'beside' | 'range' | 'applied' | 'colour'
> {
  anchor: string | null
  range_start: number | null
  range_end: number | null
  applied_start: number | null
  applied_end: number | null
}
export interface SuggestionDecision {
  status: 'accepted' | 'rejected'
  by: Author
  /** What the document came to by it. */
  revision: number
  acceptedText?: string | null
}
/** Where a suggestion stands. */
export interface SuggestionAt {
  id: string
  range: Range | null
}
export interface SuggestionFields {
  original_text: string
  suggested_text: string
  note: string | null
  anchor: Anchor | null
  range: Range | null
}
export interface WantedSuggestions {
  status?: SuggestionStatus
  limit?: number | null
  offset?: number
  /** Made, changed, decided, reopened or answered then or later, in milliseconds. */
  since?: number | null
  /** By whom they are seen, to whom hidden ones aren’t shown unless they are their own; whoever isn’t said sees all. */
  seenBy?: string | null
}
const readStored = (stored: StoredSuggestion): Omit<SuggestionRow, 'colour'> => {
  const { anchor, range_start, range_end, applied_start, applied_end, ...row } = stored
  return {
    ...row,
    anchor: readAnchor(anchor),
    lineEnds: readLineEnds(anchor),
    takenOut: readTakenOut(anchor),
    beside: readBeside(anchor),
    range: readRange({ range_start, range_end }),
    applied: readRange({ range_start: applied_start, range_end: applied_end }),
  }
}

interface AcceptedRow {
  id: string
  decided_revision: number
  decided_with: number | null
  range_start: number | null
  range_end: number | null
  applied_start: number | null
  applied_end: number | null
  anchor: string | null
  suggested_text: string
}

const readAccepted = (row: AcceptedRow): Acceptance => ({
  id: row.id,
  revision: row.decided_revision,
  undoneBy: null,
  together: row.decided_with ?? 1,
  range: readRange(row),
  applied: readRange({ range_start: row.applied_start, range_end: row.applied_end }),
  home: readTakenOut(row.anchor)[0],
  lines: lineEndsOf({ suggested_text: row.suggested_text, lineEnds: readLineEnds(row.anchor) }),
})

function readUndone({ id, anchor, suggested_text }: { id: string; anchor: string; suggested_text: string }) {
  const lines = lineEndsOf({ suggested_text, lineEnds: readLineEnds(anchor) })
  return readUndoneDecisions(anchor).map((one): Acceptance => ({ id, ...one, lines }))
}

export function suggestionStore(db: Db, now: () => number, newId: () => string, colours: ColourStore) {
  const read = (stored: StoredSuggestion): SuggestionRow => ({
    ...readStored(stored),
    colour: colours.find(stored.document, stored),
  })
  const ofDocument = db.prepare<[number], StoredSuggestion>(
    `SELECT s.*, ${isHidden('s')} AS hidden FROM suggestions s WHERE document = ? ORDER BY created_at, rowid`,
  )
  const selected = db.prepare<[Record<string, string | number | null>], StoredSuggestion>(
    `SELECT s.*, ${isHidden('s')} AS hidden FROM suggestions s WHERE document = @document AND ${isShown('s')}
     AND (@status IS NULL OR status = @status)
     AND (@since IS NULL OR coalesce(resolved_at, changed_at, created_at) >= @since OR replied_at >= @since)
     ORDER BY created_at, rowid LIMIT @limit OFFSET @offset`,
  )
  const one = db.prepare<[string, number], StoredSuggestion>(
    `SELECT s.*, ${isHidden('s')} AS hidden FROM suggestions s WHERE id = ? AND document = ?`,
  )
  const named = db.prepare<[string, number], StoredSuggestion>(
    `SELECT s.*, ${isHidden('s')} AS hidden FROM json_each(?) i CROSS JOIN suggestions s ON s.id = i.value WHERE document = ?`,
  )
  const insert = db.prepare(
    `INSERT INTO suggestions (id, document, author_id, author_key, author_name, key_name, key_kind, anchor, range_start, range_end, created_at, note, original_text, suggested_text)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const settle = db.prepare(
    `UPDATE suggestions SET status = @status, resolved_at = @at, resolved_by = @by, decided_revision = @revision, decided_with = @together,
       applied_start = s.value ->> 1, applied_end = s.value ->> 2, accepted_text = @acceptedText
     FROM json_each(@settled) s WHERE suggestions.id = s.value ->> 0 AND status = 'pending'`,
  )
  const reopen = db.prepare(
    `UPDATE suggestions SET status = 'pending', resolved_at = NULL, resolved_by = NULL, decided_revision = NULL, decided_with = NULL, applied_start = NULL,
       applied_end = NULL, accepted_text = NULL, changed_at = @at, anchor = iif(status = 'accepted' AND decided_revision IS NOT NULL,
       json_set(anchor, '$.undone', json_insert(iif(json_array_length(anchor -> '$.undone') >= ${mostRemembered},
         json_remove(anchor -> '$.undone', '$[0]'), coalesce(anchor -> '$.undone', '[]')), '$[#]',
         iif(decided_with IS 1 AND anchor -> '$.taken_out' IS NULL, json_array(decided_revision, CAST(@revision AS INTEGER)),
         json_object('made', decided_revision, 'by', CAST(@revision AS INTEGER), 'with', decided_with, 'range', json_array(range_start, range_end),
           'applied', json_array(applied_start, applied_end), 'home', anchor -> '$.taken_out[0]')))), anchor), range_start = s.value ->> 1, range_end = s.value ->> 2
     FROM json_each(@reopened) s WHERE suggestions.id = s.value ->> 0`,
  )
  const change = db.prepare(
    `UPDATE suggestions SET original_text = ?, suggested_text = ?, note = ?, anchor = ?, range_start = ?, range_end = ?,
       changed_at = ?, edited_at = iif(?, max(?, coalesce(edited_at, created_at) + 1), edited_at) WHERE id = ?`,
  )
  const accepted = db.prepare<[number], AcceptedRow>(
    `SELECT id, decided_revision, decided_with, range_start, range_end, applied_start, applied_end, anchor, suggested_text FROM suggestions
     WHERE document = ? AND status = 'accepted' AND decided_revision IS NOT NULL`,
  )
  const undone = db.prepare<[number], { id: string; anchor: string; suggested_text: string }>(
    `SELECT id, anchor, suggested_text FROM suggestions WHERE document = ? AND anchor -> '$.undone' IS NOT NULL`,
  )
  const insertions = db.prepare<[number], { id: string; suggested_text: string; beside: string | null }>(
    `SELECT id, substr(suggested_text, 1, 2) || substr(suggested_text, -1) AS suggested_text, anchor -> '$.beside' AS beside
     FROM suggestions WHERE document = ? AND original_text = '' ORDER BY created_at, rowid`,
  )
  const answered = db.prepare('UPDATE suggestions SET replied_at = ? WHERE id = ?')
  const remove = db.prepare('DELETE FROM suggestions WHERE id = ?')
  const openByGuests = db.prepare<[number], { count: number; bytes: number }>(
    `SELECT count(*) AS count, coalesce(sum(octet_length(original_text) + octet_length(suggested_text)
       + coalesce(octet_length(anchor), 0) + coalesce(octet_length(note), 0)), 0) AS bytes
     FROM suggestions WHERE document = ? AND author_id IS NULL AND status = 'pending'`,
  )

  const find = (id: string, document: number) => {
    const row = one.get(id, document)
    return row && read(row)
  }
  // Of thousands, one statement takes a part of what one for each does, while nobody else is answered.
  const places = (all: readonly SuggestionAt[]) =>
    JSON.stringify(all.map(({ id, range }) => [id, range?.start ?? null, range?.end ?? null]))
  return {
    find,
    /** Those of a document that have these ids. */
    findAll: (ids: readonly string[], document: number): ReadonlyMap<string, SuggestionRow> =>
      new Map(named.all(JSON.stringify(ids), document).map((stored) => [stored.id, read(stored)])),
    /** The oldest first; all of them, or those that are asked for. */
    list(document: number, wanted?: WantedSuggestions): SuggestionRow[] {
      if (!wanted) return ofDocument.all(document).map(read)
      const { status = null, since = null, seenBy = null, limit, offset = 0 } = wanted
      return selected.all({ document, status, since, seenBy, limit: limit ?? -1, offset }).map(read)
    },
    create(document: number, author: Author, fields: SuggestionFields): SuggestionRow {
      const id = newId()
      insert.run(
        id,
        document,
        ...authorColumns(author),
        fields.anchor && JSON.stringify(fields.anchor),
        fields.range?.start ?? null,
        fields.range?.end ?? null,
        now(),
        fields.note,
        fields.original_text,
        fields.suggested_text,
      )
      colours.give(document, author)
      return find(id, document)!
    },
    /** Marks pending suggestions as decided together; `range` is where what each says was put in, if it was. */
    settle(
      settled: readonly SuggestionAt[],
      { status, by, revision, acceptedText = null }: SuggestionDecision,
    ) {
      const decided = { status, at: now(), by: noteAuthor(by), revision, acceptedText }
      settle.run({ ...decided, together: settled.length, settled: places(settled) })
    },
    /** `isEdited`: its words or its place are others than before. */
    change(
      before: SuggestionRow,
      { original_text, suggested_text, note, anchor, range }: SuggestionFields,
      isEdited: boolean,
    ) {
      const place = [range?.start ?? null, range?.end ?? null]
      // They go with the place that it was made for.
      const isSamePlace = anchor === before.anchor
      const kept = anchor && writtenAnchor(anchor, isSamePlace ? before : { lineEnds: null, takenOut: [] })
      const at = now()
      change.run(original_text, suggested_text, note, kept, ...place, at, isEdited ? 1 : 0, at, before.id)
    },
    /** Makes decided ones pending again, each of which stands there. */
    reopen: (reopened: readonly SuggestionAt[], revision: number) =>
      void reopen.run({ at: now(), revision, reopened: places(reopened) }),
    /** How many pending suggestions of a document guests have made, and how much text. */
    openByGuests: (document: number) => openByGuests.get(document)!,
    /** What was accepted, also what was taken back, as far as that is remembered; the oldest first. */
    acceptances: (document: number): Acceptance[] =>
      [...accepted.all(document).map(readAccepted), ...undone.all(document).flatMap(readUndone)].toSorted(
        (a, b) => a.revision - b.revision,
      ),
    /** All of a document that put something in, in the order of their turns where they stand at one place. */
    insertionOrder: (document: number) =>
      inTurn(
        insertions.all(document).map(({ beside, ...one }) => ({
          ...one,
          ...(beside !== null && { beside: JSON.parse(beside) as Beside }),
        })),
      ).map(({ id }) => id),
    /** A reply to it was made, changed or deleted. */
    noteReply: (id: string) => void answered.run(now(), id),
    /** Replies to it go with it. */
    delete: (id: string) => void remove.run(id),
  }
}
