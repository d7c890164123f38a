import { ApiError, type ClientOf } from '../api/client-of.ts'
import { isForgotten, withoutRevision } from '../api/anchor-revision.ts'
import { UNDO_MS } from '../ui/notice.ts'
import type { FeedbackDelivery, Posted } from './delivery.ts'
import { send, type FeedbackRoute, type Message } from './message.ts'

/** Sends what is said as it is said: for the owner, whose server is theirs. */
export class AtOnce implements FeedbackDelivery {
  readonly undoMs = UNDO_MS
  readonly tellsArrival = false
  readonly #api: Pick<ClientOf<FeedbackRoute>, 'call'>
  readonly #documentId: string

  constructor(api: Pick<ClientOf<FeedbackRoute>, 'call'>, documentId: string) {
    this.#api = api
    this.#documentId = documentId
  }

  settle(): Promise<null> {
    return Promise.resolve(null)
  }

  async post(message: Message, leaving = false): Promise<Posted> {
    const post = (what: Message) =>
      send(this.#api, this.#documentId, what, leaving ? { keepalive: true } : {})
    const record = await post(message).catch((error: unknown) => {
      // What is already gone needs no deleting.
      const isRemoval = message.kind === 'delete' || message.kind === 'withdraw'
      if (isRemoval && error instanceof ApiError && error.code === 'NOT_FOUND') return null
      const anchor = message.kind === 'comment' ? (message.body.anchor ?? null) : null
      // Begun so long ago that nobody remembers that revision: then the words are looked for.
      if (message.kind !== 'comment' || !isForgotten(error, anchor)) throw error
      return post({ ...message, body: { ...message.body, anchor: withoutRevision(anchor) } })
    })
    return { kind: 'sent', record }
  }
}
