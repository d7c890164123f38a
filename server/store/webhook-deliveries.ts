import { day } from '../contract/durations.ts'
import { limits } from '../contract/limits.ts'
import type { EventRecord } from '../contract/records/events.ts'
import type { Delivery } from '../contract/records/webhooks.ts'
import type { Db } from './database.ts'

export interface DeliveryRow {
  number: number
  id: string
  webhook: string
  /** Those that wait in one lane are sent one after the other. */
  lane: string
  /** What it says has happened; null for a test. */
  event: EventRecord | null
  status: Delivery['status']
  /** Asked for by somebody: it is tried once, waits for no other, and no other waits for it. */
  by_hand: boolean
  attempts: number
  created_at: number
  /** When it was first tried, since it was last begun with. */
  due_since: number | null
  next_at: number
  last_at: number | null
  /** The status of the last answer. */
  response: number | null
  error: string | null
}
type StoredDelivery = Omit<DeliveryRow, 'event' | 'by_hand'> & { event: string | null; by_hand: 0 | 1 }

/** What an attempt makes of a delivery. */
export type Attempted = Pick<
  DeliveryRow,
  'status' | 'attempts' | 'due_since' | 'next_at' | 'last_at' | 'response' | 'error'
>

/** So many that are over are deleted at one time. */
const sweptAtOnce = 500

const read = (row: StoredDelivery): DeliveryRow => ({
  ...row,
  event: row.event === null ? null : (JSON.parse(row.event) as EventRecord),
  by_hand: row.by_hand === 1,
})

/** What webhooks are sent: what waits, and what became of the rest. */
export function deliveryStore(db: Db, now: () => number, newId: () => string) {
  const insert = db.prepare(
    'INSERT INTO webhook_deliveries (id, webhook, lane, event, by_hand, created_at, next_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const byId = db.prepare<[string, string], StoredDelivery>(
    'SELECT * FROM webhook_deliveries WHERE webhook = ? AND id = ?',
  )
  const page = db.prepare<[Record<string, unknown>], StoredDelivery>(
    `SELECT * FROM webhook_deliveries WHERE webhook = @webhook AND (@status IS NULL OR status = @status)
     ORDER BY number DESC LIMIT @limit OFFSET @offset`,
  )
  const waiting = db
    .prepare<[string], number>(
      "SELECT count(*) FROM webhook_deliveries WHERE webhook = ? AND status = 'waiting'",
    )
    .pluck()
  /** Those that no earlier one holds up. */
  const heads = `FROM webhook_deliveries d WHERE webhook = @webhook AND status = 'waiting'
    AND (by_hand = 1 OR (@active AND NOT EXISTS (SELECT 1 FROM webhook_deliveries e
      WHERE e.webhook = d.webhook AND e.by_hand = 0 AND e.lane = d.lane AND e.status = 'waiting' AND e.number < d.number)))`
  const due = db.prepare<[Record<string, unknown>], StoredDelivery>(
    `SELECT * ${heads} AND next_at <= @now ORDER BY by_hand DESC, number LIMIT @limit`,
  )
  const next = db
    .prepare<[Record<string, unknown>], number | null>(`SELECT min(next_at) ${heads} AND next_at > @now`)
    .pluck()
  const set = db.prepare<[Record<string, unknown>]>(
    `UPDATE webhook_deliveries SET status = @status, attempts = @attempts, due_since = @due_since, next_at = @next_at,
       last_at = @last_at, response = @response, error = @error WHERE id = @id`,
  )
  const beginAnew = db.prepare(
    "UPDATE webhook_deliveries SET due_since = NULL, next_at = ? WHERE webhook = ? AND status = 'waiting' AND by_hand = 0",
  )
  const hasten = db.prepare<[number, string, number, string, number]>(
    `UPDATE webhook_deliveries SET next_at = ? WHERE webhook = ? AND status = 'waiting' AND by_hand = ? AND lane = ?
       AND number <= ?`,
  )
  const again = db.prepare(
    "UPDATE webhook_deliveries SET status = 'waiting', by_hand = 1, due_since = NULL, next_at = ? WHERE id = ?",
  )
  const sweep = db.prepare(
    `DELETE FROM webhook_deliveries WHERE number IN (
       SELECT number FROM webhook_deliveries WHERE webhook = @webhook AND status <> 'waiting' AND (created_at < @before
         OR number <= (SELECT number FROM webhook_deliveries WHERE webhook = @webhook AND status <> 'waiting'
           ORDER BY number DESC LIMIT 1 OFFSET ${limits.webhookDeliveries}))
       ORDER BY number LIMIT ${sweptAtOnce})`,
  )
  const find = (webhook: string, id: string) => {
    const row = byId.get(webhook, id)
    return row && read(row)
  }

  return {
    find,
    /** Adds what is to be sent; `null` for a test, which is sent by hand. */
    add(webhook: string, event: EventRecord | null): DeliveryRow {
      const id = newId()
      const lane = event?.document_id ?? ''
      const json = event && JSON.stringify(event)
      insert.run(id, webhook, lane, json, event === null ? 1 : 0, now(), now())
      return find(webhook, id)!
    },
    list: (webhook: string, { limit, offset, status }: ListedPart): DeliveryRow[] =>
      page.all({ webhook, limit, offset, status: status ?? null }).map(read),
    countWaiting: (webhook: string) => waiting.get(webhook)!,
    /** What is to be sent now, the longest known first; of one that isn't active, only what was asked for by hand. */
    listDue: (webhook: { id: string; active: boolean }, limit: number): DeliveryRow[] =>
      due.all({ webhook: webhook.id, active: Number(webhook.active), now: now(), limit }).map(read),
    /** When the next is due of those that aren't yet. */
    nextDue: (webhook: { id: string; active: boolean }): number | null =>
      next.get({ webhook: webhook.id, active: Number(webhook.active), now: now() }) ?? null,
    set: (id: string, attempted: Attempted) => void set.run({ id, ...attempted }),
    /** What waits is due now, and has all its time before it. */
    beginAnew: (webhook: string) => void beginAnew.run(now(), webhook),
    /** Is tried now: where it waits, as soon as those before it have arrived, which are tried now, too; once where it was over. */
    sendAgain({ id, number, webhook, lane, by_hand, status }: DeliveryRow) {
      if (status === 'waiting') hasten.run(now(), webhook, Number(by_hand), lane, number)
      else again.run(now(), id)
    },
    /** Forgets some of those that were over long ago. */
    sweep: (webhook: string) => void sweep.run({ webhook, before: now() - limits.webhookDeliveryDays * day }),
  }
}

interface ListedPart {
  limit: number
  offset: number
  status?: Delivery['status'] | undefined
}
