import type { PiecedText } from '../domain/pieced-text.ts'
import { RestTimer } from './rest-timer.ts'
import type { AfterCommit } from './deferred-writes.ts'

/** What names a text of a document. */
export interface TextName {
  number: number
  revision: number
  hash: number
}

interface HeldText {
  revision: number
  hash: number
  text: PiecedText
  usedAt: number
}

/** Texts held in memory, in UTF-16 units. */
const mostHeld = 16 * 1024 * 1024
/** Those that a keyframe has, too, are held so long after they were last read. */
const restMs = 60_000

/**
 * Newest texts of documents, in memory. Where there are too many, those go first that a keyframe has, too: they are only
 * read again, which takes as long as they are. What no keyframe has yet is made of the log again.
 */
export class HeldTexts {
  /** Those without a keyframe, by document; changed longest ago first. */
  readonly #pending = new Map<number, HeldText>()
  /** Those with one; read longest ago first. */
  readonly #settled = new Map<number, HeldText>()
  /** Those of the transaction that is under way. */
  readonly #uncommitted = new Set<number>()
  readonly #afterCommit: AfterCommit
  readonly #rest = new RestTimer(restMs, (since) => {
    for (const [number, { usedAt }] of this.#settled) if (usedAt <= since) this.release(number)
    return this.#settled.size > 0
  })
  #weight = 0

  constructor(afterCommit: AfterCommit) {
    this.#afterCommit = afterCommit
  }

  find({ number, revision, hash }: TextName): PiecedText | null {
    const settled = this.#settled.get(number)
    if (settled) {
      settled.usedAt = this.#rest.now()
      this.#settled.delete(number)
      this.#settled.set(number, settled)
    }
    const held = settled ?? this.#pending.get(number)
    return held?.revision === revision && held.hash === hash ? held.text : null
  }

  /** `isSettled`: a keyframe has it. */
  hold({ number, revision, hash }: TextName, text: PiecedText, isSettled: boolean): void {
    this.release(number)
    this.#uncommitted.add(number)
    this.#afterCommit(() => this.#uncommitted.delete(number))
    const texts = isSettled ? this.#settled : this.#pending
    texts.set(number, { revision, hash, text, usedAt: this.#rest.now() })
    this.#rest.begin()
    this.#weight += text.length
    for (const one of [this.#settled, this.#pending])
      for (const oldest of one.keys()) {
        if (this.#weight <= mostHeld) return
        this.release(oldest)
      }
  }

  /** A keyframe has this text now. */
  settle({ number, revision, hash }: TextName): void {
    const held = this.#pending.get(number)
    if (held?.revision !== revision || held.hash !== hash) return
    this.#pending.delete(number)
    this.#settled.set(number, held)
    this.#rest.begin()
  }

  release(number: number): void {
    const held = this.#settled.get(number) ?? this.#pending.get(number)
    this.#weight -= held?.text.length ?? 0
    this.#settled.delete(number)
    this.#pending.delete(number)
  }

  /** Forgets what a transaction that was undone has left. */
  forget(): void {
    for (const number of this.#uncommitted) this.release(number)
    this.#uncommitted.clear()
  }
}
