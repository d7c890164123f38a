import { untrack } from 'svelte'
import type { Permission } from '../../server/contract/records/share-links.ts'
import { accessOf, type LinkAccess } from '../../server/domain/access.ts'
import { backOff } from '../../server/platform/back-off.ts'
import { AwaitedAnswers } from '../api/awaited-answers.svelte.ts'
import { ApiError, createClientOf, isAnswer, type ClientOf } from '../api/client-of.ts'
import type { DocumentNews, HearNews } from '../api/document-news.ts'
import { LiveConnection, slowPolling, type TextLine } from '../api/live.ts'
import type { ReaderName } from './guest.svelte.ts'
import { fetchWithIdleTimeout, isLarge } from './idle-timeout-fetch.ts'
import { Link } from './link.svelte.ts'
import type { SharePage } from './share-page.ts'
import { shareRoutes, type ShareRoute } from './share-routes.ts'

/** Between two looks, in milliseconds, where nothing says when there is something to see. */
export const usualPause = 15_000
/** The same where the link has ended, which is hardly ever taken back later on. */
const pauseAfterEnd = 5_000
/** Who ends a link by mistake takes that back at once, for as long as they are offered to. */
const atOnce = { pause: 1_500, tries: 20 }

/** The page’s way to the server: its calls, what they tell of the link, and the news that come by themselves. */
export class Connection {
  readonly api: ClientOf<ShareRoute>
  readonly link: Link
  /** What is asked of the server, and whether it says anything. */
  readonly answers: AwaitedAnswers
  readonly #page: SharePage
  #live: LiveConnection | null = null
  /** When it may be said again that the server is back. */
  #backAgain = 0
  readonly #listeners = new Set<Parameters<HearNews>[0]>()
  /** Whether the server has known since before the live connection who this guest is, as far as one can tell. */
  #isKnown = false
  /** The browser’s other pages, which have the same cookie. */
  readonly #tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('galley-guest') : null

  constructor(page: SharePage, onEnd: () => void) {
    const { documentId, access, token } = page
    this.#page = page
    this.#tabs?.addEventListener('message', () => {
      if (this.#isKnown) return
      this.#live?.reopen()
      this.#tell()
    })
    this.answers = new AwaitedAnswers({
      probe: `../api/documents/${documentId}/marks?share_token=${token}`,
      fetch: fetchWithIdleTimeout,
      onSilent: () => this.link.learnFrom(new ApiError('OFFLINE', 0, 'Galley isn’t answering.')),
      onBack: () => this.#tell(),
    })
    const ask: typeof fetch = (input, init) =>
      isLarge(init?.body) ? fetchWithIdleTimeout(input, init) : this.answers.fetch(input, init)
    const client = createClientOf(shareRoutes, { base: '..', shareToken: token, fetch: ask })
    const listening = this.#listening(client)
    this.api = this.#unlessDead(listening)
    const probe = () => listening.call('listMarks', { params: { id: documentId } })
    this.link = new Link({
      access,
      isLost: page.keptAt !== undefined,
      probe,
      onEnd: () => {
        this.#askAtOnce(atOnce.tries)
        onEnd()
      },
    })
  }

  /** The same calls, with an ear for what the link allows, and for the server when it is back. */
  #listening(api: ClientOf<ShareRoute>): ClientOf<ShareRoute> {
    const call: typeof api.call = async (name, options) => {
      const answer = await api.call(name, options).catch((error: unknown) => {
        // Nothing new is an answer, too; none at all is of concern to all.
        if (error instanceof ApiError) {
          if (error.status !== 304 && !isAnswer(error)) this.#missAnswer(error)
          else if (error.status === 304 && this.link.answered()) this.#isBack()
          else this.link.learnFrom(error)
        }
        throw error
      })
      if (this.link.answered()) this.#isBack()
      const { permission, suggest_only } = (answer ?? {}) as {
        permission?: Permission
        suggest_only?: boolean
      }
      if (permission !== undefined) this.#allow(accessOf({ permission, suggest_only: suggest_only ?? false }))
      this.#beKnown(answer)
      return answer
    }
    return { ...api, call }
  }

  /** A link that opens nothing is asked nothing but whether it works again, whoever would like to know more. */
  #unlessDead(api: ClientOf<ShareRoute>): ClientOf<ShareRoute> {
    const call: typeof api.call = async (name, options) => {
      if (untrack(() => this.link.isDead))
        throw new ApiError('UNAUTHORIZED', 401, 'This link no longer works.')
      return api.call(name, options)
    }
    return { ...api, call }
  }

  /** What was asked for until then was asked for by what the link allowed before. */
  #allow(access: LinkAccess): void {
    if (access === this.link.access) return
    this.link.allow(access)
    this.#tell()
  }

  /**
   * No answer came. Where the live connection still stands, one may have got lost by itself: then the server is asked soon,
   * since nothing else would for a minute.
   */
  #missAnswer(error: ApiError): void {
    const wasLost = this.link.state === 'lost'
    this.link.learnFrom(error)
    if (!wasLost) this.#askWhileLost(0)
  }

  #askWhileLost(tries: number): void {
    setTimeout(
      () => {
        if (this.link.state !== 'lost' || !this.#live?.connected) return
        this.api
          .call('listMarks', { params: { id: this.#page.documentId } })
          .catch(() => this.#askWhileLost(tries + 1))
      },
      backOff(tries, { first: 400, longest: usualPause }),
    )
  }

  /**
   * Who says something for the first time is given a cookie, which an open connection doesn’t have: it comes anew with
   * it, so that what the document’s owner calls them is what those who are present see. Another page of theirs may have
   * asked without it, and taken what they said for somebody else’s: it asks anew.
   */
  #beKnown(answer: unknown): void {
    if (this.#isKnown) return
    const own = ([answer].flat() as ({ mine?: boolean } | null | undefined)[]).some((one) => one?.mine)
    if (!own) return
    this.#isKnown = true
    if (!Array.isArray(answer)) this.#live?.reopen()
    this.#tabs?.postMessage(0)
  }

  /**
   * The server answers again, whoever was the first to be told: nobody waits any longer for a try of their own. Where
   * some calls come through and others don’t, this isn’t said over and over.
   */
  #isBack(): void {
    if (performance.now() < this.#backAgain) return
    this.#backAgain = performance.now() + usualPause
    this.#live?.openNow()
    this.#tell()
  }

  /** The server says nothing to who has no link: whether that was taken back has to be asked for. */
  #askAtOnce(tries: number): void {
    setTimeout(() => {
      if (!this.link.isDead) return
      this.#tell()
      if (tries > 1) this.#askAtOnce(tries - 1)
    }, atOnce.pause)
  }

  /**
   * Goes on as before where the link works again. Rejects where it doesn’t. The line stays the same: whoever follows the
   * text has it.
   */
  async revive(): Promise<void> {
    await this.link.revive()
    this.#live?.revive()
    this.#live?.openNow()
  }

  /** Hears of changes as they are made. What is never heard is asked for all the same. */
  follow(guest: ReaderName): void {
    const { documentId, token } = this.#page
    let isFirst = true
    this.#live = new LiveConnection(`../api/documents/${documentId}/live?share_token=${token}`, {
      onMessage: (message) => this.#tell(message.type === 'changed' ? message : undefined),
      // What was missed is told after the second time; before the first there is none to tell it.
      onState: (connected) => {
        // That it has ended for good is found out by asking.
        if (!connected) this.#tell(this.#live?.ended ? undefined : 'silence')
        else if (isFirst || this.link.state === 'lost') this.#tell()
        if (connected) isFirst = false
      },
      name: () => guest.name,
    })
    let soon: ReturnType<typeof setTimeout> | undefined
    // Not with every letter.
    guest.onRename = () => {
      clearTimeout(soon)
      soon = setTimeout(() => this.#live?.greet(), 1_000)
    }
  }

  /** Over which the text can be followed. */
  get line(): TextLine | undefined {
    return this.#live ?? undefined
  }

  /** Others have changed the text, which was told to who follows it alone. */
  textChanged(revision: number): void {
    this.#tell({ type: 'changed', document_id: this.#page.documentId, what: 'content', revision })
  }

  #tell(news?: DocumentNews): void {
    for (const listener of this.#listeners) listener(news)
  }

  readonly onNews: HearNews = (listener) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Milliseconds between two looks: `usual` without a connection that says when there is something to see. */
  pollEvery(usual: number): number {
    if (this.link.isDead) return pauseAfterEnd
    return this.#live?.connected ? slowPolling : usual
  }
}
