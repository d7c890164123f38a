import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkDatabase } from './check.ts'
import { testFolder, testStore } from './testing/store.ts'

describe('where the log is damaged', () => {
  test('a document can be read from its newest keyframe on, and written', () => {
    const file = path.join(testFolder(), 'galley.db')
    const at = testStore({ file })
    const { id } = at.create('one')
    for (const text of ['one two', 'one two three', 'one two three four']) at.edit(id, text)
    at.store.db.exec("UPDATE changes SET changes = '[' WHERE revision = 4")
    const other = testStore({ file })
    expect(other.get(id).text.whole).toBe('one two three')
    const [finding, ...more] = checkDatabase(other.store.db).findings
    expect(finding).toContain(
      `document ${id} “Untitled”: its log does not lead to revision 4 or any later (2026-01-02 03:04:05 UTC)`,
    )
    expect(more).toHaveLength(1)
    other.edit(id, 'one two three five')
    expect(testStore({ file }).get(id).text.whole).toBe('one two three five')
    expect(checkDatabase(other.store.db).findings[0]).toContain(
      'its log does not lead from revision 4 to 5 (2026-01-02 03:04:05 UTC)',
    )
  })

  test('it is said for as long as it lasts, of how many documents', () => {
    const file = path.join(testFolder(), 'galley.db')
    const at = testStore({ file })
    const ids = ['one', 'two', 'three'].map((text) => {
      const { id } = at.create(text)
      at.edit(id, `${text} more`)
      return id
    })
    at.store.db.exec("UPDATE changes SET changes = '[' WHERE revision = 2")
    const told: number[] = []
    const other = testStore({ file, onDamage: (documents) => void told.push(documents) })
    for (const id of ids) other.get(id)
    other.get(ids[0]!)
    expect(told.splice(0)).toEqual([1, 2, 3])
    other.edit(ids[0]!, 'one anew')
    other.store.transaction(() => other.store.documents.delete(other.get(ids[1]!)))
    expect(told.splice(0)).toEqual([2, 1])
    expect(() =>
      other.store.transaction(() => {
        other.store.documents.delete(other.get(ids[2]!))
        throw new Error('undone')
      }),
    ).toThrow('undone')
    expect(told).toEqual([])
  })

  const damages = {
    'changed words':
      "UPDATE changes SET changes = replace(changes, 'Line 10', 'Lime 10') WHERE revision = 11",
    'an entry that can’t be read': "UPDATE changes SET changes = '[' WHERE revision = 11",
    'a lost entry': 'DELETE FROM changes WHERE revision = 11',
  }
  for (const [name, damage] of Object.entries(damages)) {
    const lines = (count: number) => Array.from({ length: count }, (_, i) => `Line ${i}\n`).join('')
    /** A log of 21 revisions that is damaged at the 11th, opened again. */
    const damaged = () => {
      const file = path.join(testFolder(), 'galley.db')
      const first = testStore({ file })
      const { id } = first.create(lines(1))
      for (let count = 2; count <= 21; count++) first.edit(id, lines(count))
      first.store.deferred.now()
      first.store.db.exec(damage)
      first.store.close()
      return { id, file, at: testStore({ file }) }
    }
    const lost = [11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
    const unreadable = (at: ReturnType<typeof testStore>, id: string, upTo: number) =>
      Array.from({ length: upTo }, (_, i) => i + 1).filter(
        (revision) => at.textAt(id, revision) !== lines(revision),
      )

    test(`what is saved later can be read all the same (${name})`, () => {
      const { id, file, at } = damaged()
      for (let count = 22; count <= 40; count++) at.edit(id, lines(count))
      at.store.deferred.now()
      for (let count = 41; count <= 60; count++) at.edit(id, lines(count))
      at.store.close()
      const after = testStore({ file })
      expect(unreadable(after, id, 60)).toEqual(lost)
      after.store.close()
      // No process loses what the one before has saved, and none leaves a keyframe each time.
      for (let count = 61; count <= 66; count++) {
        const next = testStore({ file })
        next.edit(id, lines(count))
        next.store.close()
      }
      const last = testStore({ file })
      expect(unreadable(last, id, 66)).toEqual(lost)
      const kept = last.store.db.prepare('SELECT count(*) FROM keyframes').pluck().get()
      expect(kept).toBe(3)
    })

    test(`and so is what all of it was replaced in (${name})`, () => {
      const { id, file, at } = damaged()
      const long = 'x'.repeat(100_000)
      at.edit(id, long, { informed: false })
      at.store.close()
      const after = testStore({ file })
      expect(after.textAt(id, 22)).toBe(long)
      expect(unreadable(after, id, 21)).toEqual(lost)
    })
  }
})

describe('where the newest keyframe is damaged', () => {
  const damages = {
    'can’t be unpacked': "x'0102ff'",
    'has another length': "'one and something else'",
    'is another text as long': "'one two 3hree'",
  }
  for (const [name, content] of Object.entries(damages))
    test(`the text is what the log leads to (it ${name})`, () => {
      const file = path.join(testFolder(), 'galley.db')
      const first = testStore({ file })
      const { id } = first.create('one')
      first.edit(id, 'one two')
      first.edit(id, 'one two three')
      first.store.deferred.now()
      first.store.db.exec(`UPDATE keyframes SET content = ${content} WHERE revision = 3`)
      first.store.close()
      const at = testStore({ file })
      expect(at.get(id)).toMatchObject({ text: { whole: 'one two three' }, revision: 3 })
      expect([1, 2, 3].map((revision) => at.textAt(id, revision))).toEqual([
        'one',
        'one two',
        'one two three',
      ])
      at.edit(id, 'one two three four')
      at.store.close()
      const after = testStore({ file })
      expect(after.get(id).text.whole).toBe('one two three four')
      expect(after.textAt(id, 3)).toBe('one two three')
      expect(checkDatabase(after.store.db).findings).toEqual([])
    })
})
