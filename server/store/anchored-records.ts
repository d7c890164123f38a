import type { Anchor } from '../contract/records/anchors.ts'
import type { AnchoredRecord, Edit } from '../domain/document-change.ts'
import { readAnchor, readLineEnds, readRange, readTakenOut } from './comments.ts'
import type { Db } from './database.ts'
import type { Memory } from './memory.ts'

interface AnchoredRow {
  id: string
  anchor: string
  range_start: number | null
  range_end: number | null
  /** Of a suggestion that puts something in, or that replaces lines and has no line end behind. */
  suggested_text?: string | null
}

const ofSuggestion = `id, anchor, range_start, range_end,
  CASE WHEN original_text = '' OR anchor ->> '$.line_ends' IS NOT NULL
    OR (substr(original_text, -1) = char(10) AND suggested_text <> '' AND substr(suggested_text, -1) <> char(10))
  THEN suggested_text END AS suggested_text`

/** What stands somewhere in documents' texts, and is still of interest: comments, and suggestions that are pending. */
export function anchoredRecords(db: Db, memory: Memory, now: () => number) {
  const anchoredComments = db.prepare<[number], AnchoredRow>(
    'SELECT id, anchor, range_start, range_end FROM comments WHERE document = ? AND anchor IS NOT NULL',
  )
  const anchoredSuggestions = db.prepare<[number], AnchoredRow>(
    `SELECT ${ofSuggestion} FROM suggestions WHERE document = ? AND anchor IS NOT NULL AND status = 'pending'`,
  )
  const anchoredBeside = db.prepare<[number, string], AnchoredRow>(
    `SELECT ${ofSuggestion} FROM suggestions WHERE document = ? AND anchor IS NOT NULL AND status = 'pending'
     AND id NOT IN (SELECT value FROM json_each(?))`,
  )
  const moveComment = db.prepare('UPDATE comments SET range_start = ?, range_end = ? WHERE id = ?')
  const reword = db.prepare(
    `UPDATE suggestions SET suggested_text = @said, changed_at = iif(suggested_text = @said, changed_at, @at), anchor = CASE WHEN @lineEnds IS NULL
       THEN json_remove(anchor, '$.line_ends') ELSE json_set(anchor, '$.line_ends', json(@lineEnds)) END WHERE id = @id`,
  )
  const note = (table: 'comments' | 'suggestions') =>
    db.prepare(
      `UPDATE ${table} SET anchor = CASE WHEN @noted IS NULL THEN json_remove(anchor, '$.taken_out')
         ELSE json_set(anchor, '$.taken_out', json(@noted)) END WHERE id = @id`,
    )
  const notes = { comment: note('comments'), suggestion: note('suggestions') }
  const noteBeside = db.prepare(
    "UPDATE suggestions SET anchor = json_set(anchor, '$.beside', json(?)), changed_at = ? WHERE id = ?",
  )
  const noteAround = db.prepare(
    "UPDATE suggestions SET anchor = json_set(anchor, '$.prefix', ?, '$.suffix', ?), changed_at = ? WHERE id = ?",
  )
  const moveSuggestion = db.prepare('UPDATE suggestions SET range_start = ?, range_end = ? WHERE id = ?')

  const anchored = (kind: 'comment' | 'suggestion', rows: AnchoredRow[]): AnchoredRecord[] =>
    rows.map((row) => ({
      id: row.id,
      kind,
      anchor: readAnchor(row.anchor) as Anchor,
      range: readRange(row),
      takenOut: readTakenOut(row.anchor),
      ...(typeof row.suggested_text === 'string' && {
        suggested_text: row.suggested_text,
        lineEnds: readLineEnds(row.anchor),
      }),
    }))

  // Each letter that is typed asks for all of them.
  const known = memory.lookup<readonly AnchoredRecord[]>(['comments', 'suggestions'], {
    most: 10_000,
    sizeOf: (all) => all.length + 1,
  })
  const of = (document: number): readonly AnchoredRecord[] =>
    known(document, () => [
      ...anchored('comment', anchoredComments.all(document)),
      ...anchored('suggestion', anchoredSuggestions.all(document)),
    ])!

  return {
    of,
    /** Asked before they are moved, and told after, it keeps them known where they only stand elsewhere. */
    renewal(document: number) {
      const before = known(document, () => undefined)
      const renew = known.renewal(document)
      return (moved: Edit['moved']) => {
        const isPlace = (one: Edit['moved'][number]) =>
          one.suggested_text === undefined && !one.takenOut && !one.around
        if (!before || moved.length === 0 || !moved.every(isPlace)) return
        const places = new Map(moved.map(({ id, range }) => [id, range]))
        renew(before.map((one) => (places.has(one.id) ? { ...one, range: places.get(one.id)! } : one)))
      }
    },
    /** The same but for some suggestions. */
    beside: (document: number, suggestions: readonly { id: string }[]): AnchoredRecord[] => [
      ...anchored('comment', anchoredComments.all(document)),
      ...anchored(
        'suggestion',
        anchoredBeside.all(document, JSON.stringify(suggestions.map(({ id }) => id))),
      ),
    ],
    /** Where they stand now, and as what. */
    move(moved: Edit['moved']) {
      for (const { id, kind, range, suggested_text: said, lineEnds, takenOut, beside, around } of moved) {
        const one = kind === 'comment' ? moveComment : moveSuggestion
        one.run(range?.start ?? null, range?.end ?? null, id)
        if (said !== undefined)
          reword.run({ id, said, at: now(), lineEnds: lineEnds ? JSON.stringify(lineEnds) : null })
        if (beside) noteBeside.run(JSON.stringify(beside), now(), id)
        if (around) noteAround.run(around.prefix, around.suffix, now(), id)
        if (takenOut) notes[kind].run({ id, noted: takenOut.length > 0 ? JSON.stringify(takenOut) : null })
      }
    },
  }
}
