import Database from 'better-sqlite3'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, statSync, utimesSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import { draftBeside, putInPlace, removeAbandonedDrafts, syncFolder } from '../platform/atomic-file.ts'
import { usedBlobs, type StoredBlob } from './files.ts'

interface Carried {
  /** How many are there now that weren't. */
  copied: number
  /** Those that are in none of the folders, or damaged in all. */
  missing: string[]
}

/**
 * Sees to it that a folder holds these contents: what isn't there is copied from the first of the other folders that has
 * it undamaged. What is there already is not copied again. All is on the disk when this ends.
 * @throws what the file system says of the folder that is written to
 */
export async function carryBlobs(
  blobs: readonly StoredBlob[],
  from: readonly string[],
  to: string,
  onProgress: (done: number, of: number) => void = () => {},
): Promise<Carried> {
  const carried: Carried = { copied: 0, missing: [] }
  if (blobs.length === 0) return carried
  mkdirSync(to, { recursive: true, mode: 0o700 })
  removeAbandonedDrafts(to)
  const all = blobs.reduce((sum, { size }) => sum + size, 0)
  let done = 0
  for (const blob of blobs) {
    const target = path.join(to, blob.sha256)
    if (sizeOf(target) === blob.size) {
      // What nobody refers to goes a time after it came: this counts as coming.
      utimesSync(target, new Date(), new Date())
    } else if (await copyFromAny(blob, from, target)) carried.copied++
    else carried.missing.push(blob.sha256)
    onProgress((done += blob.size), all)
  }
  syncFolder(to)
  return carried
}

/** The same for all that documents of a database refer to, which may be an older Galley's. */
export async function carryBlobsOf(
  database: string,
  from: readonly string[],
  to: string,
  onProgress?: (done: number, of: number) => void,
): Promise<Carried & { wanted: number }> {
  const db = new Database(database, { readonly: true, fileMustExist: true })
  let blobs: StoredBlob[]
  try {
    blobs = usedBlobs(db)
  } finally {
    db.close()
  }
  return { ...(await carryBlobs(blobs, from, to, onProgress)), wanted: blobs.length }
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size

async function copyFromAny(blob: StoredBlob, from: readonly string[], target: string): Promise<boolean> {
  for (const folder of from) {
    const source = path.join(folder, blob.sha256)
    if (path.resolve(source) !== path.resolve(target) && (await copyWhole(source, target, blob))) return true
  }
  return false
}

/** @returns false where there is nothing to read, or it isn't what its name says */
async function copyWhole(source: string, target: string, { sha256, size }: StoredBlob): Promise<boolean> {
  if (sizeOf(source) !== size) return false
  const draft = draftBeside(target)
  const hash = createHash('sha256')
  try {
    await using output = await open(draft, 'wx', 0o600)
    for await (const part of readParts(source)) {
      if (part === null) return false
      hash.update(part)
      await output.writeFile(part)
    }
    if (hash.digest('hex') !== sha256) return false
    await output.sync()
    putInPlace(draft, target, true)
    return true
  } finally {
    if (existsSync(draft)) await rm(draft, { force: true })
  }
}

const partBytes = 1024 * 1024

/** null where the file can't be read on: what can't be written is another matter, and thrown. */
async function* readParts(file: string): AsyncGenerator<Buffer | null> {
  try {
    await using handle = await open(file, 'r')
    const buffer = Buffer.allocUnsafe(partBytes)
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, partBytes)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } catch {
    yield null
  }
}

/** @returns of these contents those that a folder doesn't hold, and those that aren't what their names say */
export async function checkBlobs(
  blobs: readonly StoredBlob[],
  folder: string,
  onProgress: (done: number, of: number) => void = () => {},
): Promise<{ missing: Set<string>; damaged: Set<string> }> {
  const found = { missing: new Set<string>(), damaged: new Set<string>() }
  for (const [index, { sha256 }] of blobs.entries()) {
    const file = path.join(folder, sha256)
    if (!existsSync(file)) found.missing.add(sha256)
    else if ((await hashOf(file)) !== sha256) found.damaged.add(sha256)
    onProgress(index + 1, blobs.length)
  }
  return found
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of readParts(file)) hash.update(part ?? 'unreadable')
  return hash.digest('hex')
}
