import { day, hour } from '../contract/durations.ts'
import type { EventKind, EventPrincipal, GalleyEvent } from '../contract/events.ts'
import type { KeyKind } from '../contract/records/authors.ts'
import { limits } from '../contract/limits.ts'
import type { Db } from './database.ts'
import type { DeferredWrites } from './deferred-writes.ts'
import { isUuid, longId, shortId, type ShortId } from './short-id.ts'

interface EventRow {
  seq: number
  at: number
  kind: EventKind
  owner_id: ShortId
  document_id: ShortId | null
  revision: number | null
  subject_id: ShortId | null
  suggestion_id: ShortId | null
  principal_kind: EventPrincipal['kind']
  principal_id: ShortId | null
  principal_name: string | null
  principal_key_kind: KeyKind | null
  hidden_authors: string | null
}

/** Which events of an account are asked for. */
export interface WantedEvents {
  ownerId: string
  kinds?: readonly EventKind[] | undefined
  documentId?: string | undefined
  /** Only what happens to one of these, or to all there is. */
  among?: readonly string[] | undefined
}

/** So many rows are looked through at one time, which takes some milliseconds. */
export const eventsInSlice = 5_000
/** So many old ones are deleted at one time. */
const sweptAtOnce = 500
/** So many ids are kept shortened. */
const mostKnown = 500
const lifetime = limits.eventDays * day
const columns =
  'at, kind, owner_id, document_id, revision, suggestion_id, principal_kind, principal_id, principal_name, principal_key_kind, hidden_authors'

const long = (id: ShortId | null) => (id === null ? null : longId(id))

const read = (row: EventRow): GalleyEvent => ({
  seq: row.seq,
  at: row.at,
  kind: row.kind,
  ownerId: longId(row.owner_id),
  documentId: long(row.document_id),
  revision: row.revision,
  principal: {
    kind: row.principal_kind,
    name: row.principal_name,
    id: long(row.principal_id),
    ...(row.principal_key_kind === null ? {} : { keyKind: row.principal_key_kind }),
  },
  subjectId: long(row.subject_id),
  suggestionId: long(row.suggestion_id),
  ...(row.hidden_authors === null ? {} : { hiddenAuthors: JSON.parse(row.hidden_authors) as string[] }),
})

/** What has happened, in order, as far as it is kept. */
export function eventStore(
  db: Db,
  now: () => number,
  deferred: Pick<DeferredWrites, 'add'>,
  most: number = limits.events,
) {
  const known = new Map<string, ShortId>()
  /** The same few come again and again: shortening them anew would be half of what an event costs. */
  function short(id: string): ShortId {
    const before = known.get(id)
    if (before !== undefined) return before
    if (known.size >= mostKnown) known.clear()
    const made = shortId(id)
    known.set(id, made)
    return made
  }
  const shortOrNull = (id: string | null) => (id === null ? null : short(id))

  const insert = db.prepare(
    `INSERT INTO events (${columns}, subject_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertEach = db.prepare(
    `INSERT INTO events (${columns}, subject_id)
     SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, iif(type = 'array', value ->> 0, unhex(value)) FROM json_each(?)`,
  )
  const newest = db.prepare<[], number | null>('SELECT max(seq) FROM events').pluck()
  const oldest = db.prepare<[], number | null>('SELECT min(seq) FROM events').pluck()
  const all = db.prepare<[number, number], EventRow>(
    'SELECT * FROM events WHERE seq > ? ORDER BY seq LIMIT ?',
  )
  const sliceEnd = db
    .prepare<[number, number], number>('SELECT seq FROM events WHERE seq > ? ORDER BY seq LIMIT 1 OFFSET ?')
    .pluck()
  const wanted = db.prepare<[Record<string, number | ShortId | null>], EventRow>(
    `SELECT * FROM events WHERE seq > @since AND seq <= @until AND owner_id = @owner
     AND (@document IS NULL OR document_id = @document)
     AND (@among IS NULL OR kind = 'backup.restored' OR document_id IN (SELECT unhex(replace(value, '-', '')) FROM json_each(@among)))
     AND (@kinds IS NULL OR instr(@kinds, ' ' || kind || ' ') > 0)
     ORDER BY seq LIMIT @limit`,
  )
  const firstKept = db
    .prepare<[number, number], number | null>(
      `SELECT min(seq) FROM (SELECT seq, at FROM events ORDER BY seq LIMIT ${sweptAtOnce + 1})
       WHERE at >= ? AND seq > ?`,
    )
    .pluck()
  const lastOf = db
    .prepare<[number, EventKind, ShortId], number>(
      'SELECT seq FROM events WHERE at >= ? AND kind = ? AND subject_id = ? ORDER BY seq DESC LIMIT 1',
    )
    .pluck()
  const oldestAt = db.prepare<[], number>('SELECT at FROM events ORDER BY seq LIMIT 1').pluck()
  const remove = db.prepare(
    `DELETE FROM events WHERE seq IN (SELECT seq FROM events WHERE seq < ? ORDER BY seq LIMIT ${sweptAtOnce})`,
  )

  const isThere = db.prepare<[number], 1>('SELECT 1 FROM events WHERE seq = ?').pluck()
  const count = db.prepare<[], number>('SELECT count(*) FROM events').pluck()
  const nth = db.prepare<[number], number>('SELECT seq FROM events ORDER BY seq LIMIT 1 OFFSET ?').pluck()

  /** The number before those that are not too many; a restored backup may have left out very many. */
  function beforeMost(last: number): number {
    const before = last - most
    if (before < (oldest.get() ?? 0) || isThere.get(before) !== undefined) return before
    const tooMany = Math.min(Math.max(count.get()! - most, 0), sweptAtOnce)
    return (nth.get(tooMany) ?? last) - 1
  }
  /** The oldest go; the newest stays however old it is, for the sake of its number. */
  function sweep(): boolean {
    const last = newest.get() ?? 0
    const keepFrom = firstKept.get(now() - lifetime, beforeMost(last)) ?? last
    return remove.run(keepFrom).changes === sweptAtOnce
  }
  const sweeping = deferred.add('old events', sweep, { resumes: true })
  let sweptAt = 0

  /** All but what it happened to. */
  const fieldsOf = (event: Omit<GalleyEvent, 'seq' | 'subjectId'>) => [
    event.at,
    event.kind,
    short(event.ownerId),
    shortOrNull(event.documentId),
    event.revision,
    shortOrNull(event.suggestionId),
    event.principal.kind,
    shortOrNull(event.principal.id),
    event.principal.name,
    event.principal.keyKind ?? null,
    event.hiddenAuthors ? JSON.stringify(event.hiddenAuthors) : null,
  ]

  function sweepSoon(at: number, seq: number, added: number) {
    if (seq % 1_000 >= added && at - sweptAt < hour) return
    sweptAt = at
    sweeping.soon()
  }

  return {
    /** Inside the transaction of what has happened. Its number. */
    append(event: Omit<GalleyEvent, 'seq'>): number {
      const seq = Number(insert.run(...fieldsOf(event), shortOrNull(event.subjectId)).lastInsertRowid)
      sweepSoon(event.at, seq, 1)
      return seq
    },
    /**
     * The same of what has happened to each of these, one after the other.
     * @returns the number of the first; the others have those that follow
     */
    appendEach(event: Omit<GalleyEvent, 'seq' | 'subjectId'>, subjects: readonly string[]): number {
      // One for each of thousands would take some times as long, while nobody else is answered.
      const ids = JSON.stringify(subjects.map((id) => (isUuid(id) ? id.replaceAll('-', '') : [id])))
      const last = Number(insertEach.run(...fieldsOf(event), ids).lastInsertRowid)
      sweepSoon(event.at, last, subjects.length)
      return last - subjects.length + 1
    },
    /** The number of the newest event; 0 before there is any. */
    newest: () => newest.get() ?? 0,
    /** The number of the oldest that is kept; 1 before there is any. */
    oldest: () => oldest.get() ?? 1,
    /** The number before that of such an event about a record that was made then; before all that are kept if it isn’t. */
    before(kind: EventKind, { id, created_at }: { id: string; created_at: number }): number {
      const none = (oldest.get() ?? 1) - 1
      // What is younger is looked through from its end, so this costs what has happened since.
      if (created_at < (oldestAt.get() ?? 0)) return none
      return (lastOf.get(created_at, kind, shortId(id)) ?? none + 1) - 1
    },
    /** Everybody’s after a number, the oldest first. */
    after: (seq: number, limit: number): GalleyEvent[] => all.all(seq, limit).map(read),
    /**
     * Those that are asked for, of the next slice after a number: the oldest first, and up to which number that is all
     * of them. `isLast`: nothing has happened after that yet.
     */
    slice(since: number, limit: number, { ownerId, kinds, documentId, among }: WantedEvents) {
      const end = sliceEnd.get(since, eventsInSlice - 1)
      const until = end ?? Math.max(since, newest.get() ?? 0)
      const rows = wanted.all({
        since,
        until,
        limit,
        owner: short(ownerId),
        document: documentId === undefined ? null : shortId(documentId),
        among: among ? JSON.stringify(among) : null,
        kinds: kinds ? ` ${kinds.join(' ')} ` : null,
      })
      const isFull = rows.length === limit
      return {
        events: rows.map(read),
        upTo: isFull ? rows.at(-1)!.seq : until,
        isLast: end === undefined && !isFull,
      }
    },
  }
}
