import { Type } from 'typebox'
import { eventKinds } from '../events.ts'
import { limits } from '../limits.ts'
import { Delivery, NewWebhook, Webhook } from '../records/webhooks.ts'
import { defineRoute, defineRoutes } from '../route.ts'
import { Deleted } from './parts.ts'

const fields = {
  url: Type.String({
    minLength: 1,
    maxLength: limits.webhookUrlLength,
    description: 'Where to send: an `https` address; `http` too, where `inner_network` is set.',
    examples: ['https://hooks.example.org/galley'],
  }),
  kinds: Type.Optional(
    Type.Union(
      [
        Type.Array(Type.String({ maxLength: 40, examples: ['comment'] }), {
          minItems: 1,
          maxItems: eventKinds.length,
        }),
        Type.Null(),
      ],
      {
        description: `Only events of these kinds: ${eventKinds.map((kind) => `\`${kind}\``).join(', ')}. What stands before the dot stands for all of those. Null: all.`,
        examples: [['comment', 'suggestion.created']],
      },
    ),
  ),
  documents: Type.Optional(
    Type.Union(
      [
        Type.Array(Type.String({ examples: ['3f0c2a4e-8a55-4b0c-9d36-5a2f6c1e7b90'] }), {
          minItems: 1,
          maxItems: limits.webhookDocuments,
        }),
        Type.Null(),
      ],
      { description: 'Only events of the documents with these ids. Null: all.', examples: [null] },
    ),
  ),
  inner_network: Type.Optional(
    Type.Boolean({
      description:
        'Whether its address may be one of this machine or of the network it is in (loopback, private, link-local and shared addresses, and others that aren’t of the public internet). Unless it is said, nothing is sent there, whatever its name leads to. Only the user this machine belongs to may say it: others get 403.',
      examples: [false],
    }),
  ),
}

export const webhookRoutes = defineRoutes('Webhooks', {
  listWebhooks: defineRoute({
    about: 'account',
    method: 'GET',
    url: '/api/webhooks',
    summary: 'List your webhooks',
    description:
      'The newest first, without their secrets. An address may hold a secret, so webhooks are only for the app and for keys with full access.',
    data: Type.Array(Webhook),
  }),
  createWebhook: defineRoute({
    about: 'account',
    method: 'POST',
    url: '/api/webhooks',
    summary: 'Create a webhook',
    description: `From then on, what happens is sent there by POST: \`{"type", "timestamp", "data"}\`, where \`data\` is the event as \`GET /api/events\` has it, without any text. It is signed as Standard Webhooks says (\`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`) with the secret, which the answer holds this once. Any answer of 2xx within ${limits.webhookSeconds} seconds says that it has arrived; redirects aren’t followed. What hasn’t arrived is sent again, later and later, for ${limits.webhookRetryHours} hours. Each comes at least once, and those of one document in order. Where nothing has arrived for ${limits.webhookFailingDays} days, or the answer is 410, Galley switches the webhook off, and says so. At most ${limits.webhooks} of an account.`,
    body: Type.Object(fields),
    status: 201,
    data: NewWebhook,
    errors: ['VALIDATION_ERROR'],
  }),
  updateWebhook: defineRoute({
    about: 'account',
    method: 'PATCH',
    url: '/api/webhooks/:id',
    summary: 'Change a webhook, or switch it on or off',
    description:
      'Only the fields sent change; at least one must be sent. One that is off sends nothing; switched on, it goes on where it stopped, as far as events are kept.',
    body: Type.Object(
      {
        ...fields,
        url: Type.Optional(fields.url),
        active: Type.Optional(Type.Boolean({ examples: [true] })),
      },
      { anyOf: [...Object.keys(fields), 'active'].map((name) => ({ required: [name] })) },
    ),
    data: Webhook,
    errors: ['VALIDATION_ERROR'],
  }),
  deleteWebhook: defineRoute({
    about: 'account',
    method: 'DELETE',
    url: '/api/webhooks/:id',
    summary: 'Delete a webhook',
    description: 'With its deliveries; what waits isn’t sent any more.',
    data: Deleted,
  }),
  pingWebhook: defineRoute({
    about: 'account',
    method: 'POST',
    url: '/api/webhooks/:id/ping',
    summary: 'Send a test',
    description:
      'Sends `{"type": "webhook.ping", "timestamp", "data": {"webhook_id"}}`, also while the webhook is off. It is tried once, a moment later: its delivery says what came of it.',
    status: 201,
    data: Delivery,
  }),
  listDeliveries: defineRoute({
    about: 'account',
    method: 'GET',
    url: '/api/webhooks/:id/deliveries',
    summary: 'List what was sent, and what waits',
    description: `The newest first. Those that are over are kept for ${limits.webhookDeliveryDays} days, and ${limits.webhookDeliveries} of them at most.`,
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          default: limits.webhookPage,
          description: `Above ${limits.webhookPageMax} it is taken as ${limits.webhookPageMax}.`,
          examples: [50],
        }),
      ),
      offset: Type.Optional(Type.Integer({ minimum: 0, default: 0, examples: [0] })),
      status: Type.Optional(Type.Enum(['waiting', 'delivered', 'failed'], { examples: ['delivered'] })),
    }),
    data: Type.Array(Delivery),
    errors: ['VALIDATION_ERROR'],
  }),
  redeliver: defineRoute({
    about: 'account',
    method: 'POST',
    url: '/api/webhooks/:id/deliveries/:delivery_id/redeliver',
    summary: 'Send a delivery again',
    description:
      'With the `webhook-id` it had. One that is over is tried once, also while the webhook is off; one that waits is tried now rather than later, after those of its document that wait before it.',
    repeatable: true,
    data: Delivery,
  }),
})
