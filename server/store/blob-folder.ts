import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { open, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { pictureHeadBytes as headBytes } from '../domain/picture-size.ts'
import { draftBeside, putInPlace, removeAbandonedDrafts, syncFolder } from '../platform/atomic-file.ts'

/** Bytes that have come in whole and are on the disk, but belong to nothing yet. */
export interface ReceivedBytes {
  draft: string
  sha256: string
  size: number
  /** The first of them, which tell what they are. */
  head: Buffer
}

export type BlobFolder = ReturnType<typeof openBlobFolder>

/** Files by their content: each is there once, under its SHA-256. */
export function openBlobFolder(folder: string) {
  removeAbandonedDrafts(folder)
  const fileOf = (sha256: string) => path.join(folder, sha256)
  return {
    /**
     * Writes what comes into a draft, synced. What doesn't come whole leaves nothing.
     * @returns undefined if it is larger than `most`
     */
    async receive(bytes: AsyncIterable<Buffer>, most: number): Promise<ReceivedBytes | undefined> {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const draft = draftBeside(path.join(folder, 'file'))
      const hash = createHash('sha256')
      const heads: Buffer[] = []
      let headSize = 0
      let size = 0
      let isWhole = false
      try {
        await using handle = await open(draft, 'wx', 0o600)
        for await (const part of bytes) {
          size += part.length
          if (size > most) return undefined
          hash.update(part)
          if (headSize < headBytes) {
            heads.push(Buffer.from(part.subarray(0, headBytes - headSize)))
            headSize += heads.at(-1)!.length
          }
          await handle.writeFile(part)
        }
        await handle.sync()
        isWhole = true
      } finally {
        if (!isWhole) await rm(draft, { force: true })
      }
      return { draft, sha256: hash.digest('hex'), size, head: Buffer.concat(heads) }
    },
    /** Gives what was received its place, for good. Called again, or where the same content is there, it changes nothing. */
    place({ draft, sha256 }: ReceivedBytes): void {
      if (existsSync(draft)) putInPlace(draft, fileOf(sha256), false)
      syncFolder(folder)
    },
    /** Removes what was received, unless it has got its place. */
    drop: ({ draft }: ReceivedBytes) => rm(draft, { force: true }),
    has: (sha256: string) => existsSync(fileOf(sha256)),
    /** All of it, or one part. */
    read: (sha256: string, part: { start: number; end: number } | null = null) =>
      createReadStream(fileOf(sha256), part ?? {}),
    /** undefined if it isn't there */
    readWhole: (sha256: string) => readFile(fileOf(sha256)).catch(() => undefined),
    remove: (sha256: string) => rmSync(fileOf(sha256), { force: true }),
    /** The contents that came here before this time. */
    listOlder(before: number): string[] {
      const names = existsSync(folder) ? readdirSync(folder).filter(isBlobName) : []
      return names.filter(
        (name) => (statSync(fileOf(name), { throwIfNoEntry: false })?.mtimeMs ?? before) < before,
      )
    },
  }
}

const isBlobName = (name: string) => /^[0-9a-f]{64}$/.test(name)
