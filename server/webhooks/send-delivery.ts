import { record } from '../actions/record.ts'
import { instantView } from '../actions/view.ts'
import { whileBusy } from '../actions/while-busy.ts'
import type { GalleyEvent } from '../contract/events.ts'
import type { BackOff } from '../platform/back-off.ts'
import type { Store } from '../store/store.ts'
import type { DeliveryRow } from '../store/webhook-deliveries.ts'
import type { WebhookRow } from '../store/webhooks.ts'
import { afterAttempt, webhookAfter } from './retries.ts'
import type { PostOutcome, WebhookRequest } from './post.ts'
import { signedHeaders } from './signature.ts'

/** What sending needs. */
export interface DeliverySending {
  store: Store
  publish: (events: readonly GalleyEvent[]) => void
  post: (posted: WebhookRequest) => Promise<PostOutcome>
  /** Between two attempts. */
  waits: BackOff
}

/**
 * Sends a delivery once and writes down what came of it. What was given up by `signal` may have arrived or not: it stays
 * as it was, and is sent again.
 */
export async function sendDelivery(
  sending: DeliverySending,
  webhook: WebhookRow,
  delivery: DeliveryRow,
  signal: AbortSignal,
): Promise<void> {
  const body = bodyOf(delivery)
  const outcome = await sending.post({
    url: webhook.url,
    headers: signedHeaders(webhook.secret, delivery.id, sending.store.now(), body),
    body,
    innerNetwork: webhook.inner_network,
    signal,
  })
  if (signal.aborted && !outcome.arrived) return
  await whileBusy(() => settle(sending, delivery, outcome))
}

const settle = (
  { store, publish, waits }: DeliverySending,
  { id, webhook }: DeliveryRow,
  outcome: PostOutcome,
) =>
  record(
    { store, publish },
    () => null,
    (happened) => {
      const now = store.now()
      // Either may be another by now, or gone.
      const delivery = store.deliveries.find(webhook, id)
      const state = store.webhooks.find(webhook)
      if (!delivery || !state) return
      store.deliveries.set(id, afterAttempt(delivery, outcome, now, waits))
      const { state: after, isStopped } = webhookAfter(state, outcome, now)
      store.webhooks.setState(webhook, after)
      if (isStopped) happened({ kind: 'webhook.stopped', owner: state.user_id, subject: webhook })
    },
  )

/** The same each time it is sent. Its `data` is what `GET /api/events` has, or says that this is a test. */
function bodyOf({ event, webhook, created_at }: DeliveryRow): string {
  const [type, timestamp, data] = event
    ? [event.kind, event.at, event]
    : ['webhook.ping', instantView(created_at), { webhook_id: webhook }]
  return JSON.stringify({ type, timestamp, data })
}
