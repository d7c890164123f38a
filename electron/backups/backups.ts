import { app, BrowserWindow, dialog, utilityProcess } from 'electron'
import path from 'node:path'
import { runBackup, type BackupSteps } from './backup-job.ts'
import type { BackupTask } from './backup-messages.ts'
import { notice, showProgress } from './backup-progress.ts'
import type { BackedUp, Restoration } from '../../server/index.ts'
import type { WindowNotices } from '../notifications/notices.ts'

export interface BackupsOptions {
  dataFolder: string
  notices: WindowNotices
  /** Before a restore changes anything: pages save what they have, and the server lets go of the database. */
  makeWay: () => Promise<void>
  /** After a restore, whether or not it changed anything. */
  comeBack: (isRestored: boolean) => void
}

export interface Backups {
  /** Asks where to, and backs up. */
  backUp(): Promise<void>
  /** Asks what from, and restores. */
  restore(): Promise<void>
  /** Resolves when nothing is being backed up or restored. */
  done(): Promise<void>
}

/** Backing up and restoring, as a person in front of a window does it. */
export function createBackups({ dataFolder, notices, makeWay, comeBack }: BackupsOptions): Backups {
  let going: Promise<void> | undefined
  let working: Promise<unknown> | undefined

  /** One at a time: who asks for another meanwhile gets the one that goes on. */
  function once(work: () => Promise<void>): Promise<void> {
    going ??= work().finally(() => (going = undefined))
    return going
  }

  function run(task: BackupTask, steps: BackupSteps) {
    const child = utilityProcess.fork(path.join(import.meta.dirname, 'backup.mjs'), [], {
      serviceName: 'Galley backup',
      stdio: 'inherit',
    })
    const outcome = runBackup(child, task, steps)
    working = outcome.catch(() => {})
    return outcome
  }

  const ask = <Wishes, Answer>(
    dialogs: ((window: BrowserWindow, wishes: Wishes) => Answer) & ((wishes: Wishes) => Answer),
    wishes: Wishes,
  ): Answer => {
    const window = BrowserWindow.getFocusedWindow()
    return window ? dialogs(window, wishes) : dialogs(wishes)
  }

  const complain = (message: string, why: unknown) =>
    ask(dialog.showMessageBox, {
      type: 'error',
      message,
      detail: `${why instanceof Error ? why.message : String(why)}\n\nNothing was changed.`,
    })

  async function backUpTo(file: string) {
    const progress = showProgress(notices, 'Backing up…')
    try {
      const outcome = await run({ type: 'back up', dataFolder, file }, { onProgress: progress.at })
      progress.end()
      if (outcome.type !== 'backed up') return
      const { files, folder, missing }: BackedUp = outcome.backup
      const beside = files === 0 ? '' : `, with pictures and files in ${folder}: keep both together.`
      const lost =
        missing === 0 ? '' : ` ${missing} of them could not be copied, being missing or damaged here.`
      notices.say({ id: notice, kind: 'done', text: 'Backed up', detail: `${file}${beside}${lost}` })
    } catch (error) {
      progress.end()
      notices.withdraw(notice)
      await complain('The backup could not be made', error)
    }
  }

  async function restoreFrom(file: string) {
    const progress = showProgress(notices, 'Restoring…')
    let madeWay = false
    try {
      const steps = {
        onProgress: progress.at,
        async onRead() {
          madeWay = true
          await makeWay()
        },
      }
      const outcome = await run({ type: 'restore', dataFolder, file }, steps)
      progress.end()
      if (outcome.type === 'restored') tell(outcome.restoration)
      comeBack(true)
    } catch (error) {
      progress.end()
      notices.withdraw(notice)
      if (madeWay) comeBack(false)
      await complain('The backup was not restored', error)
    }
  }

  function tell({ documents, kept, revivedLinks, missingFiles, notLookedForFiles }: Restoration) {
    const lost =
      missingFiles === 0
        ? ''
        : ` ${missingFiles === 1 ? 'A file of these documents is' : `${missingFiles} files of these documents are`} missing: put “galley-files” beside the backup and restore again.`
    const unseen =
      notLookedForFiles === null
        ? ''
        : ` Whether all its files are still here could not be seen: ${notLookedForFiles}`
    const links = revivedLinks === 1 ? 'A share link works' : `${revivedLinks} share links work`
    const revived = revivedLinks === 0 ? '' : ` ${links} again; revoke what shouldn’t.`
    notices.say(
      {
        id: notice,
        kind: 'done',
        text: documents === 1 ? 'Restored 1 document' : `Restored ${documents} documents`,
        detail: (kept === null ? '' : `What was there before is kept in ${kept}.`) + revived + lost + unseen,
        // What was too damaged to be backed up is kept as it was, in a folder: there is no way back to that.
        ...(kept?.endsWith('.db') ? { action: 'Undo' } : {}),
      },
      () => kept !== null && void once(() => restoreFrom(kept)),
    )
  }

  const filters = [
    { name: 'Galley backup', extensions: ['db'] },
    { name: 'All files', extensions: ['*'] },
  ]
  return {
    backUp: () =>
      once(async () => {
        // In Sweden days are written so.
        const name = `Galley backup ${new Date().toLocaleDateString('sv')}.db`
        const { canceled, filePath } = await ask(dialog.showSaveDialog, {
          title: 'Back up everything',
          defaultPath: path.join(app.getPath('documents'), name),
          filters,
        })
        if (!canceled && filePath) await backUpTo(filePath)
      }),
    restore: () =>
      once(async () => {
        const { canceled, filePaths } = await ask(dialog.showOpenDialog, {
          title: 'Restore from a backup',
          message: 'What is there now is kept.',
          buttonLabel: 'Restore',
          defaultPath: path.join(dataFolder, 'backups'),
          filters,
          properties: ['openFile'],
        })
        const [file] = filePaths
        if (!canceled && file !== undefined) await restoreFrom(file)
      }),
    done: async () => {
      await working
    },
  }
}
