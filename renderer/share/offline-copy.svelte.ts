import type { Comment } from '../../server/contract/records/comments.ts'
import type { Document } from '../../server/contract/records/documents.ts'
import type { Mark } from '../../server/contract/records/rendering.ts'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { Remembered } from '../ui/remembered.ts'
import { atHeader, cacheName, forgetPage, keptFor, untilHeader, type KeepMessage } from './worker-protocol.ts'

/** What others said of the text, as it was last read. */
export interface KeptFeedback {
  comments: readonly Comment[]
  suggestions: readonly Suggestion[]
  /** In which revision of the text each has its place; copies of an earlier Galley lack it. */
  places?: readonly (readonly [id: string, revision: number])[]
  marks: { revision: number; marks: readonly Mark[] }
}

const prefix = cacheName('')
const declined = (documentId: string) => `galley.not-kept.${documentId}`
/** Under which name pages of an earlier Galley keep feedback. */
const feedbackBefore = 'remarks'
/** Under which address something is kept beside a page. */
const keptAddress = (page: string, what: string) => `${page}?kept=${what}`

/**
 * The page kept in this browser, so that it opens while the writer’s machine is away: the page itself and its files by
 * its worker, and beside them what others said and, for who may edit, the source. All of it goes at once. Only pages
 * that came over a secure connection can be kept.
 */
export class OfflineCopy {
  /** Whether the page is kept; null where it can’t be. */
  kept = $state<boolean | null>(null)
  readonly #token: string
  /** That its reader wants nothing of it kept. */
  readonly #declined: Remembered
  readonly #address = location.origin + location.pathname

  constructor(token: string, documentId: string) {
    this.#token = token
    this.#declined = new Remembered(declined(documentId))
    const can = isSecureContext && 'serviceWorker' in navigator && 'caches' in globalThis
    this.kept = can ? this.#declined.value === null : null
    // Another tab of the same link has its reader’s word, too.
    addEventListener('storage', ({ key }) => {
      if (this.kept === null || key !== declined(documentId)) return
      this.kept = this.#declined.value === null
      // What this tab was just about to keep may have come after the other has removed all.
      if (!this.kept) void forgetPage(token)
    })
  }

  #more: readonly string[] = []

  /** Keeps the page, and the files that it has loaded. Leaves it alone if its reader wants it so. */
  async keep(): Promise<void> {
    if (!this.#isWanted) return
    const script = document.querySelector<HTMLScriptElement>('script[type=module]')?.src
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
    await this.#tellWorker([...(script ? [script] : []), ...loaded], true)
    await forgetOld(this.#token).catch(() => undefined)
  }

  /** Keeps files beside it that the page may want to load. */
  async keepFiles(files: readonly string[]): Promise<void> {
    this.#more = files
    await this.#tellWorker(files, false)
  }

  async #tellWorker(files: readonly string[], page: boolean): Promise<void> {
    if (!this.#isWanted) return
    try {
      await caches.open(cacheName(this.#token))
      if (!this.#isWanted) return void (await forgetPage(this.#token))
      const registration = await navigator.serviceWorker.register(new URL('worker.js', this.#address), {
        scope: this.#address,
      })
      const worker = registration.active ?? (await navigator.serviceWorker.ready).active
      const wanted = new Set(files.map((file) => new URL(file, this.#address).href))
      const message: KeepMessage = { type: 'keep', files: [...wanted], page }
      worker?.postMessage(message)
    } catch {
      // Private windows and full disks keep nothing; the page works as well without.
      this.kept = null
    }
  }

  /** Asks the browser to deliver what waits even if the page is closed. Few can. */
  async whenBack(): Promise<void> {
    if (!this.kept) return
    const registration = await navigator.serviceWorker.getRegistration(this.#address)
    const sync = (registration as { sync?: { register: (tag: string) => Promise<void> } } | undefined)?.sync
    await sync?.register('outbox').catch(() => undefined)
  }

  /** Removes what is kept, and keeps nothing until its reader wants it again. */
  async forget(): Promise<void> {
    this.kept = false
    this.#declined.value = '1'
    await this.drop()
  }

  async keepAgain(): Promise<void> {
    this.kept = true
    this.#declined.value = null
    await this.keep()
    await this.keepFiles(this.#more)
  }

  /** Removes what is kept. */
  async drop(): Promise<void> {
    if (this.kept === null) return
    await forgetPage(this.#token)
    const registration = await navigator.serviceWorker.getRegistration(this.#address)
    if (registration?.scope === this.#address) await registration.unregister()
  }

  keepFeedback = (feedback: KeptFeedback) => this.#put('feedback', feedback, feedbackBefore)
  async feedback(): Promise<KeptFeedback | null> {
    return (await this.#get<KeptFeedback>('feedback')) ?? this.#get<KeptFeedback>(feedbackBefore)
  }
  keepDocument = (document: Document) => this.#put('document', document)
  document = () => this.#get<Document>('document')

  /** Whether to keep anything now: what another tab was told arrives here a little later. */
  get #isWanted(): boolean {
    if (this.kept && this.#declined.value !== null) this.kept = false
    return this.kept === true
  }

  async #put(what: string, value: unknown, before?: string): Promise<void> {
    if (!this.#isWanted) return
    const cache = await caches.open(cacheName(this.#token))
    const headers = { [atHeader]: new Date().toISOString() }
    await cache
      .put(keptAddress(this.#address, what), Response.json(value, { headers }))
      .catch(() => undefined)
    if (before !== undefined) await cache.delete(keptAddress(this.#address, before))
    if (!this.#isWanted) await forgetPage(this.#token)
  }

  async #get<Value>(what: string): Promise<Value | null> {
    if (this.kept === null) return null
    const answer = await caches.match(keptAddress(this.#address, what), { cacheName: cacheName(this.#token) })
    return answer ? ((await answer.json()) as Value) : null
  }
}

/** Pages of other links that have expired or that nobody has read for long. One that can’t be forgotten keeps no other. */
async function forgetOld(but: string): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName(but))
  await Promise.allSettled(others.map(forgetIfOld))
}

async function forgetIfOld(name: string): Promise<void> {
  const address = new URL(name.slice(prefix.length), location.href).href
  // Asked so, and not by opening it: that would make one anew that another tab has just removed.
  const kept = await Promise.all(
    [address, ...['feedback', feedbackBefore, 'document'].map((what) => keptAddress(address, what))].map(
      (one) => caches.match(one, { cacheName: name }),
    ),
  )
  const times = (header: string) =>
    kept.map((answer) => Date.parse(answer?.headers.get(header) ?? '')).filter(Number.isFinite)
  const at = times(atHeader)
  // A page that is just being kept, in another tab, has only files so far.
  if (at.length === 0) return
  const end = Math.min(Math.max(...at) + keptFor, ...times(untilHeader))
  if (Date.now() < end) return
  await caches.delete(name)
  const registration = await navigator.serviceWorker.getRegistration(address)
  if (registration?.scope === address) await registration.unregister()
}
