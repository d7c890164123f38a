import { randomInt } from 'node:crypto'
import type { DocumentTask } from '../actions/task.ts'
import type { CursorPlace, LiveMessage, LiveSaying } from '../contract/live.ts'
import type { Presence } from '../contract/records/presence.ts'
import { Listener, type ListenerContext } from './listener.ts'

/** So long after their last call somebody is still taken for here, in milliseconds. */
const hereFor = 10_000

/** What somebody says with a call. */
export interface Polling {
  client: string
  /** The revision that they have. */
  since: number
  /** Where they are in its text, if they say so. */
  at: CursorPlace | null
  name: string | undefined
  /** The number of what they were told last. */
  known: number
}

interface PolledOptions {
  context: ListenerContext
  /** What let them in first. */
  task: DocumentTask
  /** They are gone. */
  onLeft: () => void
}

/**
 * Somebody through to whom no connection comes. They are a listener like any other, with the same rights and limits:
 * what that would hear of people is told with the answers to their calls, between which they are still here.
 */
export class PolledListener {
  readonly #listener: Listener
  readonly #onLeft: () => void
  /** How others know them, once they follow the text. */
  #you: string | null = null
  #hasAsked = false
  /** Counts what there was to tell. Who comes again after a while knows none of it. */
  #number = randomInt(1, 2 ** 30)
  readonly #waits = new Set<AbortController>()
  #calls = 0
  #leaving: NodeJS.Timeout | undefined
  #isOver = false
  #lastPlace = ''
  #lastName: string | undefined

  constructor({ context, task, onLeft }: PolledOptions) {
    this.#onLeft = onLeft
    this.#listener = new Listener({
      ...{ context, task },
      peer: {
        send: (text) => this.#hear(JSON.parse(text) as LiveMessage),
        // Whoever calls no more is gone soon.
        ping: () => true,
        end: () => this.#leave(),
      },
    })
    this.#listener.join(null)
  }

  /** Tells who is here with what somebody has asked; `ask` is given what ends its wait once there is something to tell. */
  async answer<Answer extends { revision: number }>(
    polling: Polling,
    ask: (news: AbortSignal) => Promise<Answer> | Answer,
  ): Promise<Answer & { presence?: Presence }> {
    clearTimeout(this.#leaving)
    this.#calls++
    const wait = new AbortController()
    this.#waits.add(wait)
    try {
      this.#say(polling)
      if (this.#you !== null && this.#number !== polling.known) wait.abort()
      const answer = await ask(wait.signal)
      const presence =
        this.#isOver || this.#listener.refusal() !== null ? null : this.#presence(answer.revision)
      return presence ? { ...answer, presence } : answer
    } finally {
      this.#waits.delete(wait)
      if (--this.#calls === 0 && !this.#isOver)
        this.#leaving = setTimeout(() => this.#leave(), hereFor).unref()
    }
  }

  #presence(revision: number): Presence | null {
    const others = this.#listener.presence(revision)
    return others && { number: this.#number, ...others }
  }

  #say({ client, since, at, name }: Polling): void {
    if (name !== undefined && name !== this.#lastName) this.#pass({ name })
    this.#lastName = name
    if (!this.#hasAsked) this.#pass({ type: 'follow', since, client })
    this.#hasAsked = true
    const place = JSON.stringify([since, at])
    // Said again it would be news to the others, and theirs to this one.
    if (this.#you === null || !at || place === this.#lastPlace) return
    this.#lastPlace = place
    this.#pass({ type: 'cursor', revision: since, at })
  }

  #pass(saying: LiveSaying): void {
    this.#listener.receive(JSON.stringify(saying))
  }

  #hear(message: LiveMessage): void {
    switch (message.type) {
      case 'following':
        this.#you = message.you
        return
      case 'people':
        return this.#note()
      case 'cursors':
        if (message.cursors.some(({ person }) => person !== this.#you)) this.#note()
        return
      // With the next call they come anew.
      case 'apart':
        return this.#leave()
      case 'changed':
        if (message.what === 'permission') this.#leave()
        return
      // Changes and other news they ask for themselves.
      default:
    }
  }

  /** There is something to tell. */
  #note(): void {
    this.#number++
    this.#endWaits()
  }

  #endWaits(): void {
    for (const wait of this.#waits) wait.abort()
  }

  #leave(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#endWaits()
    clearTimeout(this.#leaving)
    this.#listener.leave()
    this.#onLeft()
  }
}
