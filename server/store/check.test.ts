import { describe, expect, test } from 'vitest'
import { anchorAt } from '../domain/anchors/anchor.ts'
import { checkDatabase } from './check.ts'
import { testStore } from './testing/store.ts'

/** A store in which every kind of record occurs. */
function lived() {
  const at = testStore()
  const { store } = at
  const one = at.create('The first text.')
  at.edit(one.id, 'The second text.', { informed: false })
  at.edit(one.id, 'The third text.', { informed: false })
  const { number } = at.edit(one.id, 'The third text, longer.')
  const anchor = anchorAt('The third text, longer.', 4, 9)
  const comment = store.comments.create(number, at.author, {
    body: 'Hm',
    parentId: null,
    anchor,
    range: { start: 4, end: 9 },
  })
  store.comments.create(number, at.author, { body: 'Hm!', parentId: comment.id, anchor: null, range: null })
  const suggestion = store.suggestions.create(number, at.author, {
    original_text: 'third',
    suggested_text: '3rd',
    note: null,
    anchor,
    range: { start: 4, end: 9 },
  })
  store.suggestions.create(number, at.author, {
    original_text: '',
    suggested_text: 'very ',
    note: null,
    anchor: anchorAt('The third text, longer.', 4, 4),
    range: { start: 4, end: 4 },
  })
  store.comments.create(number, at.author, {
    ...{ body: 'So', parentId: null, anchor: null, range: null },
    suggestionId: suggestion.id,
  })
  const two = at.create('Another one.')
  store.searchIndex.write(10)
  return { ...at, one, two, run: (sql: string) => void store.db.exec(sql) }
}

test('a sound database has no findings, and is counted', () => {
  const { store } = lived()
  const told: number[][] = []
  const report = checkDatabase(store.db, (done, of) => told.push([done, of]))
  expect(report.findings).toEqual([])
  expect(report.counts).toEqual({
    users: 1,
    documents: 2,
    versions: 5,
    changes: 5,
    comments: 3,
    suggestions: 2,
    share_links: 0,
  })
  expect(told).toEqual([
    [1, 2],
    [2, 2],
  ])
})

test('nothing is written', () => {
  const { store } = lived()
  store.db.pragma('query_only = ON')
  expect(checkDatabase(store.db).findings).toEqual([])
})

describe('damage is found', () => {
  const cases: [name: string, sql: string, finding: RegExp][] = [
    [
      'a text that changed behind our back',
      `UPDATE keyframes SET content = 'The f1rst text.' WHERE document = 1 AND revision = 1`,
      /^document [0-9a-f-]{36} “Untitled”: its keyframe of revision 1 is not the text that was saved \(2026-01-02 03:04:05 UTC\)$/,
    ],
    [
      'a keyframe that the log rests on, and is missing',
      'DELETE FROM keyframes WHERE document = 1',
      /log does not lead to revision 1 or any later/,
    ],
    [
      'a packed keyframe that can’t be unpacked',
      `UPDATE keyframes SET content = x'00' WHERE document = 1`,
      /keyframe of revision 1 is not the text that was saved/,
    ],
    [
      'a keyframe of a revision that never was',
      'UPDATE keyframes SET revision = 9 WHERE document = 2',
      /log has no revision 9, but a keyframe of it/,
    ],
    [
      'a document that is another than its log leads to',
      'UPDATE documents SET hash = 1 WHERE number = 1',
      /its text is not the one that was saved/,
    ],
    ['a document without versions', 'DELETE FROM versions WHERE document = 2', /it has no version/],
    [
      'a version of no revision',
      'UPDATE versions SET revision = 9 WHERE revision = 4',
      /version 9 has lost its text/,
    ],
    [
      'a version that is another text',
      'UPDATE versions SET size = 99 WHERE revision = 2',
      /version 2 has another length than it was saved with/,
    ],
    ['a gap in the log', 'DELETE FROM changes WHERE revision = 3', /log goes from revision 2 to 3/],
    ['a log that ends early', 'DELETE FROM changes WHERE revision = 4', /log ends at revision 3, it is at 4/],
    [
      'a log entry that says something else',
      `UPDATE changes SET changes = replace(changes, 'third', 'other') WHERE revision = 3`,
      /log does not lead to revision 3 or any later/,
    ],
    [
      'a log entry that is no JSON',
      `UPDATE changes SET changes = '[' WHERE revision = 3`,
      /log does not lead to revision 3 or any later/,
    ],
    [
      'a comment beyond the text',
      'UPDATE comments SET range_end = 400 WHERE anchor IS NOT NULL',
      /stands outside/,
    ],
    [
      'words that take up no room',
      'UPDATE suggestions SET range_end = range_start',
      /suggestion .* stands outside the text/,
    ],
    ['half a range', 'UPDATE suggestions SET range_end = NULL', /suggestion .* stands outside the text/],
    [
      'an answer in another document',
      'UPDATE comments SET document = 2 WHERE parent_id IS NOT NULL',
      /no thread of this/,
    ],
    [
      'a reply in another document',
      'UPDATE comments SET document = 2 WHERE suggestion_id IS NOT NULL',
      /answers a suggestion that is not of this/,
    ],
    ['a missing index entry', 'DELETE FROM documents_fts WHERE rowid = 1', /missing from the search index/],
    [
      'an index entry of nothing',
      `INSERT INTO documents_fts (rowid, title, content) VALUES (9, 'a', 'b')`,
      /search index holds 1 documents that are gone/,
    ],
    [
      'an owner who isn’t there',
      `PRAGMA foreign_keys = OFF; DELETE FROM users`,
      /documents, row 1: refers to something missing in users/,
    ],
    ['a missing index', 'DROP INDEX comments_by_parent', /the index comments_by_parent is missing/],
    ['a missing trigger', 'DROP TRIGGER documents_removed', /the trigger documents_removed is missing/],
    ['a missing table', 'DROP TABLE renders', /the table renders is missing/],
    [
      'a table of another shape',
      'ALTER TABLE renders ADD COLUMN more TEXT',
      /the table renders is not as it should be/,
    ],
    ['a table that the check itself needs', 'DROP TABLE changes', /rest could not be read: no such table/],
  ]
  test.each(cases)('%s', (_name, sql, finding) => {
    const { store, run } = lived()
    run(sql)
    const { findings } = checkDatabase(store.db)
    expect(findings.join('\n')).toMatch(new RegExp(finding.source, 'm'))
    expect(findings.every((line) => !line.includes('\n'))).toBe(true)
  })
})
