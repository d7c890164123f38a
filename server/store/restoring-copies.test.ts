import Database from 'better-sqlite3'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { backUp } from './backup.ts'
import { holdingBackups } from './holding-backups.ts'
import { holdRestoringCopy, sweepRestoringCopies } from './restoring-copies.ts'
import { testFolder, testStore } from './testing/store.ts'

/**
 * A process that holds a copy, as one that restores does, until it is killed; and one that keeps what is there, which it
 * has brought up to what was written since.
 */
async function holder(folder: string, kept = '', database = '') {
  const url = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
  const work = `const { holdRestoringCopy } = await import(${url('./restoring-copies.ts')})
    const { openKept } = await import(${url('./backup.ts')})
    const [, folder, kept, database] = process.argv
    // What nothing refers to would be let go of.
    globalThis.held = [holdRestoringCopy(folder)]
    if (kept) held.push(openKept(kept, database))
    held[1]?.bringUpToDate()
    process.stdout.write(held[0].file)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', work, folder, kept, database])
  onTestFinished(() => void child.kill('SIGKILL'))
  const [file] = (await once(child.stdout, 'data')) as [Buffer]
  return { file: String(file), kill: () => (child.kill('SIGKILL'), once(child, 'close')) }
}

test('a copy that is restored from is looked into, and stays as long as its process', async () => {
  const folder = testFolder()
  const backups = path.join(folder, 'backups')
  mkdirSync(backups)
  const at = testStore({ file: path.join(folder, 'galley.db') })
  const { id } = at.create('with a secret')
  at.store.db.prepare('VACUUM INTO ?').run(path.join(folder, 'whole.db'))
  const { file, kill } = await holder(backups)
  copyFileSync(path.join(folder, 'whole.db'), file)
  writeFileSync(`${file}-journal`, '')
  sweepRestoringCopies(backups)
  expect(existsSync(file)).toBe(true)
  expect(holdingBackups({ folder: backups, id, passage: 'secret' })).toMatchObject({
    holding: [path.basename(file)],
    unread: [],
  })
  await kill()
  // One that is being made meanwhile isn't touched.
  const { file: own, release } = holdRestoringCopy(backups)
  copyFileSync(path.join(folder, 'whole.db'), own)
  sweepRestoringCopies(backups)
  expect(readdirSync(backups).filter((name) => name.endsWith('.db'))).toEqual([path.basename(own)])
  release()
  expect(readdirSync(backups)).toEqual([])
})

test('one that an older Galley left goes after a day', () => {
  const folder = testFolder()
  const left = path.join(folder, '.restoring-123.db')
  const { store } = testStore()
  store.db.prepare('VACUUM INTO ?').run(left)
  sweepRestoringCopies(folder)
  expect(existsSync(left)).toBe(true)
  utimesSync(left, new Date(0), new Date(0))
  sweepRestoringCopies(folder)
  expect(readdirSync(folder)).toEqual([])
})

test('what a killed restore had kept is one plain file again, once no restore is under way', async () => {
  const folder = testFolder()
  const backups = path.join(folder, 'backups')
  mkdirSync(backups)
  const database = path.join(folder, 'galley.db')
  const at = testStore({ file: database })
  const { id } = at.create('early')
  const kept = path.join(backups, 'before-restore-2026.db')
  await backUp(at.store.db, kept)
  at.edit(id, 'late')
  const { kill } = await holder(backups, kept, database)
  sweepRestoringCopies(backups)
  await kill()
  const { release } = holdRestoringCopy(backups)
  sweepRestoringCopies(backups)
  expect(existsSync(`${kept}-wal`)).toBe(true)
  release()
  sweepRestoringCopies(backups)
  expect(readdirSync(backups)).toEqual([path.basename(kept)])
  const alone = path.join(folder, 'alone.db')
  copyFileSync(kept, alone)
  const copy = new Database(alone, { readonly: true })
  onTestFinished(() => void copy.close())
  expect(copy.pragma('journal_mode', { simple: true })).toBe('delete')
  expect(copy.prepare('SELECT max(revision) FROM changes').pluck().get()).toBe(2)
})

test.skipIf(process.platform === 'win32')('a named pipe is waited for by nobody', () => {
  const folder = testFolder()
  for (const name of ['before-restore-2026.db', '.restoring-1.lock', 'other.db'])
    execFileSync('mkfifo', [path.join(folder, name)])
  symlinkSync('other.db', path.join(folder, 'link.db'))
  // In a process of its own, since whoever opens a pipe can’t be interrupted but by killing it.
  const url = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
  const work = `const { isRestoreUnderWay, sweepRestoringCopies } = await import(${url('./restoring-copies.ts')})
    const { holdingBackups } = await import(${url('./holding-backups.ts')})
    const folder = process.argv[1]
    const isUnderWay = isRestoreUnderWay(folder)
    sweepRestoringCopies(folder)
    console.log(JSON.stringify([isUnderWay, holdingBackups({ folder, id: 'one', passage: 'secret' })]))`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', work, folder], {
    timeout: 20_000,
    killSignal: 'SIGKILL',
  })
  expect(String(stdout)).toBe(`[false,{"holding":[],"unread":[],"looked":0}]\n`)
})
