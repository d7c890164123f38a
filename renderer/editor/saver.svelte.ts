import { backOff } from '../../server/platform/back-off.ts'
import { ApiError } from '../api/client-of.ts'
import type { Updates } from '../../server/contract/records/changes.ts'
import type { Document } from '../../server/contract/records/documents.ts'
import { changesToJson } from '../../server/domain/change-set.ts'
import type { OutgoingChange } from '../../server/domain/outgoing-change.ts'
import { OldestUnsaved } from './oldest-unsaved.svelte.ts'
import { isByOthers } from './open-document.svelte.ts'

export type SaveState =
  | { kind: 'saved' }
  /** Typed a moment ago; saved as soon as the writer pauses. */
  | { kind: 'waiting' }
  | { kind: 'saving' }
  /** `retryAt` is null where trying again by itself would be pointless; `cause` says what would help. */
  | { kind: 'failed'; cause: FailureCause; reason: string; retryAt: number | null }

export type FailureCause = 'unreachable' | 'fault' | 'signed-out' | 'deleted' | 'forbidden' | 'refused'

/** Whether it failed for what is over once the server answers who may do it. */
export const isOverOnceThere = (state: SaveState): boolean =>
  state.kind === 'failed' && ['deleted', 'forbidden', 'signed-out', 'unreachable'].includes(state.cause)

/** The text as far as saving knows it: it hands out one change at a time. */
export interface SavedText {
  readonly isDirty: boolean
  /** Whether a change is on its way, or may have got lost there. */
  readonly isSending: boolean
  outgoing(): OutgoingChange | null
  answered(change: OutgoingChange): void
  /** The server has refused what was sent, and would whenever it came again. */
  takeBack(): void
}

interface Options {
  text: SavedText
  /** Whether the title is another than the server’s. */
  isRenamed: () => boolean
  push: (change: OutgoingChange, options: { keepalive: boolean }) => Promise<Updates>
  /** Sends the title; answers whether the server took it, or has another one by now, which has been taken in. */
  rename: (options: { keepalive: boolean }) => Promise<boolean>
  /** What others have changed since the server last answered. */
  missed: () => Promise<Updates>
  /** Takes in what the server says has changed. */
  receive: (updates: Updates) => void
  /** The same after so long an absence that both sides may have written at length: what collides is for a person. */
  rejoin: (updates: Updates) => void
  /** Brings together what the writer has and a document that nothing else leads to. */
  merge: (theirs: Document) => void
  /** Whether others have the text open to write in it. */
  isInCompany?: () => boolean
  /** Since when what there is couldn’t be saved, where an earlier window has tried. */
  awaySince?: number | undefined
  /** Whether anything is unsaved has changed to this. */
  onDirty?: (dirty: boolean) => void
  now?: () => number
  random?: () => number
}

/** A change can’t be made of what the server has, or is refused for what it says, which shows once the texts are merged. */
export class Unmade extends ApiError {
  readonly refusal: ApiError

  constructor(refusal: ApiError, theirs: Document) {
    super('PRECONDITION_FAILED', 412, refusal.message, theirs)
    this.refusal = refusal
  }
}

/** After the last letter, in milliseconds, and so long at the most while one goes on typing. */
const typingPause = { alone: 300, together: 20 }
const longestWait = { alone: 1_000, together: 100 }
/** Whoever wrote last so long ago may still be reading along. */
const companyStays = 60_000
/** Whoever couldn’t save for so long is told where others changed the same words. */
const longAbsence = 2_000
// Who is away for a moment only has all saved again before that is worth a word.
const pauses = { first: 800, longest: 30_000 }
// A document that others change faster than it can be merged and sent is tried again a little later.
const mergesInARow = 5
// Browsers refuse a request that outlives its page above 64 KiB; the rest of the request needs some room.
const keepaliveBytes = 60_000

/**
 * Saves what is typed, without being asked. One change is under way at a time, and says what it was made on; what is
 * sent twice is made once. What fails is tried again for as long as it makes sense, and said in words.
 */
export class Saver {
  state = $state.raw<SaveState>({ kind: 'saved' })
  readonly #options: Options
  readonly #now: () => number
  readonly #random: () => number
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #oldest: OldestUnsaved
  #waitingSince: number | null = null
  #running: Promise<void> | null = null
  /** When others last wrote. */
  #companyAt = -Infinity
  /** Since when what is typed couldn’t be saved. */
  #awaySince: number | null
  #failures = 0
  /** That nobody could be reached just now, which is said where the next try, so soon, doesn’t mend it. */
  #unsaid: { failure: Failure; retryAt: number } | null = null
  /** Why nobody can be reached, where that is known before anything is sent. */
  #lost: ApiError | null = null
  /** When what is under way was begun. */
  #begunAt: number | null = null
  #disposed = false
  /** Whether what is shown isn’t what is saved. */
  #isApart = false

  constructor(options: Options) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#random = options.random ?? Math.random
    this.#awaySince = options.awaySince ?? null
    this.#oldest = new OldestUnsaved(this.#now, () => {
      if (this.#unsaid) this.#say(this.#unsaid.failure, this.#unsaid.retryAt)
    })
  }

  /** Whether something waits for so long that the writer should know: only then is it worth a word. */
  get slow(): boolean {
    return this.#oldest.isLong
  }

  /** Whether the writer has anything that the server hasn’t. */
  get dirty(): boolean {
    return this.#options.text.isDirty || this.#options.isRenamed()
  }

  /** Why nobody can be reached, where that is known before anything is sent. */
  get lost(): ApiError | null {
    return this.#lost
  }

  get busy(): boolean {
    return this.#running !== null
  }

  /** To be called after each change the writer makes. */
  changed(): void {
    if (this.#disposed) return
    this.#options.onDirty?.(true)
    this.#oldest.written()
    const { state } = this
    const stuck = state.kind === 'failed' && state.cause !== 'refused'
    if (this.#running || stuck || this.#unsaid) return
    // The page has been saying that something failed, and isn’t told that all is well before it is.
    if (this.#failures > 0) this.#oldest.hasFailed()
    this.#waitingSince ??= this.#now()
    if (this.#lost) this.#say(failureOf(this.#lost), this.#now())
    else if (state.kind !== 'waiting') this.state = { kind: 'waiting' }
    const wroteJustNow = this.#now() - this.#companyAt < companyStays
    const company = wroteJustNow || this.#options.isInCompany?.() === true ? 'together' : 'alone'
    const left = this.#waitingSince + longestWait[company] - this.#now()
    this.#schedule(Math.max(0, Math.min(typingPause[company], left)))
  }

  /** Resolves once the server has all that was typed before the call; rejects with the reason why it can’t. */
  async flush(): Promise<void> {
    // Of several who wait only the first may begin.
    while (this.#running) await this.#running.catch(() => {})
    if (!this.dirty) return this.#settle()
    try {
      await this.#run()
    } catch (error) {
      if (this.#unsaid) this.#say(failureOf(error), this.#now())
      throw error
    }
  }

  /** What is shown isn’t what would be saved, or is again: until then nothing is said to be saved. */
  setApart(isApart: boolean): void {
    this.#isApart = isApart
    if (isApart) this.#saySo()
    else this.retry()
  }

  #saySo(): void {
    clearTimeout(this.#timer)
    const reason = 'What is shown here isn’t what is stored. It is loaded anew'
    this.#say({ cause: 'fault', reason }, null)
  }

  /** Tries again now, whatever failed before. */
  retry(): void {
    if (this.#running || this.#isApart || this.#disposed) return
    if (this.dirty) void this.#run().catch(() => {})
    else this.#settle()
  }

  /**
   * Takes in what the server says has changed. Where that was missed for long, it has to be all of it at once, so that a
   * person can see what collides: false where it isn’t, and nothing was taken.
   */
  receive(updates: Updates, isAll = true): boolean {
    if (!isAll && this.#options.text.isDirty && this.#isLongAway && isByOthers(updates.updates)) return false
    this.#take(updates)
    this.#lost = null
    if (!this.#running) {
      if (this.dirty) this.changed()
      else this.#settle()
    }
    if (this.state.kind === 'failed' && this.state.cause === 'unreachable') this.retry()
    return true
  }

  /**
   * The server has it and says so, to who may write: where it was deleted it has been brought back, and where nobody
   * could be reached somebody can be.
   */
  isThere(): void {
    this.#lost = null
    if (isOverOnceThere(this.state)) this.retry()
  }

  /** Resolves when nothing is being saved. */
  async rest(): Promise<void> {
    while (this.#running) await this.#running.catch(() => {})
  }

  /** Says what was found out without saving, such as that the document has been deleted. */
  fail(error: ApiError): void {
    if (!this.#running) this.#fail(error)
  }

  /** Nobody can be reached, as was found out without saving: what is on its way isn’t given up, but said not to arrive. */
  lose(error: ApiError): void {
    this.#lost = error
    if (this.dirty && this.state.kind !== 'failed') this.#say(failureOf(error), this.#now())
  }

  /**
   * The page is about to go: sends what is left in a request that outlives it, where it is small enough. After an
   * absence it isn't: nobody would be there to see what it is merged with.
   */
  leave(): void {
    if (this.#running || !this.dirty || this.#awaySince !== null) return
    const change = this.#options.text.outgoing()
    if (change && new Blob([JSON.stringify(changesToJson(change.changes))]).size > keepaliveBytes) return
    clearTimeout(this.#timer)
    void this.#run(true).catch(() => {})
  }

  /** Nothing is sent any more, whatever comes in late: another window may go on with what is left. */
  dispose(): void {
    this.#disposed = true
    clearTimeout(this.#timer)
    this.#oldest.stop()
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.retry(), delay)
  }

  #settle(): void {
    if (this.#isApart) return this.#saySo()
    clearTimeout(this.#timer)
    this.#waitingSince = null
    this.#failures = 0
    this.#unsaid = null
    this.#oldest.none()
    this.state = { kind: 'saved' }
    this.#options.onDirty?.(false)
  }

  #run(keepalive = false): Promise<void> {
    clearTimeout(this.#timer)
    this.#waitingSince = null
    // What was said to have failed stays so until it hasn’t: a try that may fail as well is no news.
    if (this.state.kind !== 'failed' || this.state.retryAt === null) {
      if (this.state.kind === 'failed') this.#oldest.hasFailed()
      this.state = { kind: 'saving' }
    }
    this.#begunAt = this.#now()
    this.#running = this.#save(keepalive).then(
      () => {
        this.#running = null
        this.#begunAt = null
        if (this.#isApart) this.#saySo()
        else if (this.dirty) {
          this.state = { kind: 'waiting' }
          this.changed()
        } else this.#settle()
      },
      (error: unknown) => {
        this.#running = null
        this.#fail(error)
        throw error
      },
    )
    return this.#running
  }

  async #save(keepalive: boolean): Promise<void> {
    const { text, isRenamed, rename, push, missed } = this.#options
    // Somebody else may have changed it, too.
    if (isRenamed()) await this.#reach(async () => this.#take(await missed()))
    for (let merges = 0; isRenamed() && merges <= mergesInARow; merges++) {
      const isTaken = await rename({ keepalive })
      this.#arrived()
      if (isTaken) break
    }
    // What was typed after a change that got lost is sent with it.
    for (let isAgain = true; isAgain && text.isDirty;) {
      isAgain = text.isSending
      await this.#reach(async () => {
        if (this.#isLongAway) this.#take(await missed())
        const isNew = !text.isSending
        const change = text.outgoing()
        if (!change) return
        if (isNew) this.#oldest.sent()
        this.#take(await push(change, { keepalive }))
        text.answered(change)
        this.#oldest.arrived()
      })
      this.#arrived()
    }
  }

  /** Does something that the server refuses where it knows of no changes that lead to its text. */
  async #reach(act: () => Promise<void>): Promise<void> {
    let isRefused = false
    for (let merges = 0; ; merges++) {
      try {
        return await act()
      } catch (error) {
        const theirs =
          error instanceof ApiError && error.status === 412 ? (error.data as Document | null) : null
        // Merged it is refused again: that will be so until somebody writes something else.
        if (error instanceof Unmade && isRefused) {
          this.#options.text.takeBack()
          throw error.refusal
        }
        isRefused = error instanceof Unmade
        if (error instanceof ApiError && error.code === 'PAYLOAD_TOO_LARGE') this.#options.text.takeBack()
        if (!theirs || merges === mergesInARow || this.#disposed) throw error
        this.#options.merge(theirs)
      }
    }
  }

  get #isLongAway(): boolean {
    const since = this.#awaySince ?? this.#begunAt
    if (since === null) return false
    const passed = this.#now() - since
    // A clock that was set back meanwhile doesn’t tell how long it was.
    return passed > longAbsence || passed < 0
  }

  #arrived(): void {
    this.#failures = 0
    this.#unsaid = null
    this.#lost = null
    this.#awaySince = null
    this.#begunAt = this.#now()
  }

  #take(updates: Updates): void {
    const { receive, rejoin, text } = this.#options
    const byOthers = isByOthers(updates.updates)
    if (byOthers) this.#companyAt = this.#now()
    if (byOthers && text.isDirty && this.#isLongAway) rejoin(updates)
    else receive(updates)
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
    // Who is away for a moment isn’t missed.
    const isUnsaid =
      failure.cause === 'unreachable' &&
      this.#failures === 0 &&
      this.state.kind !== 'failed' &&
      !this.#oldest.isLong
    this.#failures++
    // It was begun before it was known to have failed, which may have taken long.
    this.#awaySince ??= this.#begunAt ?? this.#now()
    this.#begunAt = null
    if (!isUnsaid || retryAt === null) return this.#say(failure, retryAt)
    this.#unsaid = { failure, retryAt }
    this.state = { kind: 'waiting' }
  }

  #say({ cause, reason }: Pick<Failure, 'cause' | 'reason'>, retryAt: number | null): void {
    this.#unsaid = null
    this.state = { kind: 'failed', cause, reason, retryAt }
  }
}

interface Failure {
  cause: FailureCause
  reason: string
  retries: boolean
}

/** Why something couldn’t be saved, for its writer, and whether trying again may help. */
export function failureOf(error: unknown): Failure {
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
        reason: (error as ApiError).message.replace(/(; nothing was changed)?\.$/, ''),
        retries: false,
      }
    case 'RATE_LIMITED':
      return { cause: 'fault', reason: (error as ApiError).message.replace(/\.$/, ''), retries: true }
    case 'FORBIDDEN':
      return { cause: 'forbidden', reason: (error as ApiError).message, retries: false }
    case 'VALIDATION_ERROR':
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
