import type { StoredFile } from '../../../server/contract/records/files.ts'

/** What became of bytes that a document is to have among its files. */
export interface Stored {
  file: StoredFile
  /** Whether it had none of these bytes before. */
  isNew: boolean
}

interface Storing {
  documentId: string
  list: () => Promise<readonly StoredFile[]>
  /** Has the server store them, which by itself stores nothing twice where it is asked to `reuse`. */
  send: () => Promise<Stored>
}

/**
 * Stores bytes among a document's files, once however often and from wherever they are sent: pasted again, sent again after
 * the answer was lost, by another tab or the worker. One in this browser sends a content at a time, where that can be
 * had, so that it goes over the line once, too.
 */
export async function storeOnce(bytes: Blob, { documentId, list, send }: Storing): Promise<Stored> {
  const sum = await sumOf(bytes)
  // Over plain HTTP from another machine, browsers have neither sums nor locks.
  if (sum === null) return send()
  const store = async () => {
    const file = await sameFile(bytes.size, sum, list)
    return file ? { file, isNew: false } : send()
  }
  const { locks } = globalThis.navigator ?? {}
  return locks ? locks.request(`galley-file ${documentId} ${sum}`, store) : store()
}

async function sumOf(bytes: Blob): Promise<string | null> {
  const { subtle } = globalThis.crypto as Partial<Crypto>
  if (!subtle) return null
  const digest = new Uint8Array(await subtle.digest('SHA-256', await bytes.arrayBuffer()))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Null where there is none, or where that can't be told: whatever is wrong is told of the sending. */
async function sameFile(size: number, sum: string, list: Storing['list']): Promise<StoredFile | null> {
  const files = await list().catch(() => [])
  return files.find((file) => file.size === size && file.sha256 === sum) ?? null
}
