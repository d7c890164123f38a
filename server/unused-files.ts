import Database from 'better-sqlite3'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { day } from './contract/durations.ts'
import { limits } from './contract/limits.ts'
import type { BlobFolder } from './store/blob-folder.ts'
import { usedBlobs } from './store/files.ts'
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

function blobsOfBackups(folder: string): Set<string> {
  const kept = new Set<string>()
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.db')) : []
  for (const name of names) {
    const db = new Database(path.join(folder, name), { readonly: true, fileMustExist: true })
    try {
      for (const { sha256 } of usedBlobs(db)) kept.add(sha256)
    } finally {
      db.close()
    }
  }
  return kept
}
