import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { open, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

interface AtomicFileOptions {
  /** Who may do what with a file that is made; without this, only its own account may read and write it. */
  mode?: number
}

const draftOptions = (mode = 0o600) => ({ flag: 'wx', mode, flush: true }) as const

/**
 * Writes a file all at once: whoever looks, even after a power failure, finds the one before or the whole new one. When
 * it returns, the new one is on the disk.
 * @throws what the file system says; the one before stands as it was
 */
export function writeFileAtomicSync(
  file: string,
  content: string | Uint8Array,
  { mode }: AtomicFileOptions = {},
): void {
  // Always the same name: nothing is left for good where a process was killed meanwhile.
  const draft = `${file}.${process.pid}.part`
  rmSync(draft, { force: true })
  try {
    writeFileSync(draft, content, draftOptions(mode))
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  syncFolder(path.dirname(file))
}

/** As `writeFileAtomicSync`, for what is large: the process does something else meanwhile. */
export async function writeFileAtomic(
  file: string,
  content: string | Uint8Array,
  { mode }: AtomicFileOptions = {},
): Promise<void> {
  const draft = draftBeside(file)
  try {
    await writeFile(draft, content, draftOptions(mode))
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  syncFolder(path.dirname(file))
}

/** Where a file is written before it gets its name: beside it, so that the last step is a rename. */
export const draftBeside = (file: string) =>
  path.join(path.dirname(file), `.galley-${process.pid}-${Date.now()}-${++drafts}.part`)
let drafts = 0
const draftName = /^\.galley-(\d+)-\d+-\d+\.part/

/** Removes the drafts in a folder, and what programs left beside them, of processes that have ended. */
export function removeAbandonedDrafts(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const pid = draftName.exec(name)?.[1]
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(path.join(folder, name), { force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: unknown }).code === 'EPERM'
  }
}

/** So that what was written to it outlasts a power failure. */
export function syncFile(file: string): void {
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/**
 * The same for many, which together take little longer than one. It ends once all have been tried.
 * @throws what the file system says of the first that could not be synced
 */
export async function syncFiles(files: readonly string[]): Promise<void> {
  const synced = files.map(async (file) => {
    await using handle = await open(file, 'r+')
    await handle.sync()
  })
  for (const one of await Promise.allSettled(synced)) if (one.status === 'rejected') throw one.reason
}

/**
 * Gives a whole draft its name. The folder is left to be synced.
 * @returns false if something has that name and may not be replaced
 */
export function putInPlace(draft: string, file: string, replace: boolean): boolean {
  if (!replace) {
    try {
      // Unlike renaming, this never replaces anything.
      linkSync(draft, file)
      unlinkSync(draft)
      return true
    } catch (error) {
      if ((error as { code?: unknown }).code === 'EEXIST') return false
      // File systems without hard links, as on many memory sticks.
      if (existsSync(file)) return false
    }
  }
  renameSync(draft, file)
  return true
}

/** So that the names in it, too, outlast a power failure; not every system lets a folder be synced. */
export function syncFolder(folder: string): void {
  let handle: number | undefined
  try {
    handle = openSync(folder, 'r')
    fsyncSync(handle)
  } catch {
    return
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}
