import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { expect, test } from 'vitest'
import { checkDatabase } from './check.ts'
import { testFolder, testStore } from './testing/store.ts'

/** Where the log of the database ended when all up to then was acknowledged. */
interface Moment {
  walBytes: number
  /** By document: all texts it has had, oldest first. */
  texts: Map<string, string[]>
}

/** Writes, with keyframes of every kind among it; each commit is synced before it is acknowledged. */
function write(file: string): Moment[] {
  const at = testStore({ file })
  // All that is written stays in the log, in order.
  at.store.db.pragma('wal_autocheckpoint = 0')
  const texts = new Map<string, string[]>()
  const moments: Moment[] = []
  const acknowledge = () =>
    moments.push({
      walBytes: statSync(`${file}-wal`).size,
      texts: new Map([...texts].map(([id, all]) => [id, [...all]])),
    })
  acknowledge()
  const change = (id: string, text: string) => {
    at.clock.at += 1_000
    at.edit(id, text)
    texts.get(id)!.push(text)
    acknowledge()
  }
  for (let n = 0; n < 4; n++) {
    const text = `Document ${n}.\n`.repeat(n * 50 + 1)
    const { id } = at.create(text)
    texts.set(id, [text])
    acknowledge()
    for (let i = 0; i < 6; i++) change(id, `${texts.get(id)!.at(-1)}Line ${i}.\n`)
    at.store.deferred.now()
    acknowledge()
    // More than an entry holds: with a keyframe, and by its shape only.
    change(id, `${String(n)} large `.repeat(10_000))
    change(id, `${String(n)} large `.repeat(10_000).slice(9))
    change(id, 'short again')
    at.store.deferred.now()
    acknowledge()
  }
  // What a running server has is on the disk; nothing is written by closing.
  copyFileSync(file, `${file}.cut`)
  copyFileSync(`${file}-wal`, `${file}.cut-wal`)
  return moments
}

test('a power cut at any moment leaves every text that was acknowledged, and a sound database', () => {
  const folder = testFolder()
  const file = path.join(folder, 'galley.db')
  const moments = write(file)
  const wal = readFileSync(`${file}.cut-wal`)
  expect(wal.length).toBe(moments.at(-1)!.walBytes)
  let images = 0
  for (let i = 0; i < 60; i++) {
    const cut = Math.floor(((i + Math.random()) / 60) * wal.length)
    const known = moments.findLast(({ walBytes }) => walBytes <= cut)
    if (!known) continue
    const image = path.join(folder, `image-${i}.db`)
    copyFileSync(`${file}.cut`, image)
    // Beyond what was synced there may be anything.
    const torn = i % 3 === 0 ? randomBytes(Math.min(5_000, wal.length - cut)) : Buffer.alloc(0)
    writeFileSync(`${image}-wal`, Buffer.concat([wal.subarray(0, cut), torn]))
    const { store, textAt } = testStore({ file: image })
    expect(checkDatabase(store.db).findings).toEqual([])
    for (const [id, texts] of known.texts) {
      expect(store.documents.find(id)!.revision).toBeGreaterThanOrEqual(texts.length)
      for (const [k, text] of texts.entries()) expect(textAt(id, k + 1) === text).toBe(true)
    }
    images++
    store.close()
  }
  expect(images).toBeGreaterThan(40)
})
