import { existsSync, mkdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { openDataFolder, type DataFolder } from './data-folder.ts'
import { CommandError } from './command/command.ts'
import { withStore } from './command/store.ts'
import { backUp } from './store/backup.ts'
import { lockFolder } from './store/folder-lock.ts'
import { OpenError } from './store/open-error.ts'
import { readBackup, removeCopy, replaceAll, type Restored } from './store/restore.ts'

export interface Restoration extends Restored {
  /** Where what was there before is now; null if there was nothing. */
  kept: string | null
}

export interface RestoreSteps {
  /** The file is a backup, and nothing has been changed yet. `flaws` says what of Galley's own rules it breaks. */
  onRead?: (flaws: string[]) => unknown
  /** Of keeping what is there now. */
  onProgress?: (done: number, of: number) => void
}

/**
 * Puts everything in a data folder back as it was in a backup. What is there now is kept, as a backup or, where it is
 * too damaged for that, as it is. A server may be running unless what is there is damaged.
 * @throws CommandError, OpenError; nothing has been changed then
 */
export async function restoreFrom(
  dataFolder: string,
  file: string,
  { onRead, onProgress }: RestoreSteps = {},
): Promise<Restoration> {
  if (!existsSync(file)) throw new CommandError(`There is no file ${file}.`)
  const files = openDataFolder(dataFolder)
  if (file === path.resolve(files.database))
    throw new CommandError(`${file} is what Galley works on already.`)
  const copy = path.join(files.backups, `.restoring-${process.pid}.db`)
  try {
    const flaws = readBackup(file, copy)
    await onRead?.(flaws)
    return await replaceBy(copy, files, onProgress)
  } finally {
    removeCopy(copy)
  }
}

async function replaceBy(
  copy: string,
  files: DataFolder,
  onProgress: RestoreSteps['onProgress'],
): Promise<Restoration> {
  let kept = existsSync(files.database) ? await keepPresent(files, onProgress) : null
  const replace = () =>
    withStore(files.folder, (store) => {
      const result = replaceAll(store.db, copy)
      while (store.search.index(200));
      return result
    })
  try {
    return { ...(await replace()), kept }
  } catch (error) {
    if (!isDamage(error)) throw error
    kept = setAside(files)
    return { ...(await replace()), kept }
  }
}

const isDamage = (error: unknown) =>
  (error instanceof OpenError && error.reason === 'damaged') ||
  /^SQLITE_(CORRUPT|NOTADB)/.test(String((error as { code?: unknown }).code))

/** Backs up what is there now; if it is too damaged for that, it is set aside as it is. Where it is now. */
async function keepPresent(files: DataFolder, onProgress: RestoreSteps['onProgress']): Promise<string> {
  const kept = files.backup('before-restore')
  try {
    await withStore(files.folder, (store) => backUp(store.db, kept, onProgress))
    return kept
  } catch (error) {
    if (!isDamage(error)) throw error
    return setAside(files)
  }
}

/** Moves a damaged database away, which only works while nobody uses it. */
function setAside(files: DataFolder): string {
  const lock = lockFolder(
    files.lock,
    () => `${files.describeHolder()} Its database is damaged; stop it first, then restore again.`,
  )
  try {
    const folder = files.backup('damaged').replace(/\.db$/, '')
    mkdirSync(folder, { mode: 0o700 })
    for (const ending of ['', '-wal', '-shm']) {
      const part = files.database + ending
      if (existsSync(part)) renameSync(part, path.join(folder, path.basename(part)))
    }
    return folder
  } finally {
    lock.release()
  }
}
