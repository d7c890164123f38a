import Database from 'better-sqlite3'
import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { FromServer, ToServer } from './server-messages.ts'

test('what the database refuses is told as not done, and the server goes on', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-server-process-'))
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never)
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const said: FromServer[] = []
  const parentPort = Object.assign(new EventEmitter(), {
    postMessage: (message: FromServer) => void said.push(message),
  })
  Object.assign(process, { parentPort })
  const tell = (data: ToServer) => parentPort.emit('message', { data })
  const hears = (message: object) =>
    vi.waitFor(() => expect(said).toContainEqual(expect.objectContaining(message)), { timeout: 10_000 })
  onTestFinished(async () => {
    tell({ type: 'close' })
    await vi.waitFor(() => expect(exit).toHaveBeenCalledWith(0), { timeout: 10_000 })
    Reflect.deleteProperty(process, 'parentPort')
    process.removeAllListeners('SIGINT')
    vi.restoreAllMocks()
    rmSync(folder, { recursive: true })
  })

  await import('./server-process.ts')
  tell({ type: 'start', options: { dataFolder: folder, port: 0, sharePort: 0 } })
  await hears({ type: 'ready' })
  // In the place of a disk that is full.
  const db = new Database(path.join(folder, 'galley.db'))
  onTestFinished(() => void db.close())
  db.exec("CREATE TRIGGER full BEFORE INSERT ON stopped_sharing BEGIN SELECT RAISE(FAIL, 'full'); END")
  tell({ type: 'set-sharing', id: 1, stopped: true })
  await hears({ type: 'sharing-set', id: 1, done: false })
  expect(exit).not.toHaveBeenCalled()
  db.exec('DROP TRIGGER full')
  tell({ type: 'set-sharing', id: 2, stopped: true })
  await hears({ type: 'sharing-set', id: 2, done: true })
})
