import type { WaitingChanges } from '../../server/domain/shared-text.ts'

/** What the server had when the text began to differ from it. */
export interface Base {
  revision: number
  title: string
  content: string
}

/** Text that the server may not have yet, kept in the browser. */
export interface Draft {
  documentId: string
  /** The window that wrote it. */
  writer: string
  base: Base
  title: string
  content: string
  /** What leads from the base to this, and who may have sent some of it already; older drafts don’t say. */
  waiting?: WaitingChanges & { client: string }
  /** Milliseconds since 1970. */
  at: number
}

/** Where drafts are kept: one per document and window. */
export interface DraftStore {
  put(draft: Draft): Promise<void>
  delete(documentId: string, writer: string): Promise<void>
  list(documentId: string): Promise<Draft[]>
}

const settled = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The browser’s storage failed.'))
  })

/** Drafts in IndexedDB, which survives reloads and crashes, and holds texts of any size. */
export function indexedDbDrafts(): DraftStore {
  let database: Promise<IDBDatabase> | null = null
  const open = () => {
    database ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('galley', 1)
      request.onupgradeneeded = () =>
        request.result.createObjectStore('drafts', { keyPath: ['documentId', 'writer'] })
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error ?? new Error('The browser’s storage can’t be opened.'))
      request.onblocked = () => reject(new Error('The browser’s storage is held by another window.'))
    }).catch((error: unknown) => {
      database = null
      throw error
    })
    return database
  }
  const write = async (change: (drafts: IDBObjectStore) => void) => {
    const transaction = (await open()).transaction('drafts', 'readwrite')
    change(transaction.objectStore('drafts'))
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error ?? new Error('The browser’s storage is full.'))
    })
  }
  return {
    put: (draft) => write((drafts) => drafts.put(draft)),
    delete: (documentId, writer) => write((drafts) => drafts.delete([documentId, writer])),
    async list(documentId) {
      const drafts = (await open()).transaction('drafts').objectStore('drafts')
      const all = IDBKeyRange.bound([documentId], [documentId, []])
      return (await settled(drafts.getAll(all))) as Draft[]
    },
  }
}

/**
 * Drafts of a document that no open window is writing any more. A window holds a lock on its draft for as long as it
 * lives; a crash or a reload lets go of it.
 */
export async function abandonedDrafts(store: DraftStore, documentId: string): Promise<Draft[]> {
  const drafts = await store.list(documentId)
  const held = new Set((await navigator.locks?.query())?.held?.map((lock) => lock.name))
  return drafts.filter((draft) => !held.has(lockName(draft.writer))).sort((a, b) => a.at - b.at)
}

const lockName = (writer: string) => `galley-draft-${writer}`

/** A name for this window’s drafts, under a lock until `release` is called or the window is gone. */
export function claimWriter(): { writer: string; release: () => void } {
  const writer = [...crypto.getRandomValues(new Uint8Array(8))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  void navigator.locks?.request(lockName(writer), () => held)
  return { writer, release }
}
