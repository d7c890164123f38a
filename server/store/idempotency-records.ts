import { day, hour } from '../contract/durations.ts'
import { limits } from '../contract/limits.ts'
import type { Db } from './database.ts'

export interface IdempotencyRecord {
  /** Digest of the request that was answered. */
  request: Buffer
  /** Null where only that there was an answer is known. */
  sealed: Buffer | null
}

const answered = limits.idempotencyAnswerHours * hour
const remembered = limits.idempotencyDays * day

/**
 * What was answered to requests that may be made again, by a name that only who asked can say: the answer for a
 * day, and for sixty that there was one.
 */
export function idempotencyRecordStore(db: Db, now: () => number) {
  const one = db.prepare<[Buffer, number], { request: Buffer; sealed: Buffer; at: number }>(
    'SELECT request, sealed, at FROM idempotency_records WHERE name = ? AND at > ?',
  )
  const put = db.prepare(
    'INSERT OR REPLACE INTO idempotency_records (name, request, at, sealed) VALUES (?, ?, ?, ?)',
  )
  const sweep = db.prepare('DELETE FROM idempotency_records WHERE at <= ?')
  const forget = db.prepare("UPDATE idempotency_records SET sealed = x'' WHERE at > ? AND at <= ?")
  let forgottenUntil = 0
  // In memory: a restart forgives.
  const takenByLink = new Map<string, number>()
  let countedSince = now()

  /** Whether an answer to a guest of a link has room beside the others of the day, which it then takes. */
  function hasRoom(link: string, bytes: number): boolean {
    if (now() - countedSince >= day) {
      takenByLink.clear()
      countedSince = now()
    }
    const taken = (takenByLink.get(link) ?? 0) + bytes
    if (taken > limits.guestAnswersBytes) return false
    takenByLink.set(link, taken)
    return true
  }

  return {
    find(name: Buffer): IdempotencyRecord | undefined {
      const found = one.get(name, now() - remembered)
      const isKept = found && found.sealed.length > 0 && found.at > now() - answered
      return found && { request: found.request, sealed: isKept ? found.sealed : null }
    },
    /**
     * Inside the transaction of what is answered, so that both are kept or neither is. `guestOf` is the link of a guest
     * who was answered.
     */
    keep(name: Buffer, { request, sealed }: IdempotencyRecord, guestOf?: string) {
      sweep.run(now() - remembered)
      forget.run(forgottenUntil, now() - answered)
      forgottenUntil = now() - answered
      const isKept = sealed && (guestOf === undefined || hasRoom(guestOf, sealed.length))
      put.run(name, request, now(), isKept ? sealed : Buffer.alloc(0))
    },
  }
}
