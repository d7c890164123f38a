import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyChanges, changesFromJson, contentHash } from '../domain/change-set.ts'
import { anyText } from '../domain/testing/arbitrary-text.ts'
import { checkDatabase } from './check.ts'
import { readComplete } from './log.ts'
import type { Author } from './author.ts'
import { testStore } from './testing/store.ts'

const guest: Author = { id: null, name: 'Guest', key: 'guest:1' }

/** The text of each version, oldest first. */
function versionTexts({ store, get, textAt }: ReturnType<typeof testStore>, id: string) {
  return store.versions
    .list(get(id).number)
    .map(({ revision }) => textAt(id, revision))
    .reverse()
}

describe('a version keeps its text exactly', () => {
  const texts: [name: string, text: string][] = [
    ['empty', ''],
    ['Windows line endings', 'one\r\ntwo\r\n\r\nthree\r\n'],
    ['mixed and lonely line endings', 'one\rtwo\nthree\r\nfour\n\r'],
    ['NUL and other control characters', 'a\0b\u0001\u001f\u007f\u0085\u2028\u2029c\0'],
    ['emoji, combining marks and a byte order mark', '\uFEFF👩‍👩‍👧‍👦 e\u0301 漢字 \u{10FFFF}'],
    ['8 KiB, the longest that is stored as it is', 'x'.repeat(8 * 1024)],
    ['one byte more, which is packed', 'x'.repeat(8 * 1024 + 1)],
    ['1 MB of words', Array.from({ length: 60_000 }, (_, i) => `wörd-${i * 7919}\r\n`).join('')],
  ]
  test.each(texts)('%s', (_name, text) => {
    const at = testStore()
    const { id } = at.create(text)
    at.edit(id, 'Something else.', { informed: false })
    at.edit(id, text, { informed: false })
    expect(at.get(id).content === text).toBe(true)
    at.edit(id, 'The end.', { informed: false })
    expect(versionTexts(at, id).map((one) => one === text)).toEqual([true, false, true, false])
    expect(at.get(id).hash).toBe(contentHash('The end.'))
  })
})

describe('which changes leave a version', () => {
  test('a new document has one, whose text is the document’s', () => {
    const at = testStore()
    const { id, number } = at.create('Text', 'Title')
    expect(at.store.versions.list(number)).toMatchObject([
      { revision: 1, kind: 'create', title: 'Title', author_name: 'Owner', size: 4, added: 4, removed: 0 },
    ])
    expect(at.textAt(id, 1)).toBe('Text')
    expect(at.store.versions.find(number, 2)).toBeUndefined()
  })

  test('a burst of one author’s edits folds into one', () => {
    const at = testStore()
    const { id, number } = at.create('')
    for (const text of ['H', 'He', 'Hello', 'Hello, you']) {
      at.clock.at += 1_000
      at.edit(id, text)
    }
    const [head, first] = at.store.versions.list(number)
    expect(head).toMatchObject({ revision: 5, kind: 'edit', size: 10 })
    expect(head!.added - head!.removed).toBe(10)
    expect(head!.created_at - head!.started_at).toBe(3_000)
    expect(first).toMatchObject({ revision: 1, kind: 'create' })
    expect(versionTexts(at, id)).toEqual(['', 'Hello, you'])
  })

  test('a minute ends the burst', () => {
    const at = testStore()
    const { id } = at.create('')
    at.clock.at += 1
    at.edit(id, 'one')
    at.clock.at += 60_000
    at.edit(id, 'one two')
    expect(versionTexts(at, id)).toEqual(['', 'one', 'one two'])
  })

  test('another author ends it, and so does the same one through another door', () => {
    const at = testStore()
    const { id } = at.create('')
    at.edit(id, 'one')
    at.edit(id, 'one two', { by: guest })
    at.edit(id, 'one two three', { by: { ...at.author, key: 'key:1' } })
    expect(versionTexts(at, id)).toEqual(['', 'one', 'one two', 'one two three'])
  })

  test('a change made without knowing what it replaces leaves a version of its own', () => {
    const at = testStore()
    const { id } = at.create('')
    at.edit(id, 'one')
    at.edit(id, 'two', { informed: false })
    expect(versionTexts(at, id)).toEqual(['', 'one', 'two'])
  })

  test('so does one that takes much away, and a new title', () => {
    const at = testStore()
    const { id, number } = at.create('')
    at.edit(id, 'word '.repeat(100))
    at.edit(id, 'gone')
    at.edit(id, 'gone', { title: 'Named' })
    expect(at.store.versions.list(number).map(({ kind, title }) => [kind, title])).toEqual([
      ['title', 'Named'],
      ['edit', 'Untitled'],
      ['edit', 'Untitled'],
      ['create', 'Untitled'],
    ])
  })

  test('a change that changes nothing makes a revision but no version', () => {
    const at = testStore()
    const { id, number } = at.create('same')
    const after = at.edit(id, 'same')
    expect(after.revision).toBe(2)
    expect(at.store.versions.list(number)).toHaveLength(1)
    at.edit(id, 'other')
    expect(versionTexts(at, id)).toEqual(['same', 'other'])
  })
})

test('whatever anyone writes, every text a version was promised for can be read, and the log leads to each', () => {
  const step = fc.record({
    text: anyText,
    author: fc.nat(2),
    informed: fc.boolean(),
    pause: fc.constantFrom(0, 1_000, 59_000, 61_000),
    title: fc.option(fc.constantFrom('A', 'B'), { nil: undefined }),
  })
  fc.assert(
    fc.property(anyText, fc.array(step, { maxLength: 12 }), (first, steps) => {
      const at = testStore()
      const authors = [at.author, guest, { ...at.author, key: 'key:1' }]
      const { id, number } = at.create(first)
      const promised = new Map([[1, first]])
      const texts = new Map([[1, first]])
      let before = at.store.versions.head(number, at.get(id).revision)!
      for (const { text, author, informed, pause, title } of steps) {
        at.clock.at += pause
        const { content: old, revision } = at.get(id)
        const after = at.edit(id, text, {
          by: authors[author]!,
          informed,
          ...(title === undefined ? {} : { title }),
        })
        expect(after.content).toBe(text)
        expect(after.hash).toBe(contentHash(text))
        expect(after.revision).toBe(revision + 1)
        texts.set(after.revision, text)
        const head = at.store.versions.head(number, at.get(id).revision)!
        const isNew = at.store.versions.find(number, before.revision) !== undefined
        // What an uninformed change, or another author's, overwrote must never go.
        if (!informed || author !== authors.findIndex((one) => one.key === before.author_key)) {
          if (old !== text) expect(isNew).toBe(true)
        }
        if (!isNew) promised.delete(before.revision)
        promised.set(head.revision, text)
        before = head
      }
      const stored = at.store.versions.list(number).map(({ revision }) => revision)
      expect(stored.sort((a, b) => a - b)).toEqual([...promised.keys()].sort((a, b) => a - b))
      for (const [revision, text] of promised) {
        expect(at.textAt(id, revision)).toBe(text)
      }
      let replayed = ''
      const log = at.store.db
        .prepare<[number], { revision: number; length: number; hash: number; changes: string }>(
          'SELECT * FROM changes WHERE document = ? ORDER BY revision',
        )
        .all(number)
      expect(log).toHaveLength(steps.length + 1)
      for (const entry of log) {
        const changes = readComplete(entry.changes, () => texts.get(entry.revision)!)
        replayed = applyChanges(replayed, changesFromJson(changes))
        expect(replayed).toBe(texts.get(entry.revision))
        expect([entry.length, entry.hash]).toEqual([replayed.length, contentHash(replayed)])
      }
      expect(replayed).toBe(at.get(id).content)
      expect(checkDatabase(at.store.db).findings).toEqual([])
      at.store.close()
    }),
    { numRuns: 60 },
  )
})
