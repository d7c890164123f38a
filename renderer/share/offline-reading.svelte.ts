import type { Document } from '../../server/contract/records/documents.ts'
import { ApiError, isAnswer } from '../api/client-of.ts'
import type { Connection } from './connection.svelte.ts'
import { OfflineCopy } from './offline-copy.svelte.ts'
import type { PlacedFeedback } from './placed-feedback.svelte.ts'
import type { SharePage } from './share-page.ts'
import type { ShownText } from './shown-text.svelte.ts'
import { untilReaderStays } from './staying.ts'
import { patience } from './worker-protocol.ts'

/** How the page is read where nobody can be asked: it is kept as it was last, and answered for from that. */
export class OfflineReading {
  /** Since when the text is as it is shown, where it comes from the browser’s copy and nobody has been asked yet. */
  keptAt = $state<string | null>(null)
  readonly copy: OfflineCopy
  readonly #page: SharePage
  readonly #connection: Connection
  #keptRevision: number | null = null
  #stays: Promise<void> | null = null
  #source: { revision: number; content: Promise<string | null> } | null = null

  constructor(page: SharePage, connection: Connection) {
    this.#page = page
    this.#connection = connection
    this.keptAt = page.keptAt ?? null
    this.copy = new OfflineCopy(page.token, page.documentId)
  }

  /** Shows what others said as it was kept, until they can be asked. */
  async restore(feedback: PlacedFeedback): Promise<void> {
    const kept = this.keptAt === null ? null : await this.copy.feedback().catch(() => null)
    if (kept && this.keptAt !== null) feedback.restore(kept)
  }

  /** Keeps the page as it is now, once the server has been heard of; the text of the page only when it has changed. */
  async keep(text: ShownText, feedback: PlacedFeedback): Promise<void> {
    if (text.revision === text.latest && this.#keptRevision !== text.revision) {
      this.#keptRevision = text.revision
      await this.copy.keep()
      if (this.#connection.link.canSuggest) this.#keepForEditing(text.revision).catch(() => undefined)
    }
    await this.copy.keepFeedback(feedback.all)
  }

  /** Keeps what editing takes, for readers who stay: it weighs more than the page. */
  async #keepForEditing(revision: number): Promise<void> {
    this.#stays ??= untilReaderStays()
    await this.#stays
    if (!this.copy.kept || this.#connection.link.isDead || revision !== this.#keptRevision) return
    await this.copy.keepFiles(this.#page.later)
    await this.document()
  }

  /** Removes what is kept. */
  async drop(): Promise<void> {
    this.#keptRevision = null
    await this.copy.drop()
  }

  /** The document as the server has it or, while nobody can be asked, as it was last read here. */
  async document(): Promise<Document> {
    return (await this.newest()).document
  }

  /** The same, saying where it is the second why nobody can be asked. */
  async newest(): Promise<{ document: Document; lost: ApiError | null }> {
    const { api, link } = this.#connection
    const asked = api.call('getDocument', { params: { id: this.#page.documentId } }).then((document) => {
      if (link.canSuggest) void this.copy.keepDocument(document)
      return { document, lost: null }
    })
    // It may fail before there is something to wait for it with.
    asked.catch(() => undefined)
    const kept = await this.kept()
    if (!kept) return asked
    try {
      return await Promise.race([asked, silence()])
    } catch (error) {
      if (!(error instanceof ApiError) || isAnswer(error)) throw error
      return { document: kept, lost: error }
    }
  }

  /** Keeps a document as it has become here, unless a newer one is kept. */
  async keepNewer(document: Document): Promise<void> {
    const kept = await this.kept()
    if (kept === null || kept.revision < document.revision) await this.copy.keepDocument(document)
  }

  /** The document as it was last read here, if it was. */
  kept(): Promise<Document | null> {
    return this.copy.document().catch(() => null)
  }

  /** The source of the newest text, read once for each revision; null where it can’t be had. */
  source(revision: number): Promise<string | null> {
    if (this.#source?.revision !== revision) {
      const content = this.document().then(
        (document) => document.content,
        () => null,
      )
      this.#source = { revision, content }
    }
    return this.#source.content
  }
}

/** Rejects once the server has been silent for too long. */
const silence = () =>
  new Promise<never>((_, reject) =>
    setTimeout(() => reject(new ApiError('OFFLINE', 0, 'Galley can’t be reached right now.')), patience),
  )
