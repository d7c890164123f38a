import { answerWithin, type TextLine } from '../api/live.ts'
import type { PushedChange, Updates } from '../../server/contract/records/changes.ts'
import {
  type CursorPlace,
  type LivePerson,
  type LiveText,
  type LiveUpdate,
} from '../../server/contract/live.ts'
import { liveLimits } from '../../server/contract/live-limits.ts'
import { backOff } from '../../server/platform/back-off.ts'

/** Where people are in the text of a revision; null for nowhere. */
export type Cursors = Extract<LiveText, { type: 'cursors' }>

interface Options {
  line: TextLine
  /** This copy’s name for itself. */
  client: string
  /** The revision that this copy has come to. */
  revision: () => number
  /** Takes in changes: all since the last that were taken, or the next. False where they can’t be taken one by one. */
  receive: (updates: Updates, isAll: boolean) => boolean
  /** Nothing leads from here to the text as it is: brings it in by another way, after which it is followed again. */
  catchUp: () => Promise<void>
  /** Others have come or gone: these follow the text now, whoever sits here not among them. */
  onPeople: (people: readonly LivePerson[]) => void
  onCursors: (cursors: Cursors) => void
  /** It is followed, perhaps anew: nobody there knows where one is. */
  onFollowing?: () => void
  /** The connection came or went. */
  onTurn?: (connected: boolean) => void
  /** Though the connection stands, nothing is told of the text over it for now. */
  onUnheard?: () => void
}

/** Between two tries to follow where none is answered, in milliseconds. */
const triesApart = { first: 5_000, longest: 60_000 }
/** Between two tellings of one’s own place. */
const placesApart = 100
const apartAgain = 5_000
/** Room for what a message says beside the changes. */
const envelope = 512

/** A text that is followed, and written in, over a live connection. Without one it is nothing, and says so. */
export class TextFollower {
  /** How others know this copy. */
  #you: string | null = null
  #pushes = false
  #waiting: { number: number; settle: (answer: Updates | null) => void } | null = null
  #place: { revision: number; at: CursorPlace | null } | null = null
  #placing: ReturnType<typeof setTimeout> | undefined
  #resuming: ReturnType<typeof setTimeout> | undefined
  /** Of giving up to wait for the answer to following, or of the next try. */
  #trying: ReturnType<typeof setTimeout> | undefined
  /** So many tries to follow in a row weren’t answered. */
  #unanswered = 0
  /** Nothing has led on since the text was last brought in by another way. */
  #isApart = false
  readonly #options: Options
  readonly #stop: () => void

  constructor(options: Options) {
    this.#options = options
    // Until the line is there for the first time as well.
    this.#awaitAnswer()
    this.#stop = options.line.followText({
      hear: (message) => this.#hear(message),
      turn: (connected) => {
        if (connected) this.again()
        else {
          // Of others there calls may have told.
          if (this.isFollowing) this.#lose()
          clearTimeout(this.#trying)
          this.#unanswered = 0
          this.isUnheard = true
        }
        options.onTurn?.(connected)
      },
    })
  }

  /** For a while nothing was told of the text here; whoever wants to know has to ask. */
  isUnheard = false

  /** Whether everything that changes is told here. */
  get isFollowing(): boolean {
    return this.#you !== null
  }

  /** Begins anew from the revision that this copy has. */
  again(): void {
    // Until that is answered, those of whom calls have told stay.
    if (this.isFollowing) this.#lose()
    this.#awaitAnswer()
    const { line, client, revision } = this.#options
    line.say({ type: 'follow', since: revision(), client })
  }

  /** Nothing is told of the text any more, until it is asked for again; what is on its way goes another. */
  pause(): void {
    clearTimeout(this.#trying)
    this.#lose()
  }

  /** Sends a change; null where it has to be sent by another way, though it may have arrived. */
  push({ client: _, ...change }: PushedChange): Promise<Updates | null> {
    const saying = { type: 'push', ...change } as const
    const isShort = JSON.stringify(saying.changes).length < liveLimits.messageBytes / 3 - envelope
    if (!this.isFollowing || !this.#pushes || !isShort || this.#waiting) return Promise.resolve(null)
    return new Promise((resolve) => {
      const settle = (answer: Updates | null) => {
        clearTimeout(timer)
        this.#waiting = null
        resolve(answer)
      }
      const timer = setTimeout(() => {
        settle(null)
        // What comes next would wait as long for nothing.
        this.#options.line.reopen()
      }, answerWithin)
      this.#waiting = { number: change.number, settle }
      this.#options.line.say(saying)
    })
  }

  /** A change has been taken that was sent by another way: from now on they may be taken here. */
  pushedElsewhere(): void {
    if (this.isFollowing && !this.#pushes) this.#options.line.reopen()
  }

  /** Tells others where one is in the text of a revision; null for nowhere. */
  place(revision: number, at: CursorPlace | null): void {
    this.#place = { revision, at }
    this.#placing ??= setTimeout(() => this.#tellPlace(), placesApart)
  }

  close(): void {
    clearTimeout(this.#placing)
    clearTimeout(this.#resuming)
    clearTimeout(this.#trying)
    this.#lose()
    this.#stop()
    this.#options.line.say({ type: 'unfollow' })
  }

  #tellPlace(): void {
    this.#placing = undefined
    if (!this.isFollowing || !this.#place) return
    this.#options.line.say({ type: 'cursor', ...this.#place })
    this.#place = null
  }

  #awaitAnswer(): void {
    clearTimeout(this.#trying)
    this.#trying = setTimeout(() => {
      const { line, onUnheard } = this.#options
      const wasUnheard = this.isUnheard
      this.isUnheard = true
      if (!wasUnheard) onUnheard?.()
      if (!line.connected) return
      line.doubt()
      this.#trying = setTimeout(() => this.again(), backOff(this.#unanswered++, triesApart))
    }, answerWithin)
  }

  #answered(): void {
    clearTimeout(this.#trying)
    this.#unanswered = 0
  }

  async #resume(): Promise<void> {
    try {
      await this.#options.catchUp()
      this.again()
    } catch {
      // The next connection, or the next look, begins anew.
    }
  }

  #lose(): void {
    this.#you = null
    this.#pushes = false
    this.#waiting?.settle(null)
    this.#options.onPeople([])
  }

  #hear(message: LiveText): void {
    switch (message.type) {
      case 'following': {
        const { type: _, you, pushes, ...updates } = message
        this.#you = you
        this.#pushes = pushes
        this.#isApart = false
        this.isUnheard = false
        this.#answered()
        this.#receive(updates, true)
        if (this.isFollowing) this.#options.onFollowing?.()
        return
      }
      case 'updates': {
        // What comes before the answer to following is in that answer.
        if (!this.isFollowing) return
        const { type: _, ...updates } = message
        return this.#receive({ ...updates, updates: updates.updates.map((one) => this.#own(one)) }, false)
      }
      case 'apart':
        this.#answered()
        this.#lose()
        clearTimeout(this.#resuming)
        // The first time at once; whoever is told so again and again would only be a burden.
        this.#resuming = setTimeout(() => void this.#resume(), this.#isApart ? apartAgain : 0)
        this.#isApart = true
        return
      case 'refused':
        if (this.#waiting?.number === message.number) this.#waiting.settle(null)
        return
      case 'people':
        return this.#options.onPeople(message.people.filter(({ id }) => id !== this.#you))
      case 'cursors':
        return this.#options.onCursors({
          ...message,
          cursors: message.cursors.filter(({ person }) => person !== this.#you),
        })
    }
  }

  /** What this copy has sent it has already. */
  #own({ by, ...update }: LiveUpdate): LiveUpdate {
    const isOwn = typeof by === 'string' && by === this.#you
    if (isOwn) return { ...update, changes: null }
    return update.changes ? { ...update, by: by ?? null, number: null } : update
  }

  #receive(updates: Updates, isAll: boolean): void {
    if (!this.#options.receive(updates, isAll)) return this.again()
    const waiting = this.#waiting
    if (
      waiting &&
      updates.updates.some(({ changes, number }) => changes === null && number === waiting.number)
    )
      waiting.settle({ ...updates, updates: [] })
  }
}
