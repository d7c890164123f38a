import type { DeferredWrite, DeferredWrites } from './deferred-writes.ts'

/** One transaction's worth of keyframes that are written later. */
const batchCharacters = 1024 * 1024

/** Documents whose newest keyframe lags behind their text. It is written once nobody has changed them for a while. */
export class LaggingKeyframes {
  /** By document: whether it has changed since that was last looked at. */
  readonly #changed = new Map<number, boolean>()
  readonly #later: DeferredWrite
  /** Writes the keyframe of a document, and says how many characters that took. */
  readonly #write: (number: number, atOnce: boolean) => number

  constructor(deferred: DeferredWrites, write: (number: number, atOnce: boolean) => number) {
    this.#write = write
    this.#later = deferred.add('keyframes', (atOnce) => this.#writeSome(atOnce), { delay: 5_000 })
  }

  has = (number: number) => this.#changed.has(number)

  /** The document has just been changed, or read from its log. */
  add(number: number): void {
    this.#changed.set(number, true)
    this.#later.soon()
  }

  /** All that its keyframe needs is there. */
  addReady(number: number): void {
    if (!this.#changed.has(number)) this.#changed.set(number, false)
    this.#later.soon()
  }

  remove(number: number): void {
    this.#changed.delete(number)
  }

  #writeSome(atOnce: boolean): boolean {
    let characters = 0
    for (const [number, changed] of this.#changed) {
      if (characters >= batchCharacters) return true
      if (changed && !atOnce) this.#changed.set(number, false)
      else characters += this.#write(number, atOnce)
    }
    if (!atOnce && this.#changed.size > 0) this.#later.soon()
    return false
  }
}
