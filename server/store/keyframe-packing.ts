import { deflateRaw } from 'node:zlib'
import type { Db } from './database.ts'
import type { AfterCommit, DeferredWrites } from './deferred-writes.ts'
import type { TextName } from './held-texts.ts'
import type { KeyframeStore } from './keyframes.ts'

/** As all that is packed. */
const packing = { level: 3 }

/** Packs keyframes on another thread, to be written then. */
export function createKeyframePacking(
  db: Db,
  keyframes: KeyframeStore,
  deferred: DeferredWrites,
  afterCommit: AfterCommit,
) {
  /** Long newest texts, packed. */
  const newest = new Map<number, { revision: number; hash: number; content: Uint8Array }>()
  /** How often the past of a document was forgotten. */
  const voided = new Map<number, number>()
  const older = deferred.addValues<{ number: number; revision: number; content: Uint8Array }>(
    'packed keyframes',
    (_key, { number, revision, content }) => keyframes.pack(number, revision, content),
    { most: 64 * 1024 * 1024, weigh: ({ content }) => content.length },
  )

  return {
    packNewest({ number, revision, hash }: TextName, text: string, onReady: () => void) {
      deflateRaw(text, packing, (error, content) => {
        if (error || !db.open) return
        newest.set(number, { revision, hash, content })
        onReady()
      })
    },
    /** What was packed of a document's newest text, once: null where that is another text by now. */
    takeNewest({ number, revision, hash }: TextName): Uint8Array | null {
      const ready = newest.get(number)
      newest.delete(number)
      return ready?.revision === revision && ready.hash === hash ? ready.content : null
    },
    forgetNewest: (number: number) => void newest.delete(number),
    /** Its older texts are others now: what was packed of them, or is being packed, is void. */
    forget(number: number) {
      newest.delete(number)
      voided.set(number, (voided.get(number) ?? 0) + 1)
      for (const revision of keyframes.listRevisions(number)) older.drop(`${number} ${revision}`)
    },
    packOlder(number: number) {
      afterCommit(() => {
        const asOf = voided.get(number)
        for (const revision of keyframes.listUnpacked(number)) {
          const text = keyframes.find(number, revision)
          if (typeof text !== 'string') continue
          deflateRaw(text, packing, (error, content) => {
            if (!error && db.open && voided.get(number) === asOf)
              older.put(`${number} ${revision}`, { number, revision, content })
          })
        }
      })
    },
  }
}
