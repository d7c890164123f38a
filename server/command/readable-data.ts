import { accessSync, chmodSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { DataFolder } from '../data-folder.ts'
import { isFull } from '../store/database-trouble.ts'
import { isLocked } from '../store/folder-lock.ts'
import { openStore, type Store } from '../store/store.ts'
import { CommandError } from './command.ts'
import { requireData, withPresentStore } from './store.ts'

interface Reading {
  /** Whether files can be made in the folder. */
  isWritable?: (folder: string) => boolean
}

/**
 * For commands that only read. SQLite needs files beside the database even for that; where none can be made, as on a
 * disk that is read-only, what is read is a copy in a temporary folder.
 */
export async function withReadableData<T>(
  folder: string,
  work: (files: DataFolder, isCopy: boolean) => Promise<T> | T,
  { isWritable = canWriteIn }: Reading = {},
): Promise<T> {
  const files = requireData(folder)
  if (isWritable(folder)) return work(files, false)
  // Pages that somebody is writing don't belong together in a copy.
  if (isLocked(files.lock)) throw new CommandError(files.describeHolder())
  const copies = mkdtempSync(path.join(tmpdir(), 'galley-'))
  try {
    return await work({ ...files, database: copyInto(copies, files.database) }, true)
  } finally {
    rmSync(copies, { recursive: true, force: true })
  }
}

/** The same with the store, which is closed afterwards. */
export const withReadableStore = <T>(
  folder: string,
  work: (store: Store, files: DataFolder) => Promise<T> | T,
  reading?: Reading,
): Promise<T> =>
  withReadableData(
    folder,
    async (files, isCopy) => {
      if (!isCopy) return withPresentStore(folder, work)
      const store = openStore({ file: files.database })
      try {
        return await work(store, files)
      } finally {
        store.close()
      }
    },
    reading,
  )

function canWriteIn(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function copyInto(folder: string, database: string): string {
  const copy = path.join(folder, path.basename(database))
  try {
    // The second one has what isn't in the first yet.
    for (const part of ['', '-wal'])
      if (existsSync(database + part)) {
        copyFileSync(database + part, copy + part)
        chmodSync(copy + part, 0o600)
      }
  } catch (error) {
    if (!isFull(error)) throw error
    throw new CommandError(
      `Nothing can be written beside ${database}, and there is no room for a copy of it in ${folder}.`,
    )
  }
  return copy
}
