import { unpacked, type KeptText } from '../threads/kept-text.ts'
import { here, type Bench } from '../threads/text-work.ts'
import type { KeyframeMark, KeyframeStore } from './keyframes.ts'
import type { LogStore } from './log.ts'

/** null where it can't be unpacked. */
export const readKept = (kept: KeptText) => here('replay', { kept, revision: 0, entries: [] })

/** Texts as the log makes them, from one keyframe or another. */
export class ReplayedTexts {
  readonly #log: LogStore
  readonly #keyframes: KeyframeStore

  constructor(log: LogStore, keyframes: KeyframeStore) {
    this.#log = log
    this.#keyframes = keyframes
  }

  /** The text as it was at any revision that the log has; null if it isn't known any more, or damaged. */
  at(number: number, revision: number, bench: Bench = here): string | null {
    const entry = this.#log.find(number, revision)
    if (!entry) return null
    let replay = bench
    for (const { revision: from, content: kept } of this.#keyframes.iterate(number, revision)) {
      const entries = this.#log.replayed(number, from, revision)
      if (entries !== null) {
        const text = replay('replay', { kept, revision: from, entries, hash: entry.hash })
        if (text?.length === entry.length) return text
      }
      // What leads around damage is seldom needed, and found here.
      replay = here
    }
    return null
  }

  /** The newest text up to a revision that can be read although the log is damaged. */
  lastReadable(number: number, revision: number): string {
    for (const keyframe of [...this.#keyframes.iterate(number, revision)]) {
      try {
        let text = unpacked(keyframe.content)
        for (const { base, revision: next } of this.#log.since(number, keyframe.revision, revision)) {
          const after = this.#log.replay(number, { revision: base, text }, next)
          if (after === null) break
          text = after
        }
        return text
      } catch {
        continue
      }
    }
    throw new Error(`Document ${number} has no text that can be read`)
  }

  /** Whether the log leads from one keyframe to the text that was saved with another, whatever has become of that one. */
  leads(number: number, { revision: from }: KeyframeMark, { revision: to }: KeyframeMark): boolean {
    const entries = this.#log.replayed(number, from, to)
    const kept = this.#keyframes.find(number, from)
    if (entries === null || kept === undefined) return false
    return here('replay', { kept, revision: from, entries }) !== null
  }
}
