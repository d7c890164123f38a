import Database from 'better-sqlite3'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { day } from './contract/durations.ts'
import { limits } from './contract/limits.ts'
import type { FreedFiles } from './contract/records/files.ts'
import type { BlobFolder } from './store/blob-folder.ts'
import { usedBlobs, usesBlob } from './store/files.ts'
import { isPipe } from './store/is-pipe.ts'
import type { Store } from './store/store.ts'

interface SweepOptions {
  store: Pick<Store, 'files' | 'write' | 'now'>
  blobs: BlobFolder
  /** The folder of those backups whose files stay where they are. */
  backups: string
  onFailure: (error: unknown) => void
  every?: number
}

/**
 * Removes what no document has used for its days, now and once a day; returns what stops it. What a backup in the data
 * folder refers to stays: bringing that back must bring its files back. While such a backup can't be read, all stays.
 */
export function sweepUnusedFiles(options: SweepOptions): () => void {
  const { onFailure, every = day } = options
  let next: NodeJS.Timeout | undefined
  let isStopped = false
  async function sweep() {
    try {
      await removeUnusedFiles(options)
    } catch (error) {
      onFailure(error)
    }
    if (!isStopped) next = setTimeout(() => void sweep(), every).unref()
  }
  void sweep()
  return () => {
    isStopped = true
    clearTimeout(next)
  }
}

/** Once. */
export async function removeUnusedFiles({
  store,
  blobs,
  backups,
}: Pick<SweepOptions, 'store' | 'blobs' | 'backups'>): Promise<void> {
  await store.write(() => store.files.noteUnused())
  const before = store.now() - limits.unusedFileDays * day
  const strays = blobs.listOlder(before).filter((sha256) => !store.files.knows(sha256))
  const due = [...store.files.listUnused(before), ...strays]
  if (due.length === 0) return
  const kept = blobsOfBackups(backups)
  for (const sha256 of due) {
    if (kept.has(sha256)) continue
    // While nobody else can write: whoever adds the same content now either finds it, or puts it there anew.
    await store.write(() => {
      if (store.files.forget(sha256, before) || !store.files.knows(sha256)) blobs.remove(sha256)
    })
  }
}

/**
 * Removes one content that was noted as unused just now, and hasn't been used since, at once: its bytes inside the transaction
 * that forgets it, as above, and after the one that took it from its last file, so that whatever breaks off leaves no
 * file without its bytes. What a backup in the data folder needs stays, as above.
 * @param since as it was noted
 */
export async function removeUnusedNow(
  { store, blobs, backups }: Pick<SweepOptions, 'store' | 'blobs' | 'backups'>,
  sha256: string,
  since: number,
): Promise<void> {
  let isKept = false
  eachBackup(backups, (db) => (isKept ||= usesBlob(db, sha256)))
  if (isKept) return
  await store.write(() => {
    if (store.files.forgetUnusedSince(sha256, since)) blobs.remove(sha256)
  })
}

/** Removes now what no document uses. What a backup in the data folder needs stays, as above. */
export async function freeUnusedFiles({
  store,
  blobs,
  backups,
}: Pick<SweepOptions, 'store' | 'blobs' | 'backups'>): Promise<FreedFiles> {
  await store.write(() => store.files.noteUnused())
  const before = store.files.unusedKept()
  // What is added and deleted from here on stays for its days.
  const until = store.now() + 1
  const needed = blobsOfBackups(backups)
  for (const sha256 of store.files.listUnused(until)) {
    if (needed.has(sha256)) continue
    await store.write(() => {
      if (store.files.forget(sha256, until)) blobs.remove(sha256)
    })
  }
  const after = store.files.unusedKept()
  return {
    ...{ count: Math.max(0, before.count - after.count), bytes: Math.max(0, before.bytes - after.bytes) },
    ...{ kept_count: after.count, kept_bytes: after.bytes },
  }
}

function blobsOfBackups(folder: string): Set<string> {
  const kept = new Set<string>()
  eachBackup(folder, (db) => {
    for (const { sha256 } of usedBlobs(db)) kept.add(sha256)
  })
  return kept
}

function eachBackup(folder: string, look: (db: Database.Database) => void): void {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.db')) : []
  for (const name of names) {
    const file = path.join(folder, name)
    if (isPipe(file)) continue
    const db = new Database(file, { readonly: true, fileMustExist: true })
    try {
      look(db)
    } finally {
      db.close()
    }
  }
}
