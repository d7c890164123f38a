import { unpacked, type KeptText } from '../threads/kept-text.ts'
import { here, type Bench } from '../threads/text-work.ts'
import { isCorrupt } from './database-trouble.ts'
import type { KeyframeMark, KeyframeStore } from './keyframes.ts'
import type { LogStore } from './log.ts'
import { unlessUnreadable } from './readable.ts'

/** null where it can't be unpacked. */
export const readKept = (kept: KeptText) => here('replay', { kept, revision: 0, entries: [] })

/** Neither the text of a document as it is now can be read, nor any that it had before. */
export class NoReadableText extends Error {}

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

  /** Reads once more what a text is made from, to learn whether it was only the disk that failed: then that is thrown. */
  requireRead(number: number, revision: number): void {
    unlessUnreadable(() => {
      const from = this.#keyframes.mark(number, revision)?.revision
      if (from !== undefined) this.#keyframes.read(number, from)
      this.#log.since(number, from ?? 0, revision)
    }, isCorrupt)
  }

  /** The newest text up to a revision that can be read although the log is damaged. */
  lastReadable(number: number, revision: number): string {
    const { first, behind } = this.#log.readable(number)
    const entries = [...first, ...(behind ?? [])]
    for (const keyframe of this.#keyframes.iterate(number, revision)) {
      try {
        let text = unpacked(keyframe.content)
        for (const { base, revision: next } of entries) {
          if (next <= keyframe.revision || next > revision) continue
          const after = this.#log.replay(number, { revision: base, text }, next)
          if (after === null) break
          text = after
        }
        return text
      } catch {
        continue
      }
    }
    throw new NoReadableText()
  }

  /** Whether the log leads from one keyframe to the text that was saved with another, whatever has become of that one. */
  leads(number: number, { revision: from }: KeyframeMark, { revision: to }: KeyframeMark): boolean {
    const entries = this.#log.replayed(number, from, to)
    const kept = this.#keyframes.find(number, from)
    if (entries === null || kept === undefined) return false
    return here('replay', { kept, revision: from, entries }) !== null
  }
}
