import type { DocumentSession } from '../../editor/document-session.ts'
import { explain } from '../explain.ts'
import { type AuthoredPiece } from './authorship.ts'
import { LogReader } from './log-reader.ts'
import type { HistoryPerson } from './people.ts'
import { momentsPerSecond, Pace, type Speed } from './playback.ts'
import type { Moment } from './timeline.ts'

/** A moment as it is shown: the text, and what has been done since the one that was shown before. */
export interface ShownMoment {
  moment: Moment
  pieces: readonly AuthoredPiece[]
  added: number
  removed: number
  /** Who has done that, each once. */
  by: readonly number[]
  /** How many characters of the text each has written. */
  shares: ReadonlyMap<number, number>
}

/** Between two texts while it plays for whoever wants less motion, in milliseconds. */
const reducedMotionInterval = 1_000

/** How a document’s text came to be, moment by moment, as it is read from the server; and the moment that is looked at. */
export class HistoryPlayer {
  readonly #session: Pick<DocumentSession, 'api' | 'document'>
  readonly #reader: LogReader
  #stopped: AbortController | null = null
  /** The revision that somebody wants to see first. */
  #wanted: number | null
  /** Whether the newest moment is shown, whichever that comes to be. */
  #follows = true
  #shownAt = 0

  /** How many moments there are so far. */
  count = $state(0)
  /** The revision up to which was read, of how many. */
  read = $state(0)
  newest = $state(0)
  unknown = $state(0)
  loading = $state(false)
  problem = $state<string | null>(null)
  people = $state.raw<readonly HistoryPerson[]>([])
  /** The index of the moment that is shown; -1 while there is none. */
  at = $state(-1)
  /** What has changed since this one is marked. */
  since = $state(-1)
  playing = $state(false)
  speed = $state<Speed>(1)

  readonly shown = $derived.by((): ShownMoment | null => {
    const { timeline } = this.#reader
    if (this.at < 0 || this.at >= this.count) return null
    const pieces = timeline.marked(this.since, this.at)
    const shares = new Map<number, number>()
    const by = new Set<number>()
    let [added, removed] = [0, 0]
    for (const piece of pieces) {
      if (piece.mark === 'added') added += piece.text.length
      if (piece.mark === 'removed') removed += piece.text.length
      else shares.set(piece.author, (shares.get(piece.author) ?? 0) + piece.text.length)
    }
    for (let i = this.since + 1; i <= this.at; i++) by.add(timeline.moment(i).author)
    return { moment: timeline.moment(this.at), pieces, added, removed, by: [...by], shares }
  })
  readonly isNewest = $derived(this.at === this.count - 1)

  constructor(session: Pick<DocumentSession, 'api' | 'document'>, wanted: number | null = null) {
    this.#session = session
    this.#wanted = wanted
    this.#reader = new LogReader(session.api, session.document.id)
  }

  /** Reads what there is to read, unless that is under way. Stays at the newest moment where that is shown. */
  async load(): Promise<void> {
    if (this.loading) return
    const stopped = (this.#stopped = new AbortController())
    this.loading = true
    this.problem = null
    try {
      let read: number
      do {
        read = this.#reader.read
        await this.#reader.readAll(stopped.signal, () => this.#takeIn())
        // What came while it was being read is read, too.
      } while (!stopped.signal.aborted && this.#reader.read > read && this.#isBehind)
    } catch (error) {
      if (!stopped.signal.aborted) this.problem = explain(error, 'load the whole history')
    } finally {
      this.loading = false
      this.#takeIn()
    }
  }

  get #isBehind(): boolean {
    return this.#session.document.revision > this.#reader.read
  }

  /** Shows a moment, and what its change was. */
  go(index: number, since?: number): void {
    this.#wanted = null
    this.#show(index, since)
    this.#follows = this.isNewest
  }

  step(by: 1 | -1): void {
    this.pause()
    this.go(this.at + by)
  }

  /** Goes to the next of some revisions, or the one before. */
  goTo(revisions: readonly number[], direction: 1 | -1): void {
    this.pause()
    const places = revisions
      .map((revision) => this.#reader.timeline.indexOf(revision))
      .filter((at) => at >= 0)
    const next =
      direction > 0
        ? Math.min(...places.filter((at) => at > this.at))
        : Math.max(...places.filter((at) => at < this.at))
    this.go(Number.isFinite(next) ? next : direction > 0 ? this.count - 1 : 0)
  }

  /** Where a revision stands, as a part of the way; null where it isn't read yet. */
  placeOf(revision: number): number | null {
    const index = this.#reader.timeline.indexOf(revision)
    return index < 0 || revision > this.read ? null : index
  }

  moment = (index: number): Moment => this.#reader.timeline.moment(index)
  text = (): string => this.#reader.timeline.textAt(this.at)

  /** Plays on from here, or from the beginning where this is the end. */
  play(isCalm = false): void {
    if (this.count === 0 || this.playing) return
    this.go(this.isNewest && !this.loading ? 0 : this.at)
    this.playing = true
    let pace: Pace | null = null
    let last = -Infinity
    const frame = (now: number) => {
      if (!this.playing) return
      pace ??= new Pace(now)
      if (!isCalm || now - last >= reducedMotionInterval) {
        const moments = pace.passed(now, momentsPerSecond(Math.max(this.count, this.newest), this.speed))
        if (moments > 0) {
          last = now
          this.#show(Math.min(this.at + moments, this.count - 1), this.at)
        }
      }
      // What is still being read is waited for.
      if (this.isNewest && !this.loading) this.#follows = !(this.playing = false)
      else requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  }

  pause(): void {
    this.playing = false
  }

  /** Reads no more, and plays no more. */
  close(): void {
    this.pause()
    this.#stopped?.abort()
  }

  /** The server may be there again: what couldn’t be read is. */
  readOn(): void {
    if (this.problem !== null) void this.load()
  }

  #show(index: number, since = index - 1): void {
    if (this.count === 0) return
    const to = Math.max(0, Math.min(index, this.count - 1))
    this.at = to
    this.since = since < to ? since : to - 1
  }

  #takeIn(): void {
    const { timeline, people, read, newest, unknown } = this.#reader
    this.count = timeline.length
    this.read = read
    this.newest = newest
    this.unknown = unknown
    this.people = [...people.list]
    if (this.count === 0) return
    // Until somebody chooses a moment, it is the newest, or the one that they came for; while they come it isn't each.
    const now = performance.now()
    if (this.playing || (this.loading && this.at >= 0 && now - this.#shownAt < reducedMotionInterval / 2))
      return
    this.#shownAt = now
    if (this.#wanted !== null) this.#show(Math.max(0, timeline.indexOf(this.#wanted)))
    else if (this.#follows && !this.isNewest) this.#show(this.count - 1)
  }
}
