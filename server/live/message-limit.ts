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

/** Counts what comes by links on all their connections, so that who is put out, or goes, and comes again has no more. */
export class SharedMessageLimit {
  #second = 0
  readonly #said = new Map<string, number>()

  /** Whether one more is allowed of a visitor by a link; `counts`: as how many. */
  takes(link: string, address: string, counts = 1): boolean {
    const second = Math.floor(performance.now() / 1_000)
    if (second !== this.#second) this.#said.clear()
    this.#second = second
    // What a visitor has no room for takes none of the link’s others’.
    return (
      this.#count(`${link} ${address}`, counts) <= liveLimits.visitorMessagesPerSecond &&
      this.#count(link, counts) <= liveLimits.linkMessagesPerSecond
    )
  }

  #count(name: string, counts: number): number {
    const said = (this.#said.get(name) ?? 0) + counts
    this.#said.set(name, said)
    return said
  }
}
