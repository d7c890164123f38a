import type { BackupTask, FromBackup, ToBackup } from './backup-messages.ts'

/** The part of Electron's `UtilityProcess` that a job uses. */
export interface BackupChild {
  postMessage(message: ToBackup): void
  on(event: 'message', listener: (message: FromBackup) => void): unknown
  once(event: 'exit', listener: (code: number) => void): unknown
  kill(): unknown
}

export interface BackupSteps {
  onProgress: (done: number, of: number) => void
  /** Before a restore changes anything: what it needs to have done first. */
  onRead?: () => Promise<void>
}

type Outcome = Extract<FromBackup, { type: 'backed up' | 'restored' }>

/**
 * Has a process of its own back up or restore.
 * @throws what it says of why it can't; nothing has been changed then
 */
export function runBackup(
  child: BackupChild,
  task: BackupTask,
  { onProgress, onRead }: BackupSteps,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    child.on('message', (message) => {
      if (message.type === 'progress') onProgress(message.done, message.of)
      else if (message.type === 'read')
        Promise.resolve(onRead?.()).then(
          () => child.postMessage({ type: 'go on' }),
          // It clears away what it has made, and then refuses.
          (why: unknown) => child.postMessage({ type: 'call off', why: String(why) }),
        )
      else {
        if (message.type === 'refused') reject(new Error(message.message))
        else resolve(message)
        child.kill()
      }
    })
    child.once('exit', (code) => reject(new Error(`It ended before it was done (code ${code}).`)))
    child.postMessage(task)
  })
}
