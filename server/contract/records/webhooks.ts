import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { EventRecord } from './events.ts'
import { Id, NullableTimestamp, Timestamp, nullable } from './fields.ts'

export const Webhook = Type.Object({
  id: Id,
  url: Type.String({ examples: ['https://hooks.example.org/galley'] }),
  kinds: Type.Union([Type.Array(Type.String({ examples: ['comment'] })), Type.Null()], {
    description: 'The kinds of events that it is told, or what stands before their dot. Null: all.',
    examples: [null],
  }),
  documents: Type.Union([Type.Array(Id), Type.Null()], {
    description: 'The only documents whose events it is told. Null: all, and what is about none.',
    examples: [null],
  }),
  inner_network: Type.Boolean({
    description: 'Whether its address may be one of this machine or of the network it is in.',
    examples: [false],
  }),
  active: Type.Boolean({ examples: [true] }),
  off_reason: nullable(
    Type.String({
      description: 'Why Galley switched it off; null where Galley didn’t.',
      examples: ['It has answered nothing for 3 days.'],
    }),
  ),
  waiting: Type.Integer({
    minimum: 0,
    description: 'How many deliveries wait to be sent, or to be sent again.',
    examples: [0],
  }),
  failing_since: NullableTimestamp(
    'Since when nothing has arrived of what was sent; null while it does.',
    null,
  ),
  last_error: nullable(
    Type.String({
      description: 'Why the last one that failed did, while it fails.',
      examples: ['It answered 500.'],
    }),
  ),
  last_delivered_at: NullableTimestamp('When something arrived last.'),
  created_at: Timestamp,
})
export type Webhook = Static<typeof Webhook>

export const NewWebhook = Type.Object({
  ...Webhook.properties,
  secret: Type.String({
    pattern: '^whsec_[A-Za-z0-9+/=]+$',
    description: 'What deliveries are signed with, shown this once.',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
  }),
})
export type NewWebhook = Static<typeof NewWebhook>

export const Delivery = Type.Object({
  id: Type.String({
    format: 'uuid',
    description: 'The `webhook-id` that it is sent with, each time the same.',
    examples: ['3f0c2a4e-8a55-4b0c-9d36-5a2f6c1e7b90'],
  }),
  status: Type.Enum(['waiting', 'delivered', 'failed'], {
    description: `\`waiting\`: to be sent, or to be sent again; \`delivered\`: answered with 2xx; \`failed\`: tried for ${limits.webhookRetryHours} hours, or by hand.`,
    examples: ['delivered'],
  }),
  event: Type.Union([EventRecord, Type.Null()], {
    description: 'What it says has happened; null for a test.',
  }),
  attempts: Type.Integer({ minimum: 0, examples: [1] }),
  created_at: Timestamp,
  last_attempt_at: NullableTimestamp('When it was last tried.'),
  next_attempt_at: NullableTimestamp(
    'When it is tried next, unless an earlier one of its document still waits; null where it isn’t.',
    null,
  ),
  response_status: nullable(
    Type.Integer({ description: 'What the last attempt was answered with, if it was.', examples: [204] }),
  ),
  error: nullable(
    Type.String({ description: 'Why the last attempt failed, in words.', examples: ['It answered 500.'] }),
  ),
})
export type Delivery = Static<typeof Delivery>
