import { parentPort } from 'node:worker_threads'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import type { WorkerReply } from '../threads/worker-thread.ts'
import { isBusy } from './database-trouble.ts'
import { holdingBackups, type BackupSearch, type HoldingBackups } from './holding-backups.ts'

export type CleaningJob = { kind: 'files'; file: string } | ({ kind: 'backups' } & BackupSearch)
export type CleaningResult = { kind: 'files' } | ({ kind: 'backups' } & HoldingBackups)

const port = parentPort
if (!port) throw new Error('the cleaning worker runs in a worker thread')

/** So often it is tried again while others read or write. */
const tries = 200

/**
 * Makes the database's file anew, of what is in its tables and nothing else, and empties the log beside it. Readers go on
 * meanwhile; who writes waits.
 */
async function cleanFiles(file: string): Promise<void> {
  const db = new Database(file, { fileMustExist: true, timeout: 1_000 })
  try {
    db.pragma('synchronous = FULL')
    db.pragma('secure_delete = ON')
    await patiently(() => db.exec('VACUUM'))
    await patiently(() => {
      const [state] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
      return state?.busy === 0
    })
  } finally {
    db.close()
  }
}

async function patiently(attempt: () => unknown): Promise<void> {
  for (let left = tries; ; left--) {
    try {
      if (attempt() !== false) return
      if (left === 0) throw new Error('others read the database all the time')
    } catch (error) {
      if (!isBusy(error) || left === 0) throw error
    }
    await sleep(50)
  }
}

const reply = (message: WorkerReply<CleaningResult>): void => port.postMessage(message)

async function work(job: CleaningJob): Promise<CleaningResult> {
  if (job.kind === 'backups') return { kind: 'backups', ...holdingBackups(job) }
  await cleanFiles(job.file)
  return { kind: 'files' }
}

port.on('message', (job: CleaningJob) => {
  reply({ kind: 'begun' })
  work(job).then(
    (result) => reply({ kind: 'done', result }),
    (error: unknown) =>
      reply({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  )
})
reply({ kind: 'ready' })
