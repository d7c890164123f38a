import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { holdingBackups } from './holding-backups.ts'
import { holdRestoringCopy, sweepRestoringCopies } from './restoring-copies.ts'
import { testFolder, testStore } from './testing/store.ts'

/** A process that holds a copy, as one that restores does, until it is killed. */
async function holder(folder: string) {
  const url = new URL('./restoring-copies.ts', import.meta.url).href
  const work = `const { holdRestoringCopy } = await import(${JSON.stringify(url)})
    process.stdout.write(holdRestoringCopy(process.argv[1]).file)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', work, folder])
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
