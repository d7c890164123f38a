import { day, hour } from '../contract/durations.ts'
import { limits } from '../contract/limits.ts'
import { backOff, type BackOff } from '../platform/back-off.ts'
import type { Attempted, DeliveryRow } from '../store/webhook-deliveries.ts'
import type { WebhookRow, WebhookState } from '../store/webhooks.ts'
import type { PostOutcome } from './post.ts'

/** Between two attempts: half a minute's worth of them at first, then one an hour. */
export const usualBackOff: BackOff = { first: 5_000, longest: hour, random: Math.random }

/** What an attempt makes of its delivery. */
export function afterAttempt(
  row: DeliveryRow,
  { arrived, status: response, error, retryAfter }: PostOutcome,
  now: number,
  waits: BackOff,
): Attempted {
  const attempts = row.attempts + 1
  const due_since = row.due_since ?? now
  const made = { attempts, due_since, last_at: now, next_at: now, response, error }
  if (arrived) return { ...made, status: 'delivered' }
  const isTried =
    now - due_since >= limits.webhookRetryHours * hour && attempts >= limits.webhookLeastAttempts
  if (row.by_hand || isTried) return { ...made, status: 'failed' }
  const wait = Math.max(backOff(row.attempts, waits), Math.min(retryAfter, waits.longest))
  return { ...made, status: 'waiting', next_at: now + wait }
}

/** What it makes of its webhook, and whether that is switched off by it. */
export function webhookAfter(row: WebhookRow, { arrived, status, error }: PostOutcome, now: number) {
  const { active, off_reason, last_delivered_at } = row
  if (arrived) {
    const state = { failing_since: null, failures: 0, last_error: null, last_delivered_at: now }
    return { state: { active, off_reason, ...state } satisfies WebhookState, isStopped: false }
  }
  const failing_since = row.failing_since ?? now
  const failures = row.failures + 1
  const isLong =
    now - failing_since >= limits.webhookFailingDays * day && failures >= limits.webhookLeastAttempts
  const reason =
    status === 410
      ? 'It answered 410: it wants nothing any more.'
      : isLong
        ? `Nothing has arrived for ${limits.webhookFailingDays} days. ${error ?? ''}`.trim()
        : null
  const isStopped = active && reason !== null
  const state: WebhookState = {
    active: active && !isStopped,
    off_reason: isStopped ? reason : off_reason,
    ...{ failing_since, failures, last_error: error, last_delivered_at },
  }
  return { state, isStopped }
}
