import fc from 'fast-check'
import { statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { checkDatabase } from './check.ts'
import { nextTurn, testFolder, testStore } from './testing/store.ts'

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

  test('is written when its document is quiet; until then its text is known all the same', async () => {
    const file = path.join(testFolder(), 'galley.db')
    const at = testStore({ file })
    const { id } = at.create('one')
    at.edit(id, 'one two')
    at.edit(id, 'one two three')
    expect(keyframes(at)).toEqual([1])
    expect(at.get(id).text.whole).toBe('one two three')
    // As after a kill: another process knows only what is on the disk.
    const other = testStore({ file })
    expect(other.get(id).text.whole).toBe('one two three')
    expect(checkDatabase(other.store.db).findings).toEqual([])
    at.store.deferred.now()
    expect(keyframes(at)).toEqual([1, 3])
    at.edit(id, 'one two three four')
    at.store.deferred.now()
    expect(keyframes(at)).toEqual([1, 4])
    expect(at.textAt(id, 2)).toBe('one two')
    await nextTurn()
    expect(other.get(id).text.whole).toBe('one two three four')
  })

  test('is read once, and again where another process has changed the text', async () => {
    const file = path.join(testFolder(), 'galley.db')
    const at = testStore({ file })
    const { id } = testStore({ file }).create('one')
    expect(at.get(id).text.whole).toBe('one')
    // Where it was read again, these words would be found: they are as long, and a keyframe is checked once.
    at.store.db.prepare("UPDATE keyframes SET content = 'two'").run()
    expect(at.get(id).text.whole).toBe('one')
    const other = testStore({ file })
    other.edit(id, 'another text', { informed: false })
    other.store.deferred.now()
    await nextTurn()
    expect(at.get(id).text.whole).toBe('another text')
  })

  test('is written by closing', () => {
    const file = path.join(testFolder(), 'galley.db')
    const at = testStore({ file })
    const { id } = at.create('one')
    at.edit(id, 'one two')
    at.store.close()
    const after = testStore({ file })
    expect(keyframes(after)).toEqual([1, 2])
    expect(after.get(id).text.whole).toBe('one two')
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
    expect(at.get(id).text.whole).toBe(text)
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
    expect(at.get(id).text.whole).toBe('one two')
    at.edit(id, 'one two three')
    at.store.deferred.now()
    expect(at.get(id).text.whole).toBe('one two three')
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
    expect(at.get(id).text.whole).toBe(words)
    at.edit(id, `${words}!`)
    // By the time that nobody has changed it for a while.
    await vi.waitFor(
      () => {
        vi.advanceTimersByTime(5_000)
        expect([keyframes(at), kind()]).toEqual([[1, 2, 3], 'blob'])
      },
      { timeout: 30_000 },
    )
    expect(at.get(id).text.whole).toBe(`${words}!`)
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
