import { existsSync, mkdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDataFolder, type DataFolder } from './data-folder.ts'
import { filesBeside } from './backup.ts'
import { CommandError } from './command/command.ts'
import { withStore } from './command/store.ts'
import { backUp, openKept, type KeptCopy } from './store/backup.ts'
import { carryBlobsOf } from './store/carry-blobs.ts'
import type { Db } from './store/database.ts'
import { lockFolder } from './store/folder-lock.ts'
import { OpenError } from './store/open-error.ts'
import type { Store } from './store/store.ts'
import { replaceAll, type Restored } from './store/replace-all.ts'
import { readBackup, removeCopy } from './store/restore.ts'

export interface Restoration extends Restored {
  /** Where what was there before is now; null if there was nothing. */
  kept: string | null
  /** How many files of documents are nowhere to be found. */
  missingFiles: number
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
    const bringFiles = () => carryBlobsOf(copy, [filesBeside(file)], files.files, onProgress)
    await bringFiles()
    const restored = await replaceBy(copy, files, onProgress)
    // Again: what was there and unused may have been removed while the rest was under way.
    const { missing } = await bringFiles()
    return { ...restored, missingFiles: missing.length }
  } finally {
    removeCopy(copy)
  }
}

async function replaceBy(
  copy: string,
  files: DataFolder,
  onProgress: RestoreSteps['onProgress'],
): Promise<Omit<Restoration, 'missingFiles'>> {
  try {
    return await keepAndReplace(copy, files, onProgress)
  } catch (error) {
    if (!isDamage(error)) throw error
    const kept = setAside(files)
    const restored = await withStore(files.folder, async (store) => {
      const result = replaceAll(store.db, copy)
      await index(store, result)
      return result
    })
    return { ...restored, kept }
  }
}

/**
 * The copy of what is there takes its time, and others write meanwhile; what they wrote is added to it when they no
 * longer can, in the very transaction that replaces everything.
 */
async function keepAndReplace(
  copy: string,
  files: DataFolder,
  onProgress: RestoreSteps['onProgress'],
): Promise<Omit<Restoration, 'missingFiles'>> {
  const wasThere = existsSync(files.database)
  const kept = files.backup('before-restore')
  return withStore(files.folder, async (store) => {
    const { db } = store
    if (!wasThere) {
      const restored = replaceAll(db, copy)
      await index(store, restored)
      return { ...restored, kept: null }
    }
    const hasChanged = await backUp(db, kept, onProgress)
    const restored = replaceKept(db, copy, openKept(kept, files.database), hasChanged)
    await index(store, restored)
    return { ...restored, kept }
  })
}

function replaceKept(db: Db, copy: string, kept: KeptCopy, hasChanged: () => boolean): Restored {
  try {
    return replaceAll(db, copy, { copy: kept, hasChanged })
  } finally {
    kept.close()
  }
}

/**
 * Leaves others as much time as it takes: they may be saving. What they write meanwhile is a server's to index; to wait
 * until nothing is left might take as long as they write.
 */
async function index({ searchIndex }: Store, { documents }: Restored) {
  for (let rounds = documents; rounds > 0; rounds--) {
    const started = performance.now()
    if (!searchIndex.write(50)) return
    await sleep(performance.now() - started)
  }
}

const isDamage = (error: unknown) =>
  (error instanceof OpenError && error.reason === 'damaged') ||
  /^SQLITE_(CORRUPT|NOTADB)/.test(String((error as { code?: unknown }).code))

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
