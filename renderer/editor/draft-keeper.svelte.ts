import { isEmptyDraft, type Draft, type DraftStore } from './drafts.ts'

/** What is typed is written so soon: several keys at once, and none waits for it. A crash costs no more. */
const writtenAfter = 40
/** What takes longer to write may never be written. */
const lateAfter = 1_000
/** What the server has all of is forgotten after so long, so that its base needn’t be written for each word. */
const forgottenAfter = 30_000

/** What a draft says beside whose it is. */
export type DraftContent = Omit<Draft, 'documentId' | 'writer'>

/**
 * Writes one window’s draft of one document, the latest always last, one at a time: while one is being written, newer
 * ones wait and only the newest of them is.
 */
export class DraftKeeper {
  /** Whether the browser’s storage takes what is handed over; what has come just now it has in a moment. */
  kept = $state(true)
  readonly #store: DraftStore
  readonly #documentId: string
  readonly #writer: string
  readonly #read: () => DraftContent
  /** Whether there may be more than what was written last. */
  #isOld = false
  #isStored = false
  /** Whether what was written last is known to be on the server. */
  #isEmptied = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #late: ReturnType<typeof setTimeout> | undefined
  #forgetting: ReturnType<typeof setTimeout> | undefined
  #working: Promise<void> | null = null

  /** `read` gives what is to be kept when its turn comes; `isStored` says that an earlier window has kept some. */
  constructor(
    store: DraftStore,
    documentId: string,
    writer: string,
    read: () => DraftContent,
    isStored = false,
  ) {
    this.#isStored = isStored
    this.#store = store
    this.#documentId = documentId
    this.#writer = writer
    this.#read = read
  }

  /** Keeps what there is to read in a moment, which may be newer than now. */
  keep(): void {
    this.#late ??= setTimeout(() => (this.kept = false), lateAfter)
    this.#look()
  }

  /** The server has it all. */
  drop(): void {
    if (this.#isOld || this.#working || (this.#isStored && !this.#isEmptied)) this.#look()
  }

  /** Resolves when nothing is left to write. */
  async settled(): Promise<void> {
    this.#work()
    while (this.#working) await this.#working
  }

  /** The page is out of sight or about to go: what waits is written now, and what the server has all of goes. */
  leave(): void {
    // The store does one thing after the other by itself; here nobody may be left to wait for the first.
    const next = this.#working && this.#isOld ? this.#write() : null
    void Promise.all([next, this.settled()]).then(() => this.#forget())
  }

  /** The window keeps nothing any more; what the server doesn’t have stays. */
  async close(): Promise<void> {
    await this.settled()
    await this.#forget()
  }

  #look(): void {
    this.#isOld = true
    clearTimeout(this.#forgetting)
    this.#timer ??= setTimeout(() => this.#work(), writtenAfter)
  }

  #work(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (!this.#isOld) return
    this.#working ??= this.#write().finally(() => {
      this.#working = null
      this.#work()
    })
  }

  async #write(): Promise<void> {
    this.#isOld = false
    const draft = this.#draft()
    const isEmpty = isEmptyDraft(draft)
    try {
      if (!isEmpty || this.#isStored) {
        this.#isStored = true
        this.#isEmptied = false
        await this.#store.put(draft)
        this.#isEmptied = isEmpty
      }
      this.#wrote(true)
    } catch {
      // Storage that is full or forbidden: the page says so and warns before it is closed.
      this.#wrote(isEmpty)
    }
    if (isEmpty && !this.#isOld) this.#forgetting = setTimeout(() => void this.#forget(), forgottenAfter)
  }

  #wrote(kept: boolean): void {
    clearTimeout(this.#late)
    this.#late = this.#isOld ? setTimeout(() => (this.kept = false), lateAfter) : undefined
    this.kept = kept
  }

  /** Takes away what the server has all of. */
  async #forget(): Promise<void> {
    clearTimeout(this.#forgetting)
    if (!this.#isStored || this.#isOld || this.#working || !isEmptyDraft(this.#draft())) return
    this.#isStored = false
    this.#working = this.#store
      .delete(this.#documentId, this.#writer)
      .catch(() => {})
      .finally(() => {
        this.#working = null
        this.#work()
      })
    await this.#working
  }

  #draft(): Draft {
    return { ...this.#read(), documentId: this.#documentId, writer: this.#writer }
  }
}
