import { resultOf } from '../../../ui/database-result.ts'
import { waitingFilesDatabase } from './database-name.ts'
import { isForgotten, requireRoom, type WaitingFile } from './waiting-file.ts'

/** Where files wait. Each call is one step that no other window comes between. */
export interface WaitingFileStore {
  /** Rejects with NoRoomToWait where too much waits already. */
  add(file: WaitingFile, bytes: Blob): Promise<void>
  /** Of one document, or all; in order. */
  list(documentId?: string): Promise<WaitingFile[]>
  bytesOf(file: WaitingFile): Promise<Blob | null>
  /**
   * Puts what `change` makes of one in its place, or removes it for null; leaves it alone for undefined. Resolves to
   * what stands there now.
   */
  change(
    id: string,
    change: (file: WaitingFile) => WaitingFile | null | undefined,
  ): Promise<WaitingFile | null>
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(waitingFilesDatabase, 1)
  request.onupgradeneeded = () => {
    request.result.createObjectStore('files', { keyPath: 'id' })
    // Apart, so that looking at what waits reads no bytes.
    request.result.createObjectStore('bytes')
  }
  return resultOf(request)
}

/** In IndexedDB, which pages and their worker share. It is opened for each step: few are taken, and browsers drop connections. */
export function indexedDbWaitingFiles(): WaitingFileStore {
  async function step<T>(
    mode: IDBTransactionMode,
    work: (files: IDBObjectStore, bytes: IDBObjectStore) => Promise<T>,
  ): Promise<T> {
    const database = await open()
    try {
      const transaction = database.transaction(['files', 'bytes'], mode, { durability: 'strict' })
      const done = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve()
        transaction.onabort = () => reject(transaction.error ?? new Error('The browser’s storage is full.'))
      })
      const working = work(transaction.objectStore('files'), transaction.objectStore('bytes'))
      const [answer] = await Promise.all([working, done])
      return answer
    } finally {
      database.close()
    }
  }
  return {
    async add(file, blob) {
      // Not every browser keeps blobs.
      const buffer = await blob.arrayBuffer()
      await step('readwrite', async (files, bytes) => {
        const all = (await resultOf(files.getAll())) as WaitingFile[]
        const forgotten = all.filter((one) => isForgotten(one, file.order))
        for (const { id } of forgotten) await Promise.all([files.delete(id), bytes.delete(id)].map(resultOf))
        requireRoom(
          all.filter((one) => !forgotten.includes(one)),
          file.size,
        )
        await Promise.all([resultOf(files.put(file)), resultOf(bytes.put(buffer, file.id))])
      })
    },
    async list(documentId) {
      const all = await step('readonly', (files) => resultOf(files.getAll() as IDBRequest<WaitingFile[]>))
      return all
        .filter((file) => documentId === undefined || file.documentId === documentId)
        .sort((one, other) => one.order - other.order)
    },
    bytesOf: ({ id, type }) =>
      step('readonly', async (_files, bytes) => {
        const buffer = (await resultOf(bytes.get(id))) as ArrayBuffer | undefined
        return buffer ? new Blob([buffer], { type }) : null
      }),
    change: (id, change) =>
      step('readwrite', async (files, bytes) => {
        const file = (await resultOf(files.get(id))) as WaitingFile | undefined
        const changed = file && change(file)
        if (changed) await resultOf(files.put(changed))
        else if (changed === null) await Promise.all([resultOf(files.delete(id)), resultOf(bytes.delete(id))])
        return (changed === undefined ? file : changed) ?? null
      }),
  }
}
