import type { Draft, DraftStore } from './drafts.ts'

/**
 * Writes one window’s draft of one document, the latest always last, one at a time: while one is being written, newer
 * ones wait and only the newest of them is.
 */
export class DraftKeeper {
  /** Whether everything handed over so far is in the browser’s storage. */
  kept = $state(true)
  readonly #store: DraftStore
  readonly #documentId: string
  readonly #writer: string
  #wanted: (() => Draft) | 'nothing' | null = null
  #working: Promise<void> | null = null

  constructor(store: DraftStore, documentId: string, writer: string) {
    this.#store = store
    this.#documentId = documentId
    this.#writer = writer
  }

  /** Keeps what `read` gives when its turn comes, which may be newer than now. */
  keep(read: () => Omit<Draft, 'documentId' | 'writer'>): void {
    this.#wanted = () => ({ ...read(), documentId: this.#documentId, writer: this.#writer })
    this.kept = false
    this.#work()
  }

  /** Forgets the draft: the server has it all. */
  drop(): void {
    this.#wanted = 'nothing'
    this.#work()
  }

  /** Resolves when nothing is left to write. */
  async settled(): Promise<void> {
    while (this.#working) await this.#working
  }

  #work(): void {
    this.#working ??= this.#write().finally(() => {
      this.#working = null
      if (this.#wanted) this.#work()
    })
  }

  async #write(): Promise<void> {
    const wanted = this.#wanted
    this.#wanted = null
    if (!wanted) return
    try {
      if (wanted === 'nothing') await this.#store.delete(this.#documentId, this.#writer)
      else await this.#store.put(wanted())
      if (!this.#wanted) this.kept = true
    } catch {
      // Storage that is full or forbidden: the page says so and warns before it is closed.
      if (!this.#wanted) this.kept = wanted === 'nothing'
    }
  }
}
