import type { FeedbackDelivery } from '../../feedback/delivery.ts'
import type { Outbox } from './outbox.svelte.ts'

/** Keeps what is said here until it is delivered: for recipients, from whom the server may be away. */
export const throughOutbox = (outbox: Outbox): FeedbackDelivery => ({
  undoMs: 0,
  tellsArrival: true,
  post: (message) => outbox.post(message),
  async settle(posted) {
    await outbox.settle()
    if (posted.kind === 'sent') return null
    const { key } = posted.entry
    const passes = outbox.entries.some((entry) => entry.key === key && !outbox.lasts(entry))
    return passes
      ? 'Keep this page open: what you wrote waits on it alone.'
      : 'Kept here. It will be delivered.'
  },
})
