import { commonEnds } from '../../server/domain/common-ends.ts'
import type { ChangesJson } from '../../server/domain/change-set.ts'
import { resultOf } from '../ui/database-result.ts'
import { draftsDatabase } from './drafts-database.ts'
import type { WaitingChanges } from '../../server/domain/shared-text.ts'

/** What the server last had. */
export interface Base {
  revision: number
  title: string
  content: string
}

/** A text as a draft holds it: one that the server had, and the changes that lead on from it, each to the next. */
export interface DraftText extends WaitingChanges {
  /** Kept once; the same object for as long as it is the same text. */
  base: { content: string }
  /** What the server has made of it since, as far as is known here. */
  since: ChangesJson | null
  /** Of the text that these lead to. */
  revision: number
}

/** Text that the server may not have yet, kept in the browser. */
export interface Draft extends DraftText {
  documentId: string
  /** The window that wrote it. */
  writer: string
  /** By what name it has sent changes. */
  client: string
  /** As the server had it, and as it was typed. */
  savedTitle: string
  title: string
  /** As it was sent last, where that may have arrived. */
  sentTitle?: string
  /** Windows that were gone, whose words this draft has. */
  takenIn?: readonly string[]
  /** Milliseconds since 1970. */
  at: number
}

/** Where drafts are kept: one per document and window. */
export interface DraftStore {
  /** Keeps all of it, or leaves what was kept before. A base that is there already isn’t written again. */
  put(draft: Draft): Promise<void>
  delete(documentId: string, writer: string): Promise<void>
  list(documentId: string): Promise<Draft[]>
}

/** A draft as earlier versions kept it, with all of the text twice. */
export interface WholeDraft {
  documentId: string
  writer: string
  base: Base
  title: string
  content: string
  waiting?: WaitingChanges & { client: string }
  at: number
}

/** A draft without its base, which is kept beside it. */
export type DraftChanges = Omit<Draft, 'base'>

interface DraftBase {
  documentId: string
  writer: string
  content: string
}

/** Whether the server is known to have all of it. */
export const isEmptyDraft = ({ sending, unsent, title, savedTitle }: Draft): boolean =>
  sending === null && unsent === null && title === savedTitle

/** The server’s text as the draft’s window knew it, and with what was changed there. */
export function textsOf({ base, since, sending, unsent }: DraftText): { saved: string; content: string } {
  const saved = after(base.content, since)
  return { saved, content: after(after(saved, sending), unsent) }
}

/** A text after changes, without CodeMirror: pages that only look for drafts haven’t loaded it. */
function after(content: string, changes: ChangesJson | null): string {
  let at = 0
  return (changes ?? [content.length])
    .map((part) => {
      const from = at
      if (typeof part === 'number') return content.slice(from, (at += part))
      const [replaced, ...lines] = part
      at += replaced
      return lines.join('\n')
    })
    .join('')
}

/** What was read of a store: drafts with their bases, and those that earlier versions kept. */
export function draftsOf<Changes extends DraftChanges>(
  kept: readonly (Changes | WholeDraft)[],
  baseOf: (draft: Changes) => { content: string } | undefined,
): Draft[] {
  return kept.flatMap((one) => {
    if ('content' in one) return [fromWhole(one)]
    const base = baseOf(one)
    return base ? [{ ...one, base }] : []
  })
}

function fromWhole({ base, title, content, waiting, ...rest }: WholeDraft): Draft {
  const from = { base: { content: base.content }, since: null, revision: base.revision }
  const draft = { ...rest, ...from, title, savedTitle: base.title }
  if (waiting && textsOf({ ...from, ...waiting }).content === content) return { ...draft, ...waiting }
  const { head, tail } = commonEnds(base.content, content)
  const replaced = base.content.length - head - tail
  const put = content.slice(head, content.length - tail)
  const change: [number, ...string[]] = put === '' ? [replaced] : [replaced, ...put.split('\n')]
  const unsent = [head, change, tail].filter((part) => part !== 0)
  return { ...draft, client: '', number: 0, sending: null, unsent: content === base.content ? null : unsent }
}

/** Opens the database; `onGone` is called when it has been closed for a page of a later version. */
function openDatabase(onGone: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(draftsDatabase, 2)
    let isGivenUp = false
    const giveUp = (reason: Error) => {
      isGivenUp = true
      reject(reason)
    }
    request.onupgradeneeded = () => {
      const { result } = request
      for (const name of ['drafts', 'bases'])
        if (!result.objectStoreNames.contains(name))
          result.createObjectStore(name, { keyPath: ['documentId', 'writer'] })
    }
    request.onsuccess = () => {
      const { result } = request
      result.onversionchange = () => {
        result.close()
        onGone()
      }
      if (isGivenUp) result.close()
      else resolve(result)
    }
    request.onerror = () => giveUp(request.error ?? new Error('The browser’s storage can’t be opened.'))
    request.onblocked = () => giveUp(new Error('The browser’s storage is held by another window.'))
  })
}

/** Drafts in IndexedDB, which survives reloads and crashes, and holds texts of any size. */
export function indexedDbDrafts(): DraftStore {
  let database: Promise<IDBDatabase> | null = null
  const open = () => {
    const forget = () => void (database = null)
    database ??= openDatabase(forget).catch((error: unknown) => {
      forget()
      throw error
    })
    return database
  }
  /** Changes both or neither; `change` answers whether it has asked for all it wants. */
  const write = async (change: (drafts: IDBObjectStore, bases: IDBObjectStore) => boolean) => {
    const transaction = (await open()).transaction(['drafts', 'bases'], 'readwrite')
    const isAll = change(transaction.objectStore('drafts'), transaction.objectStore('bases'))
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error ?? new Error('The browser’s storage is full.'))
    })
    // Then it comes about also where the page goes before it hears of it.
    if (isAll) transaction.commit()
    await done
  }
  /** By writer. */
  const written = new Map<string, Draft['base']>()
  return {
    async put({ base, ...draft }) {
      const { documentId, writer } = draft
      const isWritten = written.get(writer) === base
      written.delete(writer)
      await write((drafts, bases) => {
        drafts.put(draft)
        const putBase = () => bases.put({ documentId, writer, content: base.content } satisfies DraftBase)
        if (!isWritten) putBase()
        // Without locks another window may have taken it for one that was left behind.
        else if (!navigator.locks) {
          const found = bases.getKey([documentId, writer])
          found.onsuccess = () => void (found.result === undefined && putBase())
          return false
        }
        return true
      })
      written.set(writer, base)
    },
    async delete(documentId, writer) {
      written.delete(writer)
      await write((drafts, bases) => {
        drafts.delete([documentId, writer])
        bases.delete([documentId, writer])
        return true
      })
    },
    async list(documentId) {
      const transaction = (await open()).transaction(['drafts', 'bases'])
      const all = IDBKeyRange.bound([documentId], [documentId, []])
      const [drafts, bases] = await Promise.all([
        resultOf(transaction.objectStore('drafts').getAll(all) as IDBRequest<(DraftChanges | WholeDraft)[]>),
        resultOf(transaction.objectStore('bases').getAll(all) as IDBRequest<DraftBase[]>),
      ])
      return draftsOf(drafts, ({ writer }) => bases.find((base) => base.writer === writer))
    },
  }
}

/**
 * Drafts of a document that no open window is writing any more. A window holds a lock on its draft for as long as it
 * lives; a crash or a reload lets go of it.
 */
export async function abandonedDrafts(store: DraftStore, documentId: string): Promise<Draft[]> {
  const drafts = await store.list(documentId)
  const held = await heldNames()
  const left = drafts.filter((draft) => !held.has(lockName(draft.writer))).sort((a, b) => a.at - b.at)
  const takenIn = new Set(drafts.flatMap((draft) => draft.takenIn ?? []))
  const isNeeded = (draft: Draft) => !isEmptyDraft(draft) && !takenIn.has(draft.writer)
  for (const draft of left) if (!isNeeded(draft)) await store.delete(documentId, draft.writer).catch(() => {})
  return left.filter(isNeeded)
}

/** Whether a window that writes under this name is open. */
export const isOpenWriter = async (writer: string): Promise<boolean> =>
  (await heldNames()).has(lockName(writer))

const lockName = (writer: string) => `galley-draft-${writer}`

/** Held in this page: pages that don’t come over a secure connection have no locks, but several sessions. */
const heldHere = new Set<string>()

async function heldNames(): Promise<Set<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  return new Set([...heldHere, ...held.flatMap(({ name }) => name ?? [])])
}

/** A name for a window’s drafts, under a lock until `release` is called or the window is gone. */
export interface WriterClaim {
  writer: string
  release: () => void
}

/** A name for this window’s drafts. */
export function claimWriter(): WriterClaim {
  const writer = [...crypto.getRandomValues(new Uint8Array(8))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  const name = lockName(writer)
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  heldHere.add(name)
  void navigator.locks?.request(name, () => held)
  const letGo = () => {
    heldHere.delete(name)
    release()
  }
  return { writer, release: letGo }
}

/** A draft that a window which is gone has left, and its name, under which this one goes on. */
export interface TakenOver extends WriterClaim {
  draft: Draft
}

/**
 * Goes on in place of the window that left the draft of the newest text. Null where there is none, or where nothing
 * keeps two windows from doing so at once.
 */
export async function takeOverNewest(store: DraftStore, documentId: string): Promise<TakenOver | null> {
  const left = await abandonedDrafts(store, documentId).catch((): Draft[] => [])
  const newest = left.sort((a, b) => b.revision - a.revision || b.at - a.at)[0]
  return newest && navigator.locks ? takeOver(store, newest) : null
}

/** Goes on in place of the window that left a draft. Null where another window does so already. */
export async function takeOver(
  store: DraftStore,
  { documentId, writer }: Pick<Draft, 'documentId' | 'writer'>,
): Promise<TakenOver | null> {
  const release = await lockIfFree(lockName(writer))
  if (!release) return null
  // Another window may have had it just before.
  const draft = (await store.list(documentId).catch((): Draft[] => [])).find((one) => one.writer === writer)
  if (draft && !isEmptyDraft(draft)) return { draft, writer, release }
  release()
  return null
}

async function lockIfFree(name: string): Promise<(() => void) | null> {
  if (heldHere.has(name)) return null
  heldHere.add(name)
  const release = navigator.locks ? await requestIfFree(name).catch(() => null) : () => {}
  const letGo = () => {
    heldHere.delete(name)
    release?.()
  }
  if (release) return letGo
  letGo()
  return null
}

function requestIfFree(name: string): Promise<(() => void) | null> {
  return new Promise((resolve, reject) => {
    const take = (lock: Lock | null) => {
      if (lock) return new Promise<void>((release) => resolve(release))
      resolve(null)
      return undefined
    }
    navigator.locks.request(name, { ifAvailable: true }, take).catch(reject)
  })
}
