import { existsSync, statSync } from 'node:fs'
import { dataFolder, openDataFolder, type DataFolder } from '../data-folder.ts'
import { openDatabase, currentSchema, schemaVersion } from '../store/database.ts'
import { lockFolder } from '../store/folder-lock.ts'
import { migrationProgress } from '../store/migration-progress.ts'
import { openStore, type Store } from '../store/store.ts'
import type { UserRow } from '../store/users.ts'
import { CommandError } from './command.ts'

/** Runs `work` on the store of a data folder, which is made if it isn't there, beside a server that may be running. */
export async function withStore<T>(
  folder: string,
  work: (store: Store, files: DataFolder) => Promise<T> | T,
): Promise<T> {
  const files = openDataFolder(folder)
  const store = openBeside(files)
  try {
    // The machine's own user is always the first one, also when a command is what makes the database.
    store.users.owner()
    return await work(store, files)
  } finally {
    store.close()
  }
}

/** Like `withStore`, for commands that have nothing to do where there is no data. */
export function withPresentStore<T>(
  folder: string,
  work: (store: Store, files: DataFolder) => Promise<T> | T,
): Promise<T> {
  requireData(folder)
  return withStore(folder, work)
}

/** @throws CommandError if the folder holds no database, or can't be looked into */
export function requireData(folder: string): DataFolder {
  const files = dataFolder(folder)
  try {
    statSync(files.database)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ENOENT', 'ENOTDIR'].includes(code)) throw new CommandError(`There is no Galley data in ${folder}.`)
    throw new CommandError(
      `Whether there is Galley data in ${folder} can’t be seen (${code}). Check who may read it.`,
    )
  }
  return files
}

function openBeside(files: DataFolder): Store {
  const open = () =>
    openStore({
      file: files.database,
      backupBeforeMigration: files.migrationBackup,
      onMigration: migrationProgress((message) => process.stderr.write(`${message}\n`)),
    })
  if (!isOld(files)) return open()
  // A server that is running has an older Galley's expectations of the tables.
  const lock = lockFolder(
    files.lock,
    () => `${files.describeHolder()} It is older than this command; stop it first.`,
  )
  try {
    return open()
  } finally {
    lock.release()
  }
}

function isOld(files: DataFolder): boolean {
  if (!existsSync(files.database)) return false
  const db = openDatabase({ file: files.database, readonly: true })
  try {
    const version = schemaVersion(db)
    return version > 0 && version < currentSchema
  } finally {
    db.close()
  }
}

/**
 * The user of `--user`, by id or by name; the machine's own one if none is named.
 * @throws CommandError if there is none, or more than one
 */
export function getUser(store: Store, wanted: unknown): UserRow {
  if (typeof wanted !== 'string') return store.users.owner()
  const byId = store.users.find(wanted)
  if (byId) return byId
  const [user, ...others] = store.users.listByName(wanted)
  if (user && others.length === 0) return user
  if (user) {
    const ids = [user, ...others].map((one) => one.id).join(', ')
    throw new CommandError(`There are ${others.length + 1} users called “${wanted}”; name one by id: ${ids}.`)
  }
  const names = store.users.list().map((one) => `“${one.name}”`)
  throw new CommandError(
    `There is no user “${wanted}”. There ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}.`,
  )
}
