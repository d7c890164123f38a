import { existsSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { CommandError } from './command/command.ts'
import { withReadableStore } from './command/readable-data.ts'
import { draftBeside, putInPlace, syncFolder } from './platform/atomic-file.ts'
import { backUp } from './store/backup.ts'
import { carryBlobsOf } from './store/carry-blobs.ts'
import { sweepRestoringCopies } from './store/restoring-copies.ts'

/** Where the files of documents go, beside the backup: all backups in one folder share it, so that each is copied once. */
export const filesBeside = (backup: string) => path.join(path.dirname(backup), 'galley-files')

export interface BackedUp {
  /** Of the backup itself. */
  bytes: number
  /** How many files its documents have, and where they are. */
  files: number
  folder: string
  /** How many of these Galley itself doesn't have any more. */
  missing: number
}

export interface BackupWishes {
  /** Whether a file that is there may be replaced. */
  replace: boolean
  onProgress?: (done: number, of: number) => void
}

/**
 * Copies everything in a data folder into one file, and the files of documents into a folder beside it, which
 * `restoreFrom` brings back, beside a server that may be running. Until all is whole and found sound, nothing has the
 * file's name.
 * @throws CommandError, OpenError
 */
export async function backUpTo(
  dataFolder: string,
  file: string,
  { replace, onProgress }: BackupWishes,
): Promise<BackedUp> {
  return withReadableStore(dataFolder, async (store, files) => {
    refuseTarget(file, replace, files.folder)
    sweepRestoringCopies(files.backups)
    const draft = draftBeside(file)
    try {
      await backUp(store.db, draft, onProgress)
      const { wanted, missing } = await carryBlobsOf(draft, [files.files], filesBeside(file), onProgress)
      if (!putInPlace(draft, file, replace)) throw exists(file)
      syncFolder(path.dirname(file))
      return {
        ...{ bytes: statSync(file).size, files: wanted, folder: filesBeside(file) },
        missing: missing.length,
      }
    } catch (error) {
      rmSync(draft, { force: true })
      throw error instanceof CommandError ? error : explain(error, file)
    }
  })
}

const exists = (file: string) =>
  new CommandError(`${file} is there already. Choose another name, or use --force.`)

function refuseTarget(file: string, replace: boolean, folder: string) {
  if (!existsSync(path.dirname(file))) throw new CommandError(`There is no folder ${path.dirname(file)}.`)
  if (!existsSync(file)) return
  if (statSync(file).isDirectory()) throw new CommandError(`${file} is a folder; name a file.`)
  if (!replace) throw exists(file)
  if (path.dirname(file) === path.resolve(folder)) {
    throw new CommandError(`${file} is one of Galley’s own files. Choose another name.`)
  }
}

function explain(error: unknown, file: string): unknown {
  const code = String((error as { code?: unknown }).code)
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') {
    return new CommandError(`There is no room for a backup on the disk that holds ${file}.`)
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code.startsWith('SQLITE_CANTOPEN')) {
    return new CommandError(`${file} can’t be written. Check the permissions of its folder.`)
  }
  return error
}
