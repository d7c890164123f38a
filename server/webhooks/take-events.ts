import { setImmediate as letOthers } from 'node:timers/promises'
import { kindsOf } from '../actions/kinds-of-events.ts'
import { eventView } from '../actions/view.ts'
import { whileBusy } from '../actions/while-busy.ts'
import { limits } from '../contract/limits.ts'
import type { Store } from '../store/store.ts'
import type { WebhookRow } from '../store/webhooks.ts'

const takenAtOnce = 100

/**
 * Makes deliveries of what has happened since a webhook was looked at last: each in the transaction that says so, so
 * that none is made twice and none is left out. Of what can't be sent only so much waits here; the rest stays an event.
 */
export async function takeEvents(
  store: Store,
  { id }: { id: string },
  isEnded: () => boolean,
): Promise<void> {
  while (!isEnded()) {
    const webhook = store.webhooks.find(id)
    if (!webhook?.active) return
    const room = limits.webhookWaiting - store.deliveries.countWaiting(id)
    if (room <= 0) return
    const from = Math.max(webhook.cursor, store.events.oldest() - 1)
    const slice = store.events.slice(from, Math.min(room, takenAtOnce), {
      ownerId: webhook.user_id,
      kinds: webhook.kinds ? kindsOf(webhook.kinds) : undefined,
      among: webhook.documents ?? undefined,
    })
    if (slice.events.length > 0)
      await whileBusy(() =>
        store.write(() => {
          const now = store.webhooks.find(id)
          // What was looked for before it was changed isn’t what it is for.
          if (!now || !isSame(now, webhook)) return
          for (const event of slice.events) store.deliveries.add(id, eventView(event))
          store.webhooks.advance(id, slice.upTo)
          store.deliveries.sweep(id)
        }),
      )
    else if (slice.upTo > webhook.cursor) store.webhooks.pass(id, slice.upTo)
    if (slice.isLast) return
    await letOthers()
  }
}

const isSame = (now: WebhookRow, then: WebhookRow) =>
  now.active && now.cursor === then.cursor && what(now) === what(then)
const what = ({ kinds, documents }: WebhookRow) => JSON.stringify([kinds, documents])
