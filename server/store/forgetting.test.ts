import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createCleaner } from '../cleaning.ts'
import { checkDatabase } from './check.ts'
import { createCleaningThreads } from './cleaning-threads.ts'
import { testFolder, testStore } from './testing/store.ts'

const secret = 'zebra-crossing-77'

/** Cleans a database's files as a running server does. */
async function clean(file: string): Promise<void> {
  const { store } = testStore({ file })
  const threads = createCleaningThreads()
  const failures: unknown[] = []
  const cleaner = createCleaner({
    store,
    cleanFiles: () => threads.cleanFiles(file),
    onFailure: (error) => failures.push(error),
  })
  cleaner.soon()
  await expect.poll(() => cleaner.state(), { timeout: 30_000 }).toEqual({ clean: true, fails: false })
  cleaner.close()
  await threads.close()
  expect(failures).toEqual([])
  expect(checkDatabase(store.db).findings).toEqual([])
  store.close()
}
const isHeld = (file: string, word: string) =>
  [file, `${file}-wal`].some((one) => existsSync(one) && readFileSync(one).includes(word))

test('a kill at any moment of forgetting leaves all of it to be forgotten, or what is left to clean', async () => {
  const folder = testFolder()
  const file = path.join(folder, 'galley.db')
  const at = testStore({ file })
  const { id } = at.create(`Before.\n\n${secret}\n\nAfter.\n`)
  for (let n = 0; n < 20; n++) at.edit(id, `Before ${n}.\n\n${secret}\n\nAfter ${n}.\n`)
  const today = 'Before.\n\nAfter.\n'
  at.edit(id, today)
  at.store.deferred.now()
  at.store.db.pragma('wal_checkpoint(TRUNCATE)')
  at.store.db.pragma('wal_autocheckpoint = 0')
  at.store.transaction(() => at.store.forgetting.passage(at.get(id), secret))
  for (const part of at.store.cleanIndexes()) at.store.transaction(part)
  copyFileSync(file, `${file}.cut`)
  const wal = readFileSync(`${file}-wal`)
  at.store.close()
  let [whole, begun] = [0, 0]
  for (let i = 0; i <= 12; i++) {
    const image = path.join(folder, `image-${i}.db`)
    copyFileSync(`${file}.cut`, image)
    writeFileSync(`${image}-wal`, wal.subarray(0, Math.floor((wal.length * i) / 12)))
    const cut = testStore({ file: image })
    const isBegun = cut.store.forgetting.due() !== null
    const texts = Array.from({ length: 22 }, (_, n) => cut.textAt(id, n + 1)!)
    expect(texts.at(-1)).toBe(today)
    expect(texts.slice(0, -1).every((text) => text.includes(secret) === !isBegun)).toBe(true)
    expect(checkDatabase(cut.store.db).findings).toEqual([])
    cut.store.close()
    if (isBegun) begun++
    else whole++
    if (!isBegun || i % 4 !== 0) continue
    await clean(image)
    expect(isHeld(image, secret)).toBe(false)
  }
  expect(Math.min(whole, begun)).toBeGreaterThan(0)
})

test('a library of release 0.1 forgets its past, and one passage, as any other', async () => {
  const file = path.join(testFolder(), 'galley.db')
  writeFileSync(file, gunzipSync(readFileSync(path.join(import.meta.dirname, 'testing/library-0.1.db.gz'))))
  const at = testStore({ file })
  const ids = at.store.db.prepare<[], string>('SELECT id FROM documents').pluck().all()
  const changed: { id: string; today: string }[] = []
  for (const id of ids) {
    const document = at.store.documents.find(id)
    if (!document) continue
    const today = document.text.whole
    at.edit(id, `${today}\n${secret}\n`)
    at.edit(id, today)
    changed.push({ id, today })
    const outcome = at.store.transaction(() => at.store.forgetting.passage(at.get(id), secret))
    expect(outcome).toMatchObject({ stands: false, found: 1 })
    if (changed.length % 2 === 0)
      at.store.transaction(() => at.store.forgetting.before(at.get(id), at.get(id).revision))
  }
  expect(changed.length).toBeGreaterThan(1)
  expect(checkDatabase(at.store.db).findings).toEqual([])
  at.store.close()
  await clean(file)
  expect(isHeld(file, secret)).toBe(false)
  const again = testStore({ file })
  for (const { id, today } of changed) expect(again.get(id).text.whole).toBe(today)
})
