import type { HistoryEntry } from '../../../server/contract/records/versions.ts'
import { completeChanges, type ChangesJson } from '../../../server/domain/change-set.ts'
import type { ApiClient } from '../../api/client.ts'
import { ApiError } from '../../api/client-of.ts'
import { HistoryPeople } from './people.ts'
import { replacement, Timeline } from './timeline.ts'

/** So long, in ms, the page does nothing else. */
const slice = 6

/** Reads a document’s log into a timeline, part by part, and goes on where it was interrupted. */
export class LogReader {
  readonly people = new HistoryPeople()
  readonly timeline = new Timeline()
  /** Revisions whose text isn’t known any more, because the log has gaps or is damaged. */
  unknown = 0
  /** The newest revision, as far as was heard. */
  newest = 0
  readonly #api: ApiClient
  readonly #id: string
  #read = 0
  /** Entries that were fetched and aren't in the timeline yet. */
  #fetched: HistoryEntry[] = []
  #more = true
  /** So many revisions before the next aren't known. */
  #lostFor = 0

  constructor(api: ApiClient, id: string) {
    this.#api = api
    this.#id = id
  }

  /** The revision up to which the log was read. */
  get read(): number {
    return this.#read
  }

  /**
   * Reads all there is. Calls `onProgress` whenever there is more to show. Stops where `signal` says so.
   * @throws ApiError where the server can't be asked; then it can be called again.
   */
  async readAll(signal: AbortSignal, onProgress: () => void): Promise<void> {
    this.#more = true
    while (!signal.aborted && (this.#fetched.length > 0 || this.#more)) {
      if (this.#fetched.length === 0) await this.#fetch()
      await this.#takeIn(signal, onProgress)
    }
  }

  async #fetch(): Promise<void> {
    const part = await this.#api.call('listHistory', {
      params: { id: this.#id },
      query: { after: this.#read },
    })
    this.newest = part.revision
    this.#fetched = part.entries
    this.#more = part.more
  }

  async #takeIn(signal: AbortSignal, onProgress: () => void): Promise<void> {
    let since = performance.now()
    let next = 0
    try {
      for (; next < this.#fetched.length && !signal.aborted; next++) {
        const entry = this.#fetched[next]!
        await this.#add(entry)
        this.#read = entry.revision
        if (performance.now() - since < slice) continue
        onProgress()
        await new Promise((resolve) => setTimeout(resolve))
        since = performance.now()
      }
    } finally {
      this.#fetched = this.#fetched.slice(next)
      onProgress()
    }
  }

  async #add({ changes: logged, ...entry }: HistoryEntry): Promise<void> {
    const { timeline } = this
    const isNext = this.#lostFor === 0 && entry.base === timeline.lastRevision
    const isShape = logged.some((part) => typeof part !== 'number' && typeof part[1] === 'number')
    if (isNext && !isShape) {
      try {
        this.#append(entry, logged as ChangesJson)
        return
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
      }
    }
    const text = this.#isWorthAsking(entry) ? await this.#textAt(entry.revision) : null
    this.#lostFor = text === null ? this.#lostFor + 1 : 0
    if (text === null) this.unknown++
    else {
      const known = isNext && isShape ? completeChanges(logged, text) : null
      try {
        this.#append(entry, known ?? replacement(timeline.newestText, text))
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        this.#append(entry, replacement(timeline.newestText, text))
      }
    }
  }

  /** Where nothing is known for long, each revision isn't asked for by itself: ever fewer are. */
  #isWorthAsking = ({ hash }: Pick<HistoryEntry, 'hash'>): boolean =>
    hash !== null &&
    (this.#lostFor < 8 || this.#lostFor % Math.min(64, 2 ** Math.floor(Math.log2(this.#lostFor))) === 0)

  #append(entry: Omit<HistoryEntry, 'changes'>, changes: ChangesJson): void {
    const { revision, created_at } = entry
    // Where what came before was forgotten, whose first change is left didn’t write all that it begins with.
    const isForgotten = entry.base === 0 && revision > 1
    const author = isForgotten ? this.people.earlier() : this.people.numberOf(entry)
    this.timeline.append({ revision, at: Date.parse(created_at), author, entry, changes })
  }

  async #textAt(revision: number): Promise<string | null> {
    try {
      const past = await this.#api.call('getRevision', { params: { id: this.#id, revision } })
      return past.content
    } catch (error) {
      if (error instanceof ApiError && ['DB_ERROR', 'NOT_FOUND'].includes(error.code)) return null
      throw error
    }
  }
}
