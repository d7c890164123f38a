import fc from 'fast-check'
import { statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { anchorAt } from '../domain/anchors/anchor.ts'
import { applyChanges, changesFromJson } from '../domain/change-set.ts'
import { checkDatabase } from './check.ts'
import { testFolder, testStore } from './testing/store.ts'

describe('a change', () => {
  test('comes later than the one before, even when the clock stands still or goes back', () => {
    const at = testStore()
    const created = at.create('0')
    const times = [created.updated_at]
    for (const [index, step] of [0, 0, -5_000, 10_000].entries()) {
      at.clock.at += step
      times.push(at.edit(created.id, String(index + 1)).updated_at)
    }
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
    expect(at.get(created.id).created_at).toBe(created.created_at)
  })

  test('maps the places of comments and pending suggestions, of no others', () => {
    const at = testStore()
    const { store } = at
    const { id, number } = at.create('The quick brown fox.')
    const anchor = anchorAt('The quick brown fox.', 4, 9)
    const range = { start: 4, end: 9 }
    const comment = store.comments.create(number, at.author, { body: 'Hm', parentId: null, anchor, range })
    const fields = { original_text: 'quick', suggested_text: 'slow', note: null, anchor, range }
    const pending = store.suggestions.create(number, at.author, fields)
    const rejected = store.suggestions.create(number, at.author, fields)
    store.suggestions.settle(rejected.id, 'rejected')
    at.edit(id, 'See: The quick brown fox.')
    expect(store.comments.find(comment.id, number)!.range).toEqual({ start: 9, end: 14 })
    expect(store.suggestions.find(pending.id, number)!.range).toEqual({ start: 9, end: 14 })
    expect(store.suggestions.find(rejected.id, number)!.range).toEqual(range)
    at.edit(id, 'Nothing left')
    expect(store.comments.find(comment.id, number)!.range).toBeNull()
    expect(checkDatabase(store.db).findings).toEqual([])
  })

  test('that fails undoes everything the transaction did', () => {
    const at = testStore()
    const { id } = at.create('before')
    const change = () =>
      at.store.transaction(() => {
        at.edit(id, 'after')
        throw new Error('no')
      })
    expect(change).toThrow('no')
    expect(at.get(id)).toMatchObject({ content: 'before', revision: 1 })
    expect(at.store.db.prepare('SELECT count(*) FROM changes').pluck().get()).toBe(1)
  })
})

describe('the list', () => {
  test('has a total order: latest first, and equal times never make a page repeat or skip', () => {
    const at = testStore()
    const ids = Array.from({ length: 25 }, (_, i) => {
      if (i % 5 === 0) at.clock.at += 1_000
      return at.create('x', `Document ${i}`).id
    })
    for (const size of [1, 3, 7, 25]) {
      const pages: string[] = []
      for (let offset = 0; offset < 30; offset += size) {
        pages.push(...at.store.documents.list(at.owner.id, size, offset).map(({ id }) => id))
      }
      expect(pages).toHaveLength(25)
      expect(new Set(pages)).toEqual(new Set(ids))
    }
    const rows = at.store.documents.list(at.owner.id, 100, 0)
    const sorted = [...rows].sort((a, b) => b.updated_at - a.updated_at || (a.id < b.id ? -1 : 1))
    expect(rows).toEqual(sorted)
  })

  test('shows nobody else’s documents', () => {
    const at = testStore()
    at.create('mine')
    const other = at.store.users.create('Other')
    expect(at.store.documents.list(other.id, 100, 0)).toEqual([])
    expect(at.store.documents.listIds(other.id)).toEqual([])
  })
})

describe('the log', () => {
  const bytesOf = ({ store }: ReturnType<typeof testStore>) =>
    (store.db.pragma('page_count', { simple: true }) as number) *
    (store.db.pragma('page_size', { simple: true }) as number)
  const count = ({ store }: ReturnType<typeof testStore>, table: 'changes' | 'keyframes') =>
    store.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number

  test('is kept from the first character on, and leads to every revision', () => {
    const at = testStore()
    const { id } = at.create('start')
    at.store.transaction(() => {
      for (let i = 0; i < 1_300; i++) at.edit(id, `text ${i}`)
    })
    expect(count(at, 'changes')).toBe(1_301)
    expect(at.textAt(id, 1)).toBe('start')
    for (const revision of [2, 500, 1_300, 1_301])
      expect(at.textAt(id, revision)).toBe(`text ${revision - 2}`)
    expect(at.textAt(id, 0)).toBeNull()
    expect(at.textAt(id, 1_302)).toBeNull()
    expect(checkDatabase(at.store.db).findings).toEqual([])
  })

  test('of 2,000 small edits of a 500 KB text takes less than 2 MB', () => {
    const at = testStore()
    const line = 'A sentence of some words that stand here.\n'
    let text = line.repeat(12_000)
    const { id } = at.create(text)
    const before = bytesOf(at)
    for (let i = 0; i < 10; i++) {
      at.store.transaction(() => {
        for (let k = 0; k < 200; k++) {
          const place = ((i * 7919 + k * 104_729) % 12_000) * line.length
          text = `${text.slice(0, place)}word ${text.slice(place)}`
          at.edit(id, text)
        }
      })
      at.store.deferred.now()
    }
    expect(bytesOf(at) - before).toBeLessThan(2_000_000)
    expect(count(at, 'changes')).toBe(2_001)
    expect(at.textAt(id, 1_000)).toHaveLength(line.length * 12_000 + 999 * 5)
    expect(at.get(id).content).toBe(text)
  }, 120_000)

  test('says of a large change only where it was; its text is a keyframe’s', () => {
    const at = testStore()
    const { id } = at.create('first')
    const texts = ['first', 'second', 'x'.repeat(6 * 1024 * 1024)]
    texts.push(`${texts[2]!}!`, '\n'.repeat(6 * 1024 * 1024), 'last')
    for (const text of texts.slice(1)) at.edit(id, text, { informed: false })
    const logged = at.store.db.prepare('SELECT total(octet_length(changes)) FROM changes').pluck().get()
    expect(logged).toBeLessThan(1_000)
    for (const [i, text] of texts.entries()) expect(at.textAt(id, i + 1) === text).toBe(true)
    expect(checkDatabase(at.store.db).findings).toEqual([])
  })
})

describe('what an editor that comes back is told', () => {
  test('is each change since its revision, with all its words', () => {
    const at = testStore()
    const { id } = at.create('one')
    at.edit(id, 'one two', { by: { id: null, name: 'Ada', key: 'guest:1' } })
    at.edit(id, 'large '.repeat(50_000))
    at.edit(id, `so: ${'large '.repeat(50_000)}`)
    const entries = at.store.documents.readSince(at.get(id), 0)!
    expect(entries.map(({ revision, base }) => [base, revision])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
    ])
    expect(entries[1]).toMatchObject({ author_name: 'Ada', author_key: 'guest:1', changes: [3, [0, ' two']] })
    let text = ''
    for (const { changes, length } of entries) {
      text = applyChanges(text, changesFromJson(changes))
      expect(text).toHaveLength(length)
    }
    expect(text).toBe(at.get(id).content)
    expect(at.store.documents.readSince(at.get(id), 3)).toEqual([entries[3]])
    expect(at.store.documents.readSince(at.get(id), 4)).toEqual([])
  })

  test('of a change that it sends again is what that made the first time', () => {
    const at = testStore()
    const { id, number } = at.create('one')
    const send = (content: string, client: { id: string; number: number }) =>
      at.store.transaction(() =>
        at.store.documents.change(at.get(id), {
          content,
          client,
          kind: 'edit',
          author: at.author,
          informed: true,
        }),
      )
    const first = send('one two', { id: 'a', number: 1 })
    expect(first).toMatchObject({ content: 'one two', revision: 2 })
    send('one two three', { id: 'b', number: 1 })
    at.edit(id, 'one two three four')
    const again = send('one two', { id: 'a', number: 1 })
    expect(again).toMatchObject({
      content: 'one two',
      revision: 2,
      hash: first.hash,
      updated_at: first.updated_at,
    })
    expect(at.get(id)).toMatchObject({ content: 'one two three four', revision: 4 })
    expect(send('five', { id: 'a', number: 2 }).revision).toBe(5)
    expect(at.store.versions.list(number)[0]!.revision).toBe(5)
    // The same name for a change of another document is another change.
    const other = at.create('')
    at.store.documents.change(other, {
      content: 'x',
      client: { id: 'a', number: 1 },
      kind: 'edit',
      author: at.author,
      informed: true,
    })
    expect(at.get(other.id).content).toBe('x')
    expect(checkDatabase(at.store.db).findings).toEqual([])
  })
})

describe('a save', () => {
  test('of some words in a long text writes some pages, not the text', () => {
    const file = path.join(testFolder(), 'galley.db')
    const at = testStore({ file })
    const text = 'A sentence of some words that stand here.\n'.repeat(25_000)
    const { id } = at.create(text)
    at.store.deferred.now()
    at.store.db.pragma('wal_autocheckpoint = 0')
    at.store.db.pragma('wal_checkpoint(TRUNCATE)')
    const written = () => statSync(`${file}-wal`).size
    for (let i = 1; i <= 5; i++) {
      const before = written()
      at.edit(id, `${text.slice(0, 500_000)}${'words '.repeat(i * 17)}${text.slice(500_000)}`)
      expect(written() - before).toBeLessThan(64 * 1024)
    }
  })
})

describe('a keyframe', () => {
  const keyframes = ({ store }: ReturnType<typeof testStore>) =>
    store.db.prepare('SELECT revision FROM keyframes ORDER BY revision').pluck().all()

  test('is written when its document is quiet; until then its text is known all the same', () => {
    const file = path.join(testFolder(), 'galley.db')
    const at = testStore({ file })
    const { id } = at.create('one')
    at.edit(id, 'one two')
    at.edit(id, 'one two three')
    expect(keyframes(at)).toEqual([1])
    expect(at.get(id).content).toBe('one two three')
    // As after a kill: another process knows only what is on the disk.
    const other = testStore({ file })
    expect(other.get(id).content).toBe('one two three')
    expect(checkDatabase(other.store.db).findings).toEqual([])
    at.store.deferred.now()
    expect(keyframes(at)).toEqual([1, 3])
    at.edit(id, 'one two three four')
    at.store.deferred.now()
    expect(keyframes(at)).toEqual([1, 4])
    expect(at.textAt(id, 2)).toBe('one two')
    expect(other.get(id).content).toBe('one two three four')
  })

  test('is written by closing', () => {
    const file = path.join(testFolder(), 'galley.db')
    const at = testStore({ file })
    const { id } = at.create('one')
    at.edit(id, 'one two')
    at.store.close()
    const after = testStore({ file })
    expect(keyframes(after)).toEqual([1, 2])
    expect(after.get(id).content).toBe('one two')
  })

  test('follows at once where too much would have to be replayed', () => {
    const at = testStore()
    const { id } = at.create('')
    let text = ''
    for (let i = 0; i < 40; i++) {
      text = `${text.slice(0, 1_000)}${String(i).repeat(3_000)}`
      at.edit(id, text)
    }
    expect(keyframes(at).length).toBeGreaterThan(1)
    expect(at.get(id).content).toBe(text)
    expect(checkDatabase(at.store.db).findings).toEqual([])
  })

  test('of a change that was undone is none', () => {
    const at = testStore()
    const { id } = at.create('one')
    at.edit(id, 'one two')
    const change = () =>
      at.store.transaction(() => {
        at.edit(id, 'another')
        throw new Error('no')
      })
    expect(change).toThrow('no')
    expect(at.get(id).content).toBe('one two')
    at.edit(id, 'one two three')
    at.store.deferred.now()
    expect(at.get(id).content).toBe('one two three')
    expect(checkDatabase(at.store.db).findings).toEqual([])
  })

  test('of a long text is packed before it is written, and read all the same', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const at = testStore()
    const words = 'words and words '.repeat(300_000)
    const { id } = at.create('')
    at.edit(id, words, { informed: false })
    const kind = () =>
      at.store.db.prepare('SELECT typeof(content) FROM keyframes ORDER BY revision DESC').pluck().get()
    expect(kind()).toBe('blob')
    expect(at.get(id).content).toBe(words)
    at.edit(id, `${words}!`)
    // By the time that nobody has changed it for a while.
    await vi.waitFor(
      () => {
        vi.advanceTimersByTime(5_000)
        expect([keyframes(at), kind()]).toEqual([[1, 2, 3], 'blob'])
      },
      { timeout: 30_000 },
    )
    expect(at.get(id).content).toBe(`${words}!`)
    expect(checkDatabase(at.store.db).findings).toEqual([])
  }, 40_000)

  test('that is older is packed in the background', async () => {
    const at = testStore()
    const words = 'words and words '.repeat(5_000)
    const { id } = at.create(words)
    at.edit(id, 'x'.repeat(100_000), { informed: false })
    const isPacked = () => {
      at.store.deferred.now()
      return at.store.db.prepare('SELECT typeof(content) FROM keyframes WHERE revision = 1').pluck().get()
    }
    await expect.poll(isPacked).toBe('blob')
    expect(at.textAt(id, 1)).toBe(words)
    expect(checkDatabase(at.store.db).findings).toEqual([])
  })
})

describe('where the log is damaged', () => {
  test('a document can be read from its newest keyframe on, and written', () => {
    const file = path.join(testFolder(), 'galley.db')
    const at = testStore({ file })
    const { id } = at.create('one')
    for (const text of ['one two', 'one two three', 'one two three four']) at.edit(id, text)
    at.store.db.exec("UPDATE changes SET changes = '[' WHERE revision = 4")
    const other = testStore({ file })
    expect(other.get(id).content).toBe('one two three')
    const [finding, ...more] = checkDatabase(other.store.db).findings
    expect(finding).toContain(
      `document ${id} “Untitled”: its log does not lead to revision 4 or any later (2026-01-02 03:04:05 UTC)`,
    )
    expect(more).toHaveLength(1)
    other.edit(id, 'one two three five')
    expect(testStore({ file }).get(id).content).toBe('one two three five')
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
      expect(at.get(id)).toMatchObject({ content: 'one two three', revision: 3 })
      expect([1, 2, 3].map((revision) => at.textAt(id, revision))).toEqual([
        'one',
        'one two',
        'one two three',
      ])
      at.edit(id, 'one two three four')
      at.store.close()
      const after = testStore({ file })
      expect(after.get(id).content).toBe('one two three four')
      expect(after.textAt(id, 3)).toBe('one two three')
      expect(checkDatabase(after.store.db).findings).toEqual([])
    })
})

test('deleting a document removes everything of it from every table, and nothing else', () => {
  const at = testStore()
  const { store } = at
  const [gone, stays] = ['gone', 'stays'].map((word) => {
    const row = at.create(`${word} text`)
    const anchor = anchorAt(row.content, 0, 4)
    const range = { start: 0, end: 4 }
    const thread = { parentId: null, anchor, range }
    const comment = store.comments.create(row.number, at.author, { body: 'Hm', ...thread })
    store.comments.create(row.number, at.author, { body: 'Hm!', ...thread, parentId: comment.id })
    store.suggestions.create(row.number, at.author, {
      original_text: word,
      suggested_text: '',
      note: null,
      anchor,
      range,
    })
    store.shareLinks.create(row.number, at.owner.id, { permission: 'view', label: null, expiresAt: null })
    store.seenFeedback.see(row, { comments: 1, suggestions: 1 })
    const edited = at.edit(row.id, `${word} text, edited`, { informed: false })
    store.renders.put(edited, { facts: '{}', html: '<p>' })
    return edited
  }) as [ReturnType<typeof at.create>, ReturnType<typeof at.create>]
  store.deferred.now()

  const tables = store.db
    .prepare<[], { name: string }>(
      "SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c ON c.name = 'document' WHERE m.type = 'table'",
    )
    .all()
    .map(({ name }) => name)
    // Neither of the two is long or in the trash, or was there before there were words to search in.
    .filter((table) => !['trash', 'search_words_due', 'search_parts'].includes(table))
  expect(tables.sort()).toEqual([
    'changes',
    'comments',
    'document_starts',
    'keyframes',
    'renders',
    'seen_feedback',
    'share_links',
    'suggestions',
    'versions',
  ])
  const rowsOf = (number: number) =>
    Object.fromEntries([
      ...tables.map((table) => [
        table,
        store.db.prepare(`SELECT count(*) FROM ${table} WHERE document = ?`).pluck().get(number),
      ]),
      [
        'index',
        store.db.prepare('SELECT count(*) FROM documents_fts_docsize WHERE id = ?').pluck().get(number),
      ],
    ]) as Record<string, number>
  const before = rowsOf(stays.number)
  expect(Object.values(before).every((count) => count > 0)).toBe(true)

  store.transaction(() => store.documents.delete(gone))
  expect(Object.values(rowsOf(gone.number)).every((count) => count === 0)).toBe(true)
  expect(rowsOf(stays.number)).toEqual(before)
  expect(store.documents.find(gone.id)).toBeUndefined()
  expect(store.search.find({ owner: at.owner.id, query: 'gone', limit: 10, offset: 0 })).toEqual([])
  expect(store.search.find({ owner: at.owner.id, query: 'stays', limit: 10, offset: 0 })).toHaveLength(1)
  expect(checkDatabase(store.db).findings).toEqual([])
})

test('every text there ever was can be read, whatever is in memory', () => {
  const edit = fc.record({
    text: fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'binary', minLength: 1 }).map((some) => some.repeat(40_000 / some.length)),
    ),
    wait: fc.constantFrom(1_000, 120_000),
    informed: fc.boolean(),
    quiet: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(edit, { maxLength: 12 }), (start, edits) => {
      const file = path.join(testFolder(), 'galley.db')
      const at = testStore({ file })
      const { id } = at.create(start)
      const texts = [start]
      for (const { text, wait, informed, quiet } of edits) {
        at.clock.at += wait
        at.edit(id, text, { informed })
        texts.push(text)
        if (quiet) at.store.deferred.now()
      }
      const other = testStore({ file })
      for (const one of [at, other]) {
        for (const [before, text] of texts.entries()) expect(one.textAt(id, before + 1)).toBe(text)
        expect(one.textAt(id, texts.length + 1)).toBeNull()
        expect(checkDatabase(one.store.db).findings).toEqual([])
        one.store.close()
      }
    }),
    { numRuns: 15 },
  )
})
