import type { Anchor, Range } from '../contract/records/anchors.ts'
import type { Beside } from '../contract/records/suggestions.ts'
import type { LineEnds } from '../domain/anchors/lines-after-decisions.ts'
import type { PlaceBefore } from '../domain/anchors/place-before.ts'
import type { StoredReaction } from '../domain/reactions.ts'
import type { Db } from './database.ts'
import { authorColumns, noteAuthor, type Author, type NotedAuthor } from './author.ts'
import type { ColourStore } from './colours.ts'

export interface CommentRow extends NotedAuthor {
  id: string
  document: number
  parent_id: string | null
  /** The suggestion that it answers; such a comment is in no list of comments. */
  suggestion_id: string | null
  anchor: Anchor | null
  range: Range | null
  resolved_at: number | null
  /** A `NotedAuthor`; null while it is open, and where an older Galley didn’t note it. */
  resolved_by: string | null
  created_at: number
  updated_at: number
  /** When its words were last changed; null if never. */
  edited_at: number | null
  body: string
  reactions: readonly StoredReaction[]
  /** By whom of those what they think is hidden. */
  hiddenReactors: readonly string[]
  /** 1 where the document’s owner has hidden what its author says. */
  hidden: 0 | 1
  /** Its author’s in the document. */
  colour: number | undefined
}

interface NewCommentFields {
  body: string
  parentId: string | null
  suggestionId?: string
  anchor: Anchor | null
  range: Range | null
}

interface StoredComment extends Omit<
  CommentRow,
  'anchor' | 'range' | 'reactions' | 'hiddenReactors' | 'colour'
> {
  hidden_reactors: string | null
  reactions: string | null
  anchor: string | null
  range_start: number | null
  range_end: number | null
}
export interface WantedComments {
  limit: number | null
  offset: number
  /** Made or changed then or later, in milliseconds. */
  since: number | null
  resolved?: boolean
  detached?: boolean
  /** A user’s id, or a name. */
  author?: string
  /** By whom they are seen, to whom hidden ones aren’t shown unless they are their own; whoever isn’t said sees all. */
  seenBy?: string | null
}
/** Which of the replies to a suggestion. */
export type WantedReplies = Pick<WantedComments, 'limit' | 'offset' | 'since' | 'seenBy'>
export const readRange = (row: { range_start: number | null; range_end: number | null }): Range | null =>
  row.range_start === null || row.range_end === null ? null : { start: row.range_start, end: row.range_end }
export const readAnchor = (text: string | null): Anchor | null => {
  if (text === null) return null
  const {
    line_ends: _,
    taken_out: __,
    undone: ___,
    beside: ____,
    ...anchor
  } = JSON.parse(text) as StoredAnchor
  return anchor
}

/** How the author of lines that a suggestion puts in had put their ends, while a decision has put others. */
export const readLineEnds = (text: string | null): LineEnds | null =>
  text === null ? null : ((JSON.parse(text) as StoredAnchor).line_ends ?? null)

/** Where what has the anchor stood before decisions that touched that. */
export const readTakenOut = (text: string | null): readonly PlaceBefore[] =>
  text === null ? [] : ((JSON.parse(text) as StoredAnchor).taken_out ?? [])

/** Beside whose words what has the anchor stood while these were accepted. */
export const readBeside = (text: string | null): Beside | undefined =>
  text === null ? undefined : (JSON.parse(text) as StoredAnchor).beside

/** What is kept with an anchor as long as it is of the same place. */
interface KeptWithAnchor {
  lineEnds: LineEnds | null
  takenOut: readonly PlaceBefore[]
  beside?: Beside | undefined
}

export const writtenAnchor = (anchor: Anchor, { lineEnds, takenOut, beside }: KeptWithAnchor): string =>
  JSON.stringify({
    ...anchor,
    ...(lineEnds && { line_ends: lineEnds }),
    ...(takenOut.length > 0 && { taken_out: takenOut }),
    ...(beside && { beside }),
  })

interface StoredAnchor extends Anchor {
  line_ends?: LineEnds
  taken_out?: readonly PlaceBefore[]
  beside?: Beside
  /** Of a suggestion: which decisions on it were taken back, and by which revisions. */
  undone?: readonly (UndoneAlone | UndoneDecision)[]
}
/** One that was decided by itself, and stood where it was made. Older Galleys added what came with it. */
type UndoneAlone = readonly [made: number, by: number, before?: number, behind?: number]
interface UndoneDecision {
  made: number
  by: number
  with: number | null
  range: readonly [number | null, number | null]
  applied: readonly [number | null, number | null]
  home: PlaceBefore | null
}

const rangeOf = ([range_start, range_end]: UndoneDecision['range']) => readRange({ range_start, range_end })

/** The decisions on a suggestion that were taken back. */
export const readUndoneDecisions = (text: string) =>
  ((JSON.parse(text) as StoredAnchor).undone ?? []).map((one) => {
    if ('made' in one)
      return {
        ...{ revision: one.made, undoneBy: one.by, together: one.with ?? 1, home: one.home },
        ...{ range: rangeOf(one.range), applied: rangeOf(one.applied) },
      }
    const [revision, undoneBy] = one
    return { revision, undoneBy, together: 1, range: null, applied: null }
  })

const readStored = ({
  anchor,
  range_start,
  range_end,
  reactions,
  hidden_reactors,
  ...row
}: StoredComment): Omit<CommentRow, 'colour'> => ({
  ...row,
  anchor: readAnchor(anchor),
  range: readRange({ range_start, range_end }),
  reactions: reactions === null ? [] : (JSON.parse(reactions) as StoredReaction[]),
  hiddenReactors: hidden_reactors === null ? [] : (JSON.parse(hidden_reactors) as string[]),
})

/** Whether what the author of a row says is hidden. */
export const isHidden = (row: string) =>
  `EXISTS (SELECT 1 FROM guests g WHERE g.document = ${row}.document AND g.author_key = ${row}.author_key AND g.hidden = 1)`
/** Of a comment with reactions: the hidden guests of its document. */
const hiddenReactors = `iif(c.reactions IS NULL, NULL, (SELECT json_group_array(g.author_key) FROM guests g
  WHERE g.document = c.document AND g.hidden = 1)) AS hidden_reactors`
/** Whether a row is shown to `@seenBy`. */
export const isShown = (row: string) =>
  `(@seenBy IS NULL OR ${row}.author_key = @seenBy OR NOT ${isHidden(row)})`

export function commentStore(db: Db, now: () => number, newId: () => string, colours: ColourStore) {
  const read = (stored: StoredComment): CommentRow => ({
    ...readStored(stored),
    colour: colours.find(stored.document, stored),
  })
  const ofDocument = db.prepare<[number], StoredComment>(
    `SELECT c.*, ${isHidden('c')} AS hidden, ${hiddenReactors} FROM comments c WHERE document = ? AND suggestion_id IS NULL
     ORDER BY created_at, rowid`,
  )
  // Whether it is resolved or detached is said of a thread’s first comment.
  const selected = db.prepare<[Record<string, string | number | null>], StoredComment>(
    `SELECT c.*, ${isHidden('c')} AS hidden, ${hiddenReactors} FROM comments c JOIN comments t ON t.id = coalesce(c.parent_id, c.id)
     WHERE c.document = @document AND c.suggestion_id IS NULL
     AND (@since IS NULL OR c.updated_at >= @since)
     AND (@resolved IS NULL OR (t.resolved_at IS NOT NULL) = @resolved)
     AND (@detached IS NULL OR (t.anchor IS NOT NULL AND t.range_start IS NULL) = @detached)
     AND (@author IS NULL OR c.author_id = @author OR c.author_name = @author)
     AND ${isShown('c')} AND ${isShown('t')}
     ORDER BY c.created_at, c.rowid LIMIT @limit OFFSET @offset`,
  )
  const answering = db.prepare<[Record<string, string | number | null>], StoredComment>(
    `SELECT c.*, ${isHidden('c')} AS hidden, ${hiddenReactors} FROM comments c
     WHERE suggestion_id = @suggestion AND (@since IS NULL OR updated_at >= @since) AND ${isShown('c')}
     ORDER BY created_at, rowid LIMIT @limit OFFSET @offset`,
  )
  const answeringAny = db.prepare<[string], StoredComment & { suggestion_id: string }>(
    `SELECT c.*, ${isHidden('c')} AS hidden, ${hiddenReactors} FROM json_each(?) s CROSS JOIN comments c ON c.suggestion_id = s.value
     ORDER BY c.created_at, c.rowid`,
  )
  const one = db.prepare<[string, number], StoredComment>(
    `SELECT c.*, ${isHidden('c')} AS hidden, ${hiddenReactors} FROM comments c WHERE id = ? AND document = ?`,
  )
  const insert = db.prepare(
    `INSERT INTO comments (id, document, parent_id, suggestion_id, author_id, author_key, author_name, key_name, key_kind, anchor, range_start, range_end, created_at, updated_at, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const update = db.prepare(
    'UPDATE comments SET body = ?, edited_at = ?, resolved_at = ?, resolved_by = ?, updated_at = ? WHERE id = ?',
  )
  const react = db.prepare('UPDATE comments SET reactions = ?, updated_at = ? WHERE id = ?')
  const remove = db.prepare('DELETE FROM comments WHERE id = ?')
  // A reply to a suggestion is settled with it.
  const byGuests = db.prepare<[number], { resolved: 0 | 1; count: number; bytes: number }>(
    `SELECT c.resolved_at IS NOT NULL OR coalesce(s.status, 'pending') <> 'pending' AS resolved, count(*) AS count,
       sum(octet_length(c.body) + coalesce(octet_length(c.anchor), 0)) AS bytes
     FROM comments c LEFT JOIN suggestions s ON s.id = c.suggestion_id
     WHERE c.document = ? AND c.author_id IS NULL GROUP BY resolved`,
  )

  const find = (id: string, document: number) => {
    const row = one.get(id, document)
    return row && read(row)
  }
  return {
    find,
    /** The oldest first; all of them, or those that are asked for. */
    list(document: number, wanted?: WantedComments): CommentRow[] {
      if (!wanted) return ofDocument.all(document).map(read)
      const flag = (value: boolean | undefined) => (value === undefined ? null : Number(value))
      return selected
        .all({
          document,
          since: wanted.since,
          resolved: flag(wanted.resolved),
          detached: flag(wanted.detached),
          author: wanted.author ?? null,
          seenBy: wanted.seenBy ?? null,
          limit: wanted.limit ?? -1,
          offset: wanted.offset,
        })
        .map(read)
    },
    /** The replies to a suggestion, the oldest first; all of them, or those that are asked for. */
    replies(suggestion: string, { limit, offset, since, seenBy = null }: WantedReplies): CommentRow[] {
      return answering.all({ suggestion, since, seenBy, limit: limit ?? -1, offset }).map(read)
    },
    /** All replies to each of some suggestions, the oldest first. */
    repliesToEach(suggestions: readonly string[]): Map<string, CommentRow[]> {
      return Map.groupBy(answeringAny.all(JSON.stringify(suggestions)).map(read), (row) => row.suggestion_id!)
    },
    create(document: number, author: Author, fields: NewCommentFields): CommentRow {
      const id = newId()
      const at = now()
      insert.run(
        id,
        document,
        fields.parentId,
        fields.suggestionId ?? null,
        ...authorColumns(author),
        fields.anchor && JSON.stringify(fields.anchor),
        fields.range?.start ?? null,
        fields.range?.end ?? null,
        at,
        at,
        fields.body,
      )
      colours.give(document, author)
      return find(id, document)!
    },
    /** @param by who does that */
    update(comment: CommentRow, fields: { body?: string; resolved?: boolean }, by: Author): CommentRow {
      const at = Math.max(now(), comment.updated_at + 1)
      const { resolved = comment.resolved_at !== null } = fields
      const isResolving = resolved && comment.resolved_at === null
      const resolvedAt = isResolving ? at : resolved ? comment.resolved_at : null
      const resolvedBy = isResolving ? noteAuthor(by) : resolved ? comment.resolved_by : null
      const body = fields.body ?? comment.body
      // What comes to the same words, as a change that is sent again, is no change of them.
      const editedAt = body === comment.body ? comment.edited_at : at
      update.run(body, editedAt, resolvedAt, resolvedBy, at, comment.id)
      return find(comment.id, comment.document)!
    },
    /** With what people think of it now; its words and who may change them stay as they are. */
    react(comment: CommentRow, reactions: readonly StoredReaction[]): CommentRow {
      const at = Math.max(now(), comment.updated_at + 1)
      react.run(reactions.length === 0 ? null : JSON.stringify(reactions), at, comment.id)
      return find(comment.id, comment.document)!
    },
    /** How many comments of a document guests have written, and how much text: those still open, and all. */
    byGuests(document: number) {
      const open = { count: 0, bytes: 0 }
      const all = { count: 0, bytes: 0 }
      for (const { resolved, count, bytes } of byGuests.all(document)) {
        for (const sum of resolved ? [all] : [open, all]) {
          sum.count += count
          sum.bytes += bytes
        }
      }
      return { open, all }
    },
    /** Replies to it go with it. */
    delete: (id: string) => void remove.run(id),
  }
}
