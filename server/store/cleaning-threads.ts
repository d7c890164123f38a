import { hour } from '../contract/durations.ts'
import type { Turn } from '../threads/fair-queue.ts'
import { WorkerPool } from '../threads/worker-pool.ts'
import type { CleaningJob, CleaningResult } from './cleaning-worker.ts'
import type { BackupSearch, HoldingBackups } from './holding-backups.ts'

const besideThisFile = new URL(
  import.meta.url.endsWith('.ts') ? './cleaning-worker.ts' : './cleaning-worker.mjs',
  import.meta.url,
)
const turn: Turn = { document: '', member: 'cleaning', guest: false }

/** What goes through whole files after something was forgotten, on a thread of its own. */
export function createCleaningThreads() {
  const pool = new WorkerPool<CleaningJob, CleaningResult>({
    name: 'cleaning',
    timeoutOf: () => hour,
    maxMemoryMb: 1_024,
    idleMs: 1_000,
    workerUrl: besideThisFile,
  })
  async function ask(job: CleaningJob): Promise<CleaningResult> {
    const answer = await pool.ask(job, turn, 0)
    if (answer.kind === 'limited')
      throw new Error(`there was not enough ${answer.limit} to go through the files`)
    return answer.result
  }
  return {
    /** Makes the database’s files anew, without anything that was deleted. */
    cleanFiles: async (file: string): Promise<void> => void (await ask({ kind: 'files', file })),
    findInBackups: async (search: BackupSearch): Promise<HoldingBackups> => {
      const { holding, unread, looked } = (await ask({ kind: 'backups', ...search })) as HoldingBackups &
        CleaningResult
      return { holding, unread, looked }
    },
    close: () => pool.close(),
  }
}
export type CleaningThreads = ReturnType<typeof createCleaningThreads>
