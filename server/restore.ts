import { existsSync, mkdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDataFolder, type DataFolder } from './data-folder.ts'
import { filesBeside } from './backup.ts'
import { CommandError } from './command/command.ts'
import { withStore } from './command/store.ts'
import { syncFolder } from './platform/atomic-file.ts'
import { backUp, openKept, type KeptCopy } from './store/backup.ts'
import { carryBlobsOf } from './store/carry-blobs.ts'
import type { Db } from './store/database.ts'
import { lockFolder } from './store/folder-lock.ts'
import { explainOpening, OpenError } from './store/open-error.ts'
import type { Store } from './store/store.ts'
import { replaceAll, type Restored } from './store/restored-rows.ts'
import { readBackup } from './store/backup-copy.ts'
import { holdRestoringCopy, sweepRestoringCopies } from './store/restoring-copies.ts'

export interface Restoration extends Restored {
  /** Where what was there before is now; null if there was nothing. */
  kept: string | null
  /** How many files of documents are nowhere to be found. */
  missingFiles: number
  /** Why not all of it is in the search index yet; a server sees to that when it can. */
  notIndexed: string | null
  /** Why nobody has looked whether files went while all was replaced. */
  notLookedForFiles: string | null
}

export interface RestoreSteps {
  /** The file is a backup, and nothing has been changed yet. `flaws` says what of Galley's own rules it breaks. */
  onRead?: (flaws: string[]) => unknown
  /** Of keeping what is there now. */
  onProgress?: (done: number, of: number) => void
  /** Ends it, with its reason, as long as nothing is replaced; from then on it only leaves the index to a server. */
  signal?: AbortSignal | undefined
}

/**
 * Puts everything in a data folder back as it was in a backup. What is there now is kept, as a backup or, where it is
 * too damaged for that, as it is. A server may be running unless what is there is damaged.
 * @throws CommandError, OpenError; nothing has been changed then
 */
export async function restoreFrom(
  dataFolder: string,
  file: string,
  { onRead, onProgress, signal }: RestoreSteps = {},
): Promise<Restoration> {
  if (!existsSync(file)) throw new CommandError(`There is no file ${file}.`)
  const files = openDataFolder(dataFolder)
  if (file === path.resolve(files.database))
    throw new CommandError(`${file} is what Galley works on already.`)
  sweepRestoringCopies(files.backups)
  const { file: copy, release } = holdRestoringCopy(files.backups)
  try {
    const flaws = readBackup(file, copy)
    await onRead?.(flaws)
    // Nobody hears a signal before this process has a moment.
    await sleep(0)
    signal?.throwIfAborted()
    const stoppable = (done: number, of: number) => {
      signal?.throwIfAborted()
      onProgress?.(done, of)
    }
    const bringFiles = (progress = onProgress) =>
      carryBlobsOf(copy, [filesBeside(file)], files.files, progress)
    const { missing } = await bringFiles(stoppable)
    const replaced = await replaceBy(copy, files, { onProgress: stoppable, signal })
    // Again: what was there and unused may have been removed while the rest was under way.
    const again = await bringFiles().catch((error: unknown) => ({ missing, why: reasonOf(error, files) }))
    const notLookedForFiles = 'why' in again ? again.why : null
    return { ...replaced, missingFiles: again.missing.length, notLookedForFiles }
  } finally {
    release()
  }
}

type Replaced = Omit<Restoration, 'missingFiles' | 'notLookedForFiles'>
type Steps = Pick<RestoreSteps, 'onProgress' | 'signal'>

async function replaceBy(copy: string, files: DataFolder, steps: Steps): Promise<Replaced> {
  try {
    return await keepAndReplace(copy, files, steps)
  } catch (error) {
    if (!isDamage(error)) throw error
    const kept = setAside(files)
    return { ...(await replaceIn(files, steps, ({ db }) => replaceAll(db, copy))), kept }
  }
}

/**
 * The copy of what is there takes its time, and others write meanwhile; what they wrote is added to it when they no
 * longer can, in the very transaction that replaces everything.
 */
async function keepAndReplace(copy: string, files: DataFolder, steps: Steps): Promise<Replaced> {
  if (!existsSync(files.database))
    return { ...(await replaceIn(files, steps, ({ db }) => replaceAll(db, copy))), kept: null }
  const kept = files.backup('before-restore')
  const replaced = await replaceIn(files, steps, async ({ db }) => {
    const hasChanged = await keepAs(kept, files, db, steps)
    return replaceKept(db, copy, openKept(kept, files.database), hasChanged)
  })
  return { ...replaced, kept }
}

/** Nothing has the name of a backup that isn’t one, even where the process is killed meanwhile. */
async function keepAs(kept: string, { backups }: DataFolder, db: Db, { onProgress, signal }: Steps) {
  const { file, release } = holdRestoringCopy(backups)
  try {
    const hasChanged = await backUp(db, file, onProgress)
    signal?.throwIfAborted()
    renameSync(file, kept)
    syncFolder(backups)
    return hasChanged
  } finally {
    release()
  }
}

/** Once `replace` is done all is restored: what fails after that is said, and no failure of the whole. */
async function replaceIn(
  files: DataFolder,
  { signal }: Steps,
  replace: (store: Store) => Restored | Promise<Restored>,
): Promise<Omit<Replaced, 'kept'>> {
  const done: { restored?: Restored } = {}
  try {
    await withStore(files.folder, async (store) => {
      done.restored = await replace(store)
      await index(store, done.restored, signal)
    })
  } catch (error) {
    if (done.restored) return { ...done.restored, notIndexed: reasonOf(error, files) }
    throw error
  }
  return { ...done.restored!, notIndexed: null }
}

/** As a sentence. */
function reasonOf(error: unknown, files: DataFolder): string {
  const { reason, message } = explainOpening(error, files.database)
  return (reason === 'failed' && error instanceof Error ? error.message : message).replace(/\.?$/, '.')
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
async function index({ searchIndex }: Store, { documents }: Restored, signal: RestoreSteps['signal']) {
  for (let rounds = documents; rounds > 0 && !signal?.aborted; rounds--) {
    const started = performance.now()
    if (!searchIndex.write(10)) return
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
