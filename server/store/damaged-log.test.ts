import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkFiles } from './check-files.ts'
import { checkDatabase } from './check.ts'
import { damagePage } from './testing/damaged-page.ts'
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

describe('where a page of the file is damaged', () => {
  /** Three documents of 41 revisions each; every tenth is a keyframe for a while. */
  function damaged(of: string, place?: number) {
    const file = path.join(testFolder(), 'galley.db')
    const first = testStore({ file })
    const texts = new Map<string, string[]>()
    for (const title of ['Alpha', 'Beta', 'Gamma']) {
      const { id } = first.create(`${title}\n`.repeat(400), title)
      const all = [first.get(id).text.whole]
      texts.set(id, all)
      while (all.length < 41) {
        const text = all.at(-1)! + `more ${all.length} `.repeat(30)
        first.edit(id, text)
        all.push(text)
        if (all.length % 10 === 0) first.store.deferred.now()
      }
    }
    first.store.close()
    damagePage(file, of, place)
    const told: number[] = []
    return { at: testStore({ file, onDamage: (documents) => void told.push(documents) }), texts, told }
  }

  test('of the log, the check says of which document and from when to when, and all else is read', () => {
    const { at, texts, told } = damaged('changes')
    const { findings, counts } = checkDatabase(at.store.db)
    expect(findings).toEqual([
      'the table changes can’t all be read',
      expect.stringMatching(
        /^document .* “Beta”: its log can’t be read after revision \d+ \(2026-.* UTC\) until \d+ \(2026-.* UTC\)$/,
      ),
    ])
    expect(counts).toMatchObject({ documents: 3, versions: 6, changes: null })
    for (const [id, all] of texts) expect(at.get(id).text.whole).toBe(all.at(-1))
    expect(told).toEqual([])
    const last = Number(/after revision (\d+)/.exec(findings[1]!)![1])
    const [, id] = at.store.documents.listIds(at.owner.id)
    for (let revision = 1; revision <= last; revision++)
      expect(at.textAt(id!, revision)).toBe(texts.get(id!)![revision - 1])
  })

  test('of a keyframe, the text is what the log makes, where that is there', () => {
    for (const place of [0.5, 1]) {
      const { at, texts } = damaged('keyframes', place)
      for (const [id, all] of texts) expect(at.get(id).text.whole).toBe(all.at(-1))
      const { findings } = checkDatabase(at.store.db)
      expect(findings[0]).toBe('the table keyframes can’t all be read')
      expect(findings.slice(1).join()).toMatch(
        /^document .* “Gamma”: its keyframe of revision \d+ is not the text/,
      )
    }
  })

  test('and where no text is left that could be read, it is said of which document, as often as that is asked', () => {
    const { at, told } = damaged('changes')
    at.store.db.exec('DELETE FROM keyframes WHERE document = 2')
    const [, id] = at.store.documents.listIds(at.owner.id)
    const asked = () => at.get(id!)
    for (const _ of [1, 2])
      expect(asked).toThrow(
        expect.objectContaining({ code: 'DB_ERROR', message: expect.stringMatching(/“Beta” is damaged/) }),
      )
    expect(told).toEqual([1])
  })

  test('of the documents or their versions, that is said, and the rest is counted', () => {
    for (const [of, finding] of [
      ['documents', /^the document with number \d can’t be read$/],
      ['versions', /^document .* “Alpha”: its versions can’t be read$/],
    ] as const) {
      const { findings, counts } = checkDatabase(damaged(of).at.store.db)
      expect(findings[0]).toBe(`the table ${of} can’t all be read`)
      expect(findings.some((one) => finding.test(one))).toBe(true)
      expect(counts).toMatchObject({ users: 1, changes: 123 })
    }
  })
})

test('where it can’t be read which files documents have, that is said', async () => {
  const file = path.join(testFolder(), 'galley.db')
  testStore({ file }).store.close()
  damagePage(file, 'blobs')
  expect(await checkFiles(testStore({ file }).store.db, testFolder())).toMatchObject({
    findings: ['which files documents have can’t be read'],
    files: null,
  })
})

test('a wrong hash is called that, and what is read all the same isn’t called lost', () => {
  const file = path.join(testFolder(), 'galley.db')
  const first = testStore({ file })
  const { id } = first.create('one\n'.repeat(400))
  const texts = [first.get(id).text.whole]
  for (let i = 2; i <= 12; i++) {
    texts.push(`${texts.at(-1)}more ${i}\n`)
    first.edit(id, texts.at(-1)!, { informed: i % 4 !== 0 })
  }
  first.store.close()
  const after = testStore({ file })
  after.store.db.exec(
    'UPDATE changes SET hash = hash + 1 WHERE revision = 6; UPDATE documents SET length = length + 7',
  )
  const { findings } = checkDatabase(after.store.db)
  expect(findings).toEqual(
    [
      'the hash of its revision 6 is not that of its text (2026-01-02 03:04:05 UTC)',
      `it is said to be ${texts.at(-1)!.length + 7} characters long, and its text is ${texts.at(-1)!.length}`,
    ].map((finding) => expect.stringContaining(finding)),
  )
  expect(texts.filter((text, i) => after.textAt(id, i + 1) !== text)).toEqual([texts[5]])
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
