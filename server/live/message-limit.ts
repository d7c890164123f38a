import { liveLimits } from '../contract/live-limits.ts'

/** Counts what comes on one live connection: it may say so many messages a minute, and so many of these a second. */
export class MessageLimit {
  #said = 0
  #second = 0
  #saidInSecond = 0
  readonly #forgiving = setInterval(() => (this.#said = 0), 60_000).unref()

  /** Whether one more is allowed; who follows a text may say more than who doesn’t. */
  takes(isFollowing: boolean): boolean {
    const most = isFollowing ? liveLimits.followersMessagesPerMinute : liveLimits.messagesPerMinute
    const second = Math.floor(performance.now() / 1_000)
    if (second !== this.#second) this.#saidInSecond = 0
    this.#second = second
    return ++this.#said <= most && ++this.#saidInSecond <= liveLimits.messagesPerSecond
  }

  stop(): void {
    clearInterval(this.#forgiving)
  }
}
