import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { day } from './contract/durations.ts'
import type { StoredFile } from './contract/records/files.ts'
import { backUp } from './store/backup.ts'
import { createTestGalley } from './testing/galley.ts'
import { removeUnusedFiles } from './unused-files.ts'

test('what nothing has used for 30 days goes, unless a backup in the data folder needs it', async () => {
  const galley = await createTestGalley()
  const backups = mkdtempSync(path.join(tmpdir(), 'galley-backups-'))
  onTestFinished(async () => {
    rmSync(backups, { recursive: true })
    await galley.close()
  })
  const { store, blobs } = galley.context
  const { id } = await galley.newDocument({ content: 'A proof.' })
  const url = `/api/documents/${id}/files`
  const as = galley.as.owner
  const add = async (name: string, words: string) => {
    const headers = { 'content-type': 'application/octet-stream' }
    const body = Buffer.from(words)
    return (await galley.call('POST', `${url}?name=${name}`, { as, body, headers })).data as StoredFile
  }
  const drop = (file: StoredFile) => galley.call('DELETE', `${url}/${file.id}`, { as })
  const later = async (days: number) => {
    galley.clock.now += days * day
    await removeUnusedFiles({ store, blobs, backups })
  }
  const is = (...files: StoredFile[]) => files.map(({ sha256 }) => blobs.has(sha256))

  const kept = await add('kept', 'stays')
  const dropped = await add('dropped', 'goes')
  const trashed = await add('trashed', 'is in a backup')
  await backUp(store.db, path.join(backups, 'before.db'))
  await drop(dropped)
  await drop(trashed)
  await later(0)
  await later(29)
  expect(is(kept, dropped, trashed)).toEqual([true, true, true])
  // Used again before its time, it begins anew.
  await drop(await add('again', 'goes'))
  await later(0)
  await later(29)
  expect(is(kept, dropped, trashed)).toEqual([true, true, true])
  rmSync(path.join(backups, 'before.db'))
  await later(2)
  expect(is(kept, dropped, trashed)).toEqual([true, false, false])

  // Bytes that nothing knows of, as a kill leaves them.
  const stray = { sha256: 'a'.repeat(64) } as StoredFile
  const file = path.join(galley.filesFolder, stray.sha256)
  writeFileSync(file, 'nobody’s')
  const at = new Date(galley.clock.now)
  utimesSync(file, at, at)
  await later(29)
  expect(is(stray)).toEqual([true])
  await later(2)
  expect(is(kept, stray)).toEqual([true, false])
  await add('new', 'goes')
  expect(is(dropped)).toEqual([true])
})
