import * as webhooks from '../../actions/webhooks.ts'
import { webhookRoutes } from '../../contract/routes.ts'
import { mount, type Mounting } from '../mount.ts'

export function webhookHandlers(mounting: Mounting) {
  mount(mounting, webhookRoutes.listWebhooks, webhooks.listWebhooks, (call) => call.perform())
  mount(mounting, webhookRoutes.createWebhook, webhooks.createWebhook, (call) => call.perform(call.body))
  mount(mounting, webhookRoutes.updateWebhook, webhooks.updateWebhook, (call) => call.perform(call.body))
  mount(mounting, webhookRoutes.deleteWebhook, webhooks.deleteWebhook, (call) => call.perform())
  mount(mounting, webhookRoutes.pingWebhook, webhooks.pingWebhook, (call) => call.perform())
  mount(mounting, webhookRoutes.listDeliveries, webhooks.listDeliveries, (call) => call.perform(call.query))
  mount(mounting, webhookRoutes.redeliver, webhooks.redeliver, (call) => call.perform())
}
