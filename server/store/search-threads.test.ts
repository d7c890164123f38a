import { existsSync } from 'node:fs'
import fc from 'fast-check'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { QueueFull } from '../threads/fair-queue.ts'
import { TooMuchWork } from '../threads/text-threads.ts'
import { createSearchThreads, type SearchThreadsOptions } from './search-threads.ts'
import { testFolder, testStore } from './testing/store.ts'

/** A store on disk, and threads that search in it. */
function library(options: Partial<SearchThreadsOptions> = {}) {
  const file = path.join(testFolder(), 'galley.db')
  const at = testStore({ file })
  const failures: unknown[] = []
  const threads = createSearchThreads({ file, onFailure: (error) => void failures.push(error), ...options })
  onTestFinished(() => threads.close())
  const asked = (query: string, place: 'documents' | 'trash' = 'documents') => ({
    owner: at.owner.id,
    query,
    limit: 20,
    offset: 0,
    place,
  })
  return { ...at, file, threads, failures, asked }
}

/** A worker's thread that does this with what it is asked. */
const workerThat = (answers: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', () => {
      parentPort.postMessage({ kind: 'begun' })
      ${answers}
    })
    parentPort.postMessage({ kind: 'ready' })`)}`,
  )

describe('on another thread', () => {
  test('the same is found as on this one, whether it is in the index yet or not', async () => {
    const at = library()
    const words = fc.constantFrom('alpha', 'beta', 'gamma', 'alphabet', 'megaalpha', 'Straße', '東京')
    const text = fc.array(words, { minLength: 1, maxLength: 6 }).map((list) => list.join(' '))
    const step = fc.oneof(
      fc.record({ kind: fc.constant('create' as const), text }),
      fc.record({ kind: fc.constant('edit' as const), which: fc.nat(), text }),
      fc.record({ kind: fc.constant('trash' as const), which: fc.nat() }),
      fc.record({ kind: fc.constant('index' as const) }),
      fc.record({ kind: fc.constant('keep' as const) }),
    )
    const query = fc.oneof(text, fc.constantFrom('alp', 'lph', '"beta gamma"', 'be', 'traß'))
    const made: { id: string; number: number }[] = []
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), query, async (steps, query) => {
        for (const step of steps) {
          if (step.kind === 'create') made.push(at.create(step.text))
          if (step.kind === 'index') at.store.searchIndex.write(100)
          // Until then its text is in this process's memory only, or made of the log.
          if (step.kind === 'keep') at.store.deferred.now()
          if (made.length === 0 || !('which' in step)) continue
          const one = made[step.which % made.length]!
          if (step.kind === 'edit') at.edit(one.id, step.text)
          else {
            at.store.trash.put(one)
            made.splice(made.indexOf(one), 1)
          }
        }
        for (const place of ['documents', 'trash'] as const) {
          const request = at.asked(query, place)
          const here = at.store.search.find(request)
          expect(await at.threads.find(request)).toEqual(here)
          expect(at.store.search.findAtOnce(request) ?? here).toEqual(here)
        }
      }),
      { numRuns: 60 },
    )
    expect(at.failures).toEqual([])
  })

  test('what was replaced by a backup is found as it is now', async () => {
    const at = library()
    const { number } = at.create('alpha')
    expect(await at.threads.find(at.asked('alpha'))).toHaveLength(1)
    // As a restore leaves it: the same number and revision, another text.
    at.store.db.prepare('UPDATE keyframes SET content = ? WHERE document = ?').run('gamma', number)
    at.store.db.prepare('UPDATE documents SET hash = hash + 1 WHERE number = ?').run(number)
    expect(await at.threads.find(at.asked('alpha'))).toEqual([])
    expect(await at.threads.find(at.asked('gamma'))).toHaveLength(1)
    expect(at.store.search.find(at.asked('gamma'))).toHaveLength(1)
  })

  test('where there is none, it says so and why', async () => {
    const at = library({ workerUrl: new URL('./no-such-worker.ts', import.meta.url) })
    expect(await at.threads.find(at.asked('alpha'))).toBeUndefined()
    expect(at.failures).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/no-such-worker/) }),
    ])
  })

  test('one that dies is said so, and the next search gets another', async () => {
    const at = library({ workerUrl: workerThat('process.exit(1)') })
    for (let n = 0; n < 2; n++) expect(await at.threads.find(at.asked('alpha'))).toBeUndefined()
    expect(at.failures).toHaveLength(2)
  })

  test('a search that takes too long ends', async () => {
    const at = library({ timeoutMs: 50, workerUrl: workerThat('') })
    await expect(at.threads.find(at.asked('alpha'))).rejects.toBeInstanceOf(TooMuchWork)
  })

  test('an account has only so many waiting, and takes nothing from another', async () => {
    const done = workerThat(`setTimeout(() => parentPort.postMessage({ kind: 'done', result: [] }), 5)`)
    const at = library({ workerUrl: done, queue: { perMember: 2 } })
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 9 }, (_, n) => at.threads.find(at.asked(`alpha ${n}`))),
      at.threads.find({ ...at.asked('alpha'), owner: 'other' }),
    ])
    const refused = outcomes.filter((one) => one.status === 'rejected')
    expect(refused.map(({ reason }) => reason as unknown)).toEqual(Array(6).fill(expect.any(QueueFull)))
    expect(outcomes.at(-1)).toEqual({ status: 'fulfilled', value: [] })
  })

  test('the same that is asked while it waits is looked for once', async () => {
    const counted = workerThat(`
      globalThis.times = (globalThis.times ?? 0) + 1
      setTimeout(() => parentPort.postMessage({ kind: 'done', result: [{ snippet: String(globalThis.times) }] }), 5)`)
    const at = library({ workerUrl: counted, queue: { perMember: 2 } })
    const found = await Promise.all(Array.from({ length: 9 }, () => at.threads.find(at.asked('alpha'))))
    // The first is under way when the others come, which may know of more.
    expect(found.map((rows) => rows?.[0]?.snippet)).toEqual(['1', ...Array<string>(8).fill('2')])
  })

  test('once they are closed, nothing holds the database any more', async () => {
    const at = library()
    at.create('alpha')
    expect(await at.threads.find(at.asked('alpha'))).toHaveLength(1)
    const closed = at.threads.find(at.asked('alpha'))
    const said = expect(closed).rejects.toThrow('closed')
    await at.threads.close()
    await said
    await expect(at.threads.find(at.asked('alpha'))).rejects.toThrow('closed')
    at.store.close()
    // The last connection that is closed takes them along.
    expect(existsSync(`${at.file}-wal`)).toBe(false)
  })
})

describe('what would hold others up isn’t done at once', () => {
  const indexed = (texts: readonly string[]) => {
    const at = testStore()
    for (const text of texts) at.create(text)
    while (at.store.searchIndex.write(100));
    return (query: string) =>
      at.store.search.findAtOnce({ owner: at.owner.id, query, limit: 20, offset: 0 })?.length ?? 'too heavy'
  }
  const often = 'often oftentimes Größe '.repeat(2_000)

  test.each([
    ['often ', 'too heavy'],
    ['often', 'too heavy'],
    ['of', 'too heavy'],
    ['oftentimes now', 'too heavy'],
    ['GRÖSSE ', 0],
    ['größe', 'too heavy'],
    ['"often oftentimes"', 'too heavy'],
    ['ftentime', 'too heavy'],
    ['seldom', 3],
    ['seldom now ', 1],
    ['eldo', 3],
    ['nothing', 0],
  ])('%s', (query, outcome) => {
    const find = indexed([often, often, 'seldom', 'seldom now', 'so seldom'])
    expect(find(query)).toBe(outcome)
  })

  test('words of long texts', () => {
    const find = indexed([`seldom ${often.repeat(10)}`])
    expect(find('often ')).toBe('too heavy')
    // It is read and looked through for what is shown of it.
    expect(find('seldom ')).toBe(1)
  })

  test('much that isn’t in the index yet, and long texts to show', () => {
    const at = testStore()
    const find = (query: string) =>
      at.store.search.findAtOnce({ owner: at.owner.id, query, limit: 20, offset: 0 })?.length ?? 'too heavy'
    const text = (n: number) => `seldom ${`word${n} `.repeat(15_000)}`
    for (let n = 0; n < 9; n++) at.create(text(n))
    expect(find('seldom')).toBe('too heavy')
    while (at.store.searchIndex.write(100));
    expect(find('seldom')).toBe('too heavy')
    expect(find('seldom nothing')).toBe(0)
  })
})
