import type { AfterCommit } from './deferred-writes.ts'

/** What names a text of a document. */
export interface TextName {
  number: number
  revision: number
  hash: number
}

/** Texts held in memory, in UTF-16 units. */
const mostHeld = 16 * 1024 * 1024

/** Newest texts that no keyframe has yet, in memory; those changed longest ago go first where there are too many. */
export class HeldTexts {
  readonly #texts = new Map<number, { revision: number; hash: number; text: string }>()
  /** Those of the transaction that is under way. */
  readonly #uncommitted = new Set<number>()
  readonly #afterCommit: AfterCommit
  #weight = 0

  constructor(afterCommit: AfterCommit) {
    this.#afterCommit = afterCommit
  }

  find({ number, revision, hash }: TextName): string | null {
    const held = this.#texts.get(number)
    return held?.revision === revision && held.hash === hash ? held.text : null
  }

  hold({ number, revision, hash }: TextName, text: string): void {
    this.release(number)
    this.#uncommitted.add(number)
    this.#afterCommit(() => this.#uncommitted.delete(number))
    this.#texts.set(number, { revision, hash, text })
    this.#weight += text.length
    for (const oldest of this.#texts.keys()) {
      if (this.#weight <= mostHeld) break
      this.release(oldest)
    }
  }

  release(number: number): void {
    this.#weight -= this.#texts.get(number)?.text.length ?? 0
    this.#texts.delete(number)
  }

  /** Forgets what a transaction that was undone has left. */
  forget(): void {
    for (const number of this.#uncommitted) this.release(number)
    this.#uncommitted.clear()
  }
}
