import { randomBytes } from 'node:crypto'
import type { Db } from './database.ts'
import type { DeferredWrites } from './deferred-writes.ts'

export interface WebhookRow {
  id: string
  user_id: string
  url: string
  secret: string
  /** As they were asked for: kinds of events, or groups of them; null for all. */
  kinds: readonly string[] | null
  documents: readonly string[] | null
  inner_network: boolean
  active: boolean
  /** Why Galley switched it off. */
  off_reason: string | null
  /** Up to this event all that it is for are deliveries. */
  cursor: number
  failing_since: number | null
  /** Attempts that failed since the last that didn't. */
  failures: number
  last_error: string | null
  last_delivered_at: number | null
  created_at: number
}

type StoredWebhook = Omit<WebhookRow, 'kinds' | 'documents' | 'inner_network' | 'active'> & {
  kinds: string | null
  documents: string | null
  inner_network: 0 | 1
  active: 0 | 1
}

export type WebhookFields = Pick<WebhookRow, 'url' | 'kinds' | 'documents' | 'inner_network'>
/** What becomes of a webhook with what is sent, and with being switched on and off. */
export type WebhookState = Pick<
  WebhookRow,
  'active' | 'off_reason' | 'failing_since' | 'failures' | 'last_error' | 'last_delivered_at'
>

const list = (stored: string | null) => (stored === null ? null : (JSON.parse(stored) as string[]))
const stored = (values: readonly string[] | null) => (values === null ? null : JSON.stringify(values))

/** Where what happens is told, and how far that is. */
export function webhookStore(db: Db, now: () => number, newId: () => string, deferred: DeferredWrites) {
  const byId = db.prepare<[string], StoredWebhook>('SELECT * FROM webhooks WHERE id = ?')
  const ofUser = db.prepare<[string], StoredWebhook>(
    'SELECT * FROM webhooks WHERE user_id = ? ORDER BY created_at DESC, rowid DESC',
  )
  const all = db.prepare<[], StoredWebhook>('SELECT * FROM webhooks ORDER BY rowid')
  const insert = db.prepare(
    `INSERT INTO webhooks (id, user_id, url, secret, kinds, documents, inner_network, cursor, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(seq), 0) FROM events), ?)`,
  )
  const change = db.prepare(
    'UPDATE webhooks SET url = ?, kinds = ?, documents = ?, inner_network = ? WHERE id = ?',
  )
  const setState = db.prepare<[Record<string, unknown>]>(
    `UPDATE webhooks SET active = @active, off_reason = @off_reason, failing_since = @failing_since,
       failures = @failures, last_error = @last_error, last_delivered_at = @last_delivered_at WHERE id = @id`,
  )
  const advance = db.prepare('UPDATE webhooks SET cursor = max(cursor, ?) WHERE id = ?')
  const remove = db.prepare('DELETE FROM webhooks WHERE id = ?')
  /** How far what it isn't for was passed over. Lost with a crash, it is only looked at again. */
  const passed = deferred.addValues<number>('webhooks', (id, seq) => void advance.run(seq, id), {
    small: true,
  })

  const read = (row: StoredWebhook): WebhookRow => ({
    ...row,
    kinds: list(row.kinds),
    documents: list(row.documents),
    inner_network: row.inner_network === 1,
    active: row.active === 1,
    cursor: Math.max(row.cursor, passed.find(row.id) ?? 0),
  })
  const find = (id: string) => {
    const row = byId.get(id)
    return row && read(row)
  }

  return {
    find,
    list: (userId: string) => ofUser.all(userId).map(read),
    listAll: () => all.all().map(read),
    /** Begins with what happens next. */
    create(userId: string, { url, kinds, documents, inner_network }: WebhookFields): WebhookRow {
      const id = newId()
      const secret = `whsec_${randomBytes(32).toString('base64')}`
      insert.run(id, userId, url, secret, stored(kinds), stored(documents), Number(inner_network), now())
      return find(id)!
    },
    change: (id: string, { url, kinds, documents, inner_network }: WebhookFields) =>
      void change.run(url, stored(kinds), stored(documents), Number(inner_network), id),
    setState: (id: string, state: WebhookState) =>
      void setState.run({
        id,
        active: Number(state.active),
        off_reason: state.off_reason,
        failing_since: state.failing_since,
        failures: state.failures,
        last_error: state.last_error,
        last_delivered_at: state.last_delivered_at,
      }),
    /** In the transaction that makes deliveries of what came up to there. */
    advance: (id: string, seq: number) => void advance.run(seq, id),
    /** Up to there nothing came that it is for. */
    pass: (id: string, seq: number) => passed.put(id, seq),
    delete: (id: string) => remove.run(id).changes > 0,
  }
}
