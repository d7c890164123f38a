import { ApiError, isAnswer } from '../api/client-of.ts'
import { newsAbout, type DocumentNews, type HearNews } from '../api/document-news.ts'
import { slowPolling } from '../api/live.ts'
import { watch } from '../api/watch.ts'
import type { Document } from '../../server/contract/records/documents.ts'
import type { ListedChanges } from '../../server/contract/records/changes.ts'
import type { Company, Polling } from './company.svelte.ts'
import type { EditedText } from './edited-text.svelte.ts'
import type { Saver } from './saver.svelte.ts'

interface Options {
  text: EditedText
  saver: Saver
  company: Company
  /**
   * What others have changed since; with `wait`, after so many seconds at most once there is something, and with `polling`,
   * who they are.
   */
  changes: (wait: number, polling: Polling | null) => Promise<ListedChanges>
  /** The server’s text is one to which no changes lead. */
  merge: (theirs: Document) => void
  /** Whether something is to be sent as soon as the server answers. */
  isDue: () => boolean
  /** The server answers. */
  onThere: () => void
  /** It doesn’t. */
  onLost: (error: ApiError) => void
  onNews: HearNews | undefined
  pollEvery: () => number
}

/** So many seconds one look waits for a change where no connection tells of any, and milliseconds until the next does. */
const longestWait = 10
const betweenWaits = 250
/** What is interrupted for a moment only isn’t missed, in milliseconds. */
const doubtedAfter = 800

/** Asks for what others have changed in an open text, where nobody tells of it, and so finds out whether the server answers. */
export class CatchingUp {
  readonly #options: Options
  #doubting: ReturnType<typeof setTimeout> | undefined
  #hear: Parameters<HearNews>[0] = () => {}
  /** Whether the last look was answered, as opening the text was before the first. */
  #isAnswered = true

  constructor(options: Options) {
    this.#options = options
  }

  /** Looks now, and from now on every few seconds; returns what stops that. */
  start(): () => void {
    const { text, saver, company, onNews, pollEvery } = this.#options
    const look = async (news: readonly DocumentNews[] | null) => {
      // What the text becomes is told by itself where it is followed, but not that it is out of the trash again.
      const { state } = saver
      const isGone = state.kind === 'failed' && state.cause === 'deleted'
      const texts = company.isFollowing && !isGone ? [] : (['content'] as const)
      const heard = newsAbout(news, ...texts, 'permission', 'deleted')
      if (heard?.length === 0) return
      await saver.rest()
      // It was this window’s own.
      const isKnown = ({ revision = Infinity }) => !isGone && revision <= text.revision
      if (!heard?.every(isKnown)) await this.look(heard === null)
    }
    // In a window that isn't seen, too: it may stand beside the one that is written in, just covered.
    const stopLooking = watch(look, {
      // Until the next wait nobody would tell that the link has ended.
      every: () => (this.#isAnswered && this.#mayWait ? betweenWaits : pollEvery()),
      news: (listener) => {
        this.#hear = listener
        return onNews?.(listener) ?? (() => {})
      },
      unseen: true,
      later: true,
    })
    return () => {
      this.doubt(false)
      stopLooking()
    }
  }

  /** Whether changes are to be waited for, since no connection tells of them. */
  get #mayWait(): boolean {
    const { company, isDue, pollEvery } = this.#options
    // What waits for the server is sent once it answers.
    if (!company.isDeaf || isDue()) return false
    // While another connection tells of changes, the one of the text is given the time to come.
    return pollEvery() < slowPolling || company.isUnheard
  }

  /** Nobody tells of changes from here on: they are asked for, and not only once the next look is due. */
  deafened(): void {
    this.#hear('silence')
  }

  /** @param mayWait where no connection tells of changes, for the next one */
  async look(mayWait = false): Promise<void> {
    const { saver, onThere, onLost } = this.#options
    this.#isAnswered = false
    try {
      await this.catchUp(mayWait && this.#mayWait ? longestWait : 0)
      this.#isAnswered = true
      onThere()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // Anything else but this is told when there is something to save.
      if (error.code === 'NOT_FOUND') saver.fail(error)
      if (!isAnswer(error)) onLost(error)
    }
  }

  /** Finds out in a moment whether the server can be reached, unless that is out of question by then. */
  doubt(isDoubtful = true): void {
    clearTimeout(this.#doubting)
    if (isDoubtful) this.#doubting = setTimeout(() => void this.look(), doubtedAfter)
  }

  /**
   * Takes in what others have changed since.
   * @param isTold whether it is said where the writer is, and told where others are, if no connection does that
   */
  async catchUp(wait = 0, isTold = wait > 0): Promise<void> {
    const { saver, company, changes, merge } = this.#options
    const polling = isTold ? company.polling : null
    try {
      const { presence, ...updates } = await changes(wait, polling)
      saver.receive(updates)
      if (polling) company.polled(presence)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error
      merge(error.data as Document)
      if (saver.dirty) saver.changed()
    }
  }
}
