import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { runBackup, type BackupChild } from './backup-job.ts'
import type { FromBackup, ToBackup } from './backup-messages.ts'

class Child extends EventEmitter implements BackupChild {
  told: ToBackup[] = []
  killed = false
  postMessage(message: ToBackup) {
    this.told.push(message)
  }
  says(message: FromBackup) {
    this.emit('message', message)
  }
  kill() {
    this.killed = true
    this.emit('exit', 143)
  }
}

const restore = { type: 'restore', dataFolder: '/notes', file: '/old.db' } as const
const made = { bytes: 4096, files: 0, folder: '/galley-files', missing: 0 }
const restored = {
  type: 'restored',
  restoration: {
    documents: 2,
    kept: '/notes/backups/x.db',
    revivedLinks: 0,
    revivedKeys: 0,
    missingFiles: 0,
    notIndexed: null,
    notLookedForFiles: null,
  },
} as const

test('a backup tells how far it is, and ends its process when it is done', async () => {
  const child = new Child()
  const heard: number[][] = []
  const backup = { type: 'back up', dataFolder: '/notes', file: '/new.db' } as const
  const outcome = runBackup(child, backup, { onProgress: (...at) => heard.push(at) })
  child.says({ type: 'progress', done: 1, of: 2 })
  child.says({ type: 'backed up', backup: made })
  expect(await outcome).toEqual({ type: 'backed up', backup: made })
  expect(heard).toEqual([[1, 2]])
  expect(child.told).toEqual([backup])
  expect(child.killed).toBe(true)
})

test('a restore waits until what it needs has been done', async () => {
  const child = new Child()
  const made = Promise.withResolvers<void>()
  const outcome = runBackup(child, restore, { onProgress() {}, onRead: () => made.promise })
  child.says({ type: 'read' })
  await Promise.resolve()
  expect(child.told).toEqual([restore])
  made.resolve()
  await expect.poll(() => child.told).toEqual([restore, { type: 'go on' }])
  child.says(restored)
  expect(await outcome).toEqual(restored)
})

test('a restore is called off where that can’t be done, and its process clears up before it ends', async () => {
  const child = new Child()
  const steps = { onProgress() {}, onRead: () => Promise.reject(new Error('no')) }
  const outcome = runBackup(child, restore, steps)
  child.says({ type: 'read' })
  await expect.poll(() => child.told.at(-1)).toEqual({ type: 'call off', why: 'Error: no' })
  expect(child.killed).toBe(false)
  child.says({ type: 'refused', message: 'Error: no' })
  await expect(outcome).rejects.toThrow('no')
})

test('what is refused is said in the process’s words', async () => {
  const child = new Child()
  const outcome = runBackup(child, restore, { onProgress() {} })
  child.says({ type: 'refused', message: 'It is not a backup.' })
  await expect(outcome).rejects.toThrow('It is not a backup.')
})

test('a process that ends before it is done is said', async () => {
  const child = new Child()
  const outcome = runBackup(child, restore, { onProgress() {} })
  child.emit('exit', 9)
  await expect(outcome).rejects.toThrow('code 9')
})
