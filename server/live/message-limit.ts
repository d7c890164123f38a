import { liveLimits } from '../contract/live-limits.ts'

/** Counts what comes on one live connection: it may say so many messages a minute. */
export class MessageLimit {
  #said = 0
  readonly #forgiving = setInterval(() => (this.#said = 0), 60_000).unref()

  /** Whether one more is allowed; who follows a text may say more than who doesn’t. */
  takes(isFollowing: boolean): boolean {
    const most = isFollowing ? liveLimits.followersMessagesPerMinute : liveLimits.messagesPerMinute
    return ++this.#said <= most
  }

  stop(): void {
    clearInterval(this.#forgiving)
  }
}
