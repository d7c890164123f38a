import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyChanges, changesFromJson } from '../domain/change-set.ts'
import { contentHash } from '../domain/content-hash.ts'
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
    expect(at.get(id).text.whole === text).toBe(true)
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

  test('a word that is typed letter by letter counts its letters', () => {
    const at = testStore()
    const { id, number } = at.create('So: ')
    const word = 'counterrevolutionary'
    for (let n = 1; n <= word.length; n++) at.edit(id, `So: ${word.slice(0, n)}`)
    expect(at.store.versions.list(number)).toMatchObject([
      { revision: 1 + word.length, added: word.length, removed: 0 },
      { revision: 1 },
    ])
  })

  test('letters typed into a very long word, as in an address or a language without spaces, are one session', () => {
    const at = testStore()
    const { id, number } = at.create('x'.repeat(400))
    for (let n = 1; n <= 10; n++) at.edit(id, `${'x'.repeat(200)}${'y'.repeat(n)}${'x'.repeat(200)}`)
    expect(at.store.versions.list(number)).toMatchObject([
      { revision: 11, added: 10, removed: 0 },
      { revision: 1 },
    ])
    at.edit(id, 'x'.repeat(100))
    expect(at.store.versions.list(number)).toMatchObject([
      { revision: 12, added: 0, removed: 310 },
      { revision: 11 },
      { revision: 1 },
    ])
  })

  test('a pause of ten minutes ends a session, however long it was', () => {
    const at = testStore()
    const { id, number } = at.create('')
    const began = at.clock.at
    let text = ''
    for (let i = 0; i < 12; i++) {
      text += 'word '
      at.edit(id, text)
      at.clock.at += 9 * 60_000
    }
    at.clock.at += 60_000
    at.edit(id, 'The next day.')
    expect(versionTexts(at, id)).toEqual(['', text, 'The next day.'])
    const [, session] = at.store.versions.list(number)
    expect(session!.created_at - session!.started_at).toBeGreaterThan(11 * 9 * 60_000 - 1_000)
    expect(session!.started_at - began).toBeLessThan(1_000)
  })

  test('what is written in one moment is one session, though each change has a time of its own', () => {
    const at = testStore()
    const { id } = at.create('')
    for (const text of ['a', 'ab', 'abc']) at.edit(id, text)
    expect(versionTexts(at, id)).toEqual(['', 'abc'])
  })

  test('two who write in turn for an hour leave a session each', () => {
    const at = testStore()
    const { id, number } = at.create('')
    let text = ''
    for (let i = 0; i < 20; i++) {
      at.clock.at += 3 * 60_000
      at.edit(id, (text += 'word '), { by: i % 2 === 0 ? at.author : guest })
    }
    expect(at.store.versions.list(number).map(({ author_key }) => author_key)).toEqual([
      'guest:1',
      'session:1',
      'session:1',
    ])
  })

  test('each author has one, and the same author through another channel another', () => {
    const at = testStore()
    const { id, number } = at.create('')
    const key = { ...at.author, key: 'key:1' }
    let text = ''
    for (const by of [at.author, guest, at.author, key, guest, at.author]) {
      text += 'word '
      at.clock.at += 1_000
      at.edit(id, text, { by })
    }
    const listed = at.store.versions.list(number)
    expect(listed.map(({ revision, author_key, added }) => [revision, author_key, added])).toEqual([
      [7, 'session:1', 15],
      [6, 'guest:1', 10],
      [5, 'key:1', 5],
      [1, 'session:1', 0],
    ])
    expect(versionTexts(at, id)).toEqual(['', 'word '.repeat(4), 'word '.repeat(5), 'word '.repeat(6)])
    expect(at.textAt(id, 3)).toBe('word word ')
  })

  test('a change made without knowing what it replaces is a version of its own, and stays one', () => {
    const at = testStore()
    const { id } = at.create('')
    at.edit(id, 'one')
    at.edit(id, 'two', { informed: false })
    at.edit(id, 'two three')
    expect(versionTexts(at, id)).toEqual(['', 'one', 'two', 'two three'])
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
    pause: fc.constantFrom(0, 1_000, 599_000, 601_000),
    title: fc.option(fc.constantFrom('A', 'B'), { nil: undefined }),
  })
  fc.assert(
    fc.property(anyText, fc.array(step, { maxLength: 12 }), (first, steps) => {
      const at = testStore()
      const authors = [at.author, guest, { ...at.author, key: 'key:1' }]
      const { id, number } = at.create(first)
      const texts = new Map([[1, first]])
      for (const { text, author, informed, pause, title } of steps) {
        at.clock.at += pause
        const {
          text: { whole: old },
          revision,
          title: oldTitle,
        } = at.get(id)
        const before = at.store.versions.list(number)
        const after = at.edit(id, text, {
          by: authors[author]!,
          informed,
          ...(title === undefined ? {} : { title }),
        })
        expect(after.text.whole).toBe(text)
        expect(after.hash).toBe(contentHash(text))
        expect(after.revision).toBe(revision + 1)
        texts.set(after.revision, text)
        const listed = at.store.versions.list(number)
        // Whatever was changed is in a version that ends here, and those of others are as they were.
        if (old === text && (title ?? oldTitle) === oldTitle) expect(listed).toEqual(before)
        else {
          expect(listed[0]).toMatchObject({ revision: after.revision, author_key: authors[author]!.key })
          const others = listed.slice(1)
          const gone = before.filter((one) => !others.some(({ revision: same }) => same === one.revision))
          expect(gone.length).toBeLessThanOrEqual(informed ? 1 : 0)
          expect(
            gone.every(({ author_key, is_open }) => author_key === authors[author]!.key && is_open === 1),
          ).toBe(true)
        }
      }
      for (const [revision, text] of texts) expect(at.textAt(id, revision)).toBe(text)
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
      expect(replayed).toBe(at.get(id).text.whole)
      expect(checkDatabase(at.store.db).findings).toEqual([])
      at.store.close()
    }),
    { numRuns: 60 },
  )
})
