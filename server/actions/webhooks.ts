import { invalid, notFound } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import type { Delivery, NewWebhook, Webhook } from '../contract/records/webhooks.ts'
import type { BodyOf, QueryOf } from '../contract/route.ts'
import { webhookRoutes } from '../contract/routes/webhooks.ts'
import { webhookUrlProblem } from '../domain/webhook-url.ts'
import type { WebhookFields, WebhookRow } from '../store/webhooks.ts'
import { accountAction } from './action.ts'
import { chosenFrom } from './chosen-from.ts'
import type { ActionContext } from './context.ts'
import { kindsOf } from './kinds-of-events.ts'
import { isOwnUser, ownUserOnly } from './own-user.ts'
import type { AccountTask } from './task.ts'
import { deliveryView, webhookView } from './view.ts'

export interface WebhookContext extends ActionContext {
  /** What sends; `soon` has it look at what there is to send. */
  webhooks: { soon(): void }
}
type WebhookTask = AccountTask<WebhookContext>

function find({ store, principal, target }: WebhookTask): WebhookRow {
  const row = store.webhooks.find(target['id'] ?? '')
  if (row?.user_id !== principal.user.id) throw notFound('Webhook')
  return row
}
function findDelivery(task: WebhookTask) {
  const row = task.store.deliveries.find(find(task).id, task.target['delivery_id'] ?? '')
  if (!row) throw notFound('Delivery')
  return row
}

const view = ({ store }: WebhookTask, row: WebhookRow): Webhook =>
  webhookView(row, store.deliveries.countWaiting(row.id))

const mayReachWithin = ownUserOnly(
  'Only the user this machine belongs to may have webhooks to its own network. Leave “inner_network” out, and give an “https” address on the internet.',
)
/** To others a webhook would tell what answers in a network that isn't theirs. */
function permitInput(task: WebhookTask, { inner_network }: Readonly<Record<string, unknown>>) {
  if (inner_network === true) mayReachWithin(task)
}

/** Once it is committed. */
const lookSoon = ({ store, context }: WebhookTask) => store.afterCommit(() => context.webhooks.soon())

/** @throws GalleyError VALIDATION_ERROR */
function fieldsFrom(task: WebhookTask, input: BodyOf<typeof webhookRoutes.createWebhook>): WebhookFields {
  const { store, principal } = task
  const { url, kinds = null, documents, inner_network = false } = input
  const problem = webhookUrlProblem(url, inner_network, isOwnUser(task))
  if (problem !== null) throw invalid(`“url” ${problem}`, 'url')
  kindsOf(kinds ?? undefined, 'kinds')
  return {
    url,
    kinds: kinds && [...new Set(kinds)],
    documents: chosenFrom(store, principal, documents),
    inner_network,
  }
}

export const listWebhooks = accountAction({
  right: 'webhook.manage',
  effect: 'reads',
  run: (task: WebhookTask): Webhook[] =>
    task.store.webhooks.list(task.principal.user.id).map((row) => view(task, row)),
})

export const createWebhook = accountAction({
  right: 'webhook.manage',
  effect: 'writes',
  accepts: webhookRoutes.createWebhook.body,
  permitInput,
  run(task: WebhookTask, input: BodyOf<typeof webhookRoutes.createWebhook>, happened): NewWebhook {
    const { store, principal } = task
    const fields = fieldsFrom(task, input)
    if (store.webhooks.list(principal.user.id).length >= limits.webhooks)
      throw invalid(`There can be ${limits.webhooks} webhooks. Delete one that you don’t need.`)
    const row = store.webhooks.create(principal.user.id, fields)
    happened({ kind: 'webhook.created', subject: row.id })
    // It is told what happens from then on, which this isn't.
    store.webhooks.advance(row.id, store.events.newest())
    lookSoon(task)
    return { ...view(task, row), secret: row.secret }
  },
})

export const updateWebhook = accountAction({
  right: 'webhook.manage',
  effect: 'writes',
  accepts: webhookRoutes.updateWebhook.body,
  permitInput,
  find,
  run(
    task: WebhookTask,
    { active, ...changes }: BodyOf<typeof webhookRoutes.updateWebhook>,
    happened,
  ): Webhook {
    const { store } = task
    const before = find(task)
    // Documents that were chosen before may be gone, which is no fault of what is changed now.
    const { documents, ...fields } = fieldsFrom(task, {
      ...before,
      kinds: listOrNull(before.kinds),
      documents: null,
      ...changes,
    })
    store.webhooks.change(before.id, {
      ...fields,
      documents: changes.documents === undefined ? before.documents : documents,
    })
    const isOn = active ?? before.active
    const isBegun =
      isOn && (!before.active || fields.url !== before.url || fields.inner_network !== before.inner_network)
    store.webhooks.setState(before.id, {
      ...before,
      active: isOn,
      // Whoever has switched it knows why.
      off_reason: active === undefined ? before.off_reason : null,
      ...(isBegun ? { failing_since: null, failures: 0, last_error: null } : {}),
    })
    if (isBegun) store.deliveries.beginAnew(before.id)
    happened({ kind: 'webhook.changed', subject: before.id })
    lookSoon(task)
    return view(task, store.webhooks.find(before.id)!)
  },
})

const listOrNull = (values: readonly string[] | null) => values && [...values]

export const deleteWebhook = accountAction({
  right: 'webhook.manage',
  effect: 'writes',
  find,
  run(task: WebhookTask, _input: void, happened) {
    const { id } = find(task)
    task.store.webhooks.delete(id)
    happened({ kind: 'webhook.deleted', subject: id })
    lookSoon(task)
    return { deleted: true as const }
  },
})

export const pingWebhook = accountAction({
  right: 'webhook.manage',
  effect: 'writes',
  find,
  run(task: WebhookTask): Delivery {
    lookSoon(task)
    return deliveryView(task.store.deliveries.add(find(task).id, null))
  },
})

export const listDeliveries = accountAction({
  right: 'webhook.manage',
  effect: 'reads',
  find,
  run(
    task: WebhookTask,
    { limit, offset = 0, status }: QueryOf<typeof webhookRoutes.listDeliveries>,
  ): Delivery[] {
    const most = Math.min(limit ?? limits.webhookPage, limits.webhookPageMax)
    return task.store.deliveries.list(find(task).id, { limit: most, offset, status }).map(deliveryView)
  },
})

export const redeliver = accountAction({
  right: 'webhook.manage',
  effect: 'writes',
  find: findDelivery,
  run(task: WebhookTask): Delivery {
    const row = findDelivery(task)
    task.store.deliveries.sendAgain(row)
    lookSoon(task)
    return deliveryView(task.store.deliveries.find(row.webhook, row.id)!)
  },
})
