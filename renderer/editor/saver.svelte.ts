import { backOff } from '../../server/platform/back-off.ts'
import { ApiError } from '../api/client-of.ts'
import type { Document } from '../../server/contract/records/documents.ts'
import type { Base } from './drafts.ts'

export interface Contents {
  title: string
  content: string
}

export type SaveState =
  | { kind: 'saved' }
  /** Typed a moment ago; saved as soon as the writer pauses. */
  | { kind: 'waiting' }
  | { kind: 'saving' }
  /** `retryAt` is null where trying again by itself would be pointless; `cause` says what would help. */
  | { kind: 'failed'; cause: FailureCause; reason: string; retryAt: number | null }

export type FailureCause = 'unreachable' | 'fault' | 'signed-out' | 'deleted' | 'refused'

interface Options {
  base: Base
  /** What the writer has before them now. */
  read: () => Contents
  send: (change: Partial<Contents>, revision: number, options: { keepalive: boolean }) => Promise<Document>
  /** Brings another’s newer document into what the writer has, merging what both changed since `base`. */
  merge: (base: Base, theirs: Document) => void
  /** The server has accepted, or sent, this document. */
  onDocument?: (document: Document) => void
  /** Whether anything is unsaved has changed to this. */
  onDirty?: (dirty: boolean) => void
  now?: () => number
  random?: () => number
}

/** After the last letter, in milliseconds, and so long at the most while one goes on typing. */
const typingPause = 600
const longestWait = 4_000
/** What takes longer is said to be saving. */
const slowAfter = 2_000
const pauses = { first: 1_000, longest: 30_000 }
// A document that others change faster than it can be merged and sent is tried again a little later.
const mergesInARow = 5
// Browsers refuse a request that outlives its page above 64 KiB; the rest of the request needs some room.
const keepaliveBytes = 60_000

/**
 * Saves what is typed, without being asked. One request is under way at a time; each names the revision it builds on,
 * so that a change by someone else is merged and never overwritten. What fails is tried again for as long as it makes
 * sense, and said in words.
 */
export class Saver {
  state = $state.raw<SaveState>({ kind: 'saved' })
  /** Whether saving takes so long that the writer should know: only then is it worth a word. */
  slow = $state(false)
  #base: Base
  readonly #options: Options
  readonly #now: () => number
  readonly #random: () => number
  #timer: ReturnType<typeof setTimeout> | undefined
  #slowTimer: ReturnType<typeof setTimeout> | undefined
  #waitingSince: number | null = null
  #running: Promise<void> | null = null
  /** What was sent since the server last answered with a document; any of it may have arrived. */
  #sent: Contents[] = []
  #failures = 0
  #disposed = false

  constructor(options: Options) {
    this.#options = options
    this.#base = options.base
    this.#now = options.now ?? Date.now
    this.#random = options.random ?? Math.random
  }

  /** What the server last had, as far as is known here. */
  get base(): Base {
    return this.#base
  }

  /** Whether the writer has anything that the server hasn’t. */
  get dirty(): boolean {
    return Object.keys(this.#change()).length > 0
  }

  get busy(): boolean {
    return this.#running !== null
  }

  /** To be called after each change the writer makes. */
  changed(): void {
    this.#options.onDirty?.(true)
    const { state } = this
    const stuck = state.kind === 'failed' && state.cause !== 'refused'
    if (this.#running || stuck) return
    // The page has been saying that something failed, and isn’t told that all is well before it is.
    if (this.#failures > 0) this.slow = true
    this.#waitingSince ??= this.#now()
    if (state.kind !== 'waiting') this.state = { kind: 'waiting' }
    const left = this.#waitingSince + longestWait - this.#now()
    this.#schedule(Math.max(0, Math.min(typingPause, left)))
  }

  /** Resolves once the server has all that was typed before the call; rejects with the reason why it can’t. */
  async flush(): Promise<void> {
    if (this.#running) await this.#running.catch(() => {})
    if (!this.dirty) return this.#settle()
    await this.#run()
  }

  /** Tries again now, whatever failed before. */
  retry(): void {
    if (this.#running) return
    if (this.dirty) void this.#run().catch(() => {})
    else this.#settle()
  }

  /** Takes in a document that the server says is current; older ones and echoes of own saves are ignored. */
  receive(theirs: Document): void {
    if (this.#running || theirs.revision <= this.#base.revision) return
    this.#mergeIn(theirs)
    if (this.dirty) this.changed()
    else this.#settle()
  }

  /**
   * The server has it and says so: where it was deleted it has been brought back, and where nobody could be reached
   * somebody can be.
   */
  isThere(): void {
    const { state } = this
    if (state.kind === 'failed' && (state.cause === 'deleted' || state.cause === 'unreachable')) this.retry()
  }

  /** Resolves when nothing is being saved. */
  async rest(): Promise<void> {
    while (this.#running) await this.#running.catch(() => {})
  }

  /** Says what was found out without saving, such as that the document has been deleted. */
  fail(error: ApiError): void {
    if (!this.#running) this.#fail(error)
  }

  /** The page is about to go: sends what is left in a request that outlives it, where it is small enough. */
  leave(): void {
    if (this.#running || !this.dirty) return
    const change = this.#change()
    if (new Blob([JSON.stringify(change)]).size > keepaliveBytes) return
    clearTimeout(this.#timer)
    void this.#run(true).catch(() => {})
  }

  dispose(): void {
    this.#disposed = true
    clearTimeout(this.#timer)
    clearTimeout(this.#slowTimer)
  }

  #change(): Partial<Contents> {
    const { title, content } = this.#options.read()
    return {
      ...(title === this.#base.title ? {} : { title }),
      ...(content === this.#base.content ? {} : { content }),
    }
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.retry(), delay)
  }

  #settle(): void {
    clearTimeout(this.#timer)
    this.#waitingSince = null
    this.#failures = 0
    this.#notSlow()
    this.state = { kind: 'saved' }
    this.#options.onDirty?.(false)
  }

  #run(keepalive = false): Promise<void> {
    clearTimeout(this.#timer)
    this.#waitingSince = null
    this.state = { kind: 'saving' }
    if (this.#failures > 0) this.slow = true
    if (this.#failures === 0) this.#slowTimer ??= setTimeout(() => (this.slow = true), slowAfter)
    this.#running = this.#save(keepalive).then(
      () => {
        this.#running = null
        this.#notSlow()
        if (this.dirty) {
          this.state = { kind: 'waiting' }
          this.changed()
        } else this.#settle()
      },
      (error: unknown) => {
        this.#running = null
        this.#notSlow()
        this.#fail(error)
        throw error
      },
    )
    return this.#running
  }

  #notSlow(): void {
    clearTimeout(this.#slowTimer)
    this.#slowTimer = undefined
    this.slow = false
  }

  async #save(keepalive: boolean): Promise<void> {
    for (let merges = 0; ; merges++) {
      const change = this.#change()
      if (Object.keys(change).length === 0) return
      const sent = { ...this.#base, ...change }
      try {
        this.#sent.push(sent)
        const saved = await this.#options.send(change, this.#base.revision, { keepalive })
        this.#failures = 0
        return this.#accept(sent, saved)
      } catch (error) {
        const theirs =
          error instanceof ApiError && error.status === 412 ? (error.data as Document | null) : null
        if (!theirs || merges === mergesInARow || this.#disposed) throw error
        this.#mergeIn(theirs)
      }
    }
  }

  #accept({ title, content }: Contents, saved: Document): void {
    this.#base = { revision: saved.revision, title, content }
    this.#sent = []
    if (saved.title !== title || saved.content !== content) this.#mergeIn(saved)
    else this.#options.onDocument?.(saved)
  }

  #mergeIn(theirs: Document): void {
    const base = this.#base
    const { revision, title, content } = theirs
    // A save whose answer was lost comes back as if someone else had made it.
    const isOwn = this.#sent.some((sent) => sent.title === title && sent.content === content)
    this.#base = { revision, title, content }
    this.#sent = []
    if (!isOwn) this.#options.merge(base, theirs)
    this.#options.onDocument?.(theirs)
  }

  #fail(error: unknown): void {
    const failure = failureOf(error)
    let retryAt: number | null = null
    if (failure.retries && !this.#disposed) {
      const asked = error instanceof ApiError && error.retryAfter !== null ? error.retryAfter * 1000 : 0
      const delay = Math.max(asked, backOff(this.#failures, { ...pauses, random: this.#random }))
      retryAt = this.#now() + delay
      this.#schedule(delay)
    }
    this.#failures++
    this.state = { kind: 'failed', cause: failure.cause, reason: failure.reason, retryAt }
  }
}

function failureOf(error: unknown): { cause: FailureCause; reason: string; retries: boolean } {
  const code = error instanceof ApiError ? error.code : null
  switch (code) {
    case 'OFFLINE':
    case 'BAD_ANSWER':
      return { cause: 'unreachable', reason: 'Galley can’t be reached', retries: true }
    case 'UNAUTHORIZED':
      return { cause: 'signed-out', reason: 'You are signed out', retries: false }
    case 'NOT_FOUND':
      return { cause: 'deleted', reason: 'This document has been deleted', retries: false }
    case 'PAYLOAD_TOO_LARGE':
      return {
        cause: 'refused',
        reason: 'The text is longer than a document may be (10 MiB)',
        retries: false,
      }
    case 'RATE_LIMITED':
      return { cause: 'fault', reason: (error as ApiError).message.replace(/\.$/, ''), retries: true }
    case 'VALIDATION_ERROR':
    case 'FORBIDDEN':
      return { cause: 'refused', reason: (error as ApiError).message, retries: false }
    case 'STORAGE_FULL':
      return { cause: 'fault', reason: 'The disk that holds your documents is full', retries: true }
    case 'BUSY':
      return { cause: 'fault', reason: 'Another program is writing to your documents', retries: true }
    case 'PRECONDITION_FAILED':
      return { cause: 'fault', reason: 'Someone else is changing this document very often', retries: true }
    default:
      return { cause: 'fault', reason: 'Galley could not store the text', retries: true }
  }
}
