import type { Round } from '../../server/contract/records/rounds.ts'
import type { ClientOf } from '../api/client-of.ts'
import { newsAbout, type DocumentNews } from '../api/document-news.ts'
import { instantNow } from '../ui/time.ts'
import type { ReaderName } from './guest.svelte.ts'
import type { Notices } from './notices.svelte.ts'
import type { Outbox } from './outbox/outbox.svelte.ts'
import type { ShareRoute } from './share-routes.ts'

interface ReviewRoundOptions {
  api: Pick<ClientOf<ShareRoute>, 'call'>
  documentId: string
  guest: Pick<ReaderName, 'signature'>
  notices: Pick<Notices, 'fail'>
  outbox: Pick<Outbox, 'post' | 'mutationsOn'>
}

/** The round of review that runs, as somebody who was asked for it has it. */
export class ReviewRound {
  readonly #options: ReviewRoundOptions
  #isKnown = false
  #noted: string | null = null
  /** Counts what the reader says: what was asked for before doesn’t know of it. */
  #sayings = 0
  /** Null where none runs. */
  current = $state.raw<Round | null>(null)
  /** One that ran while the page was open, and was ended. */
  hasEnded = $state(false)
  busy = $state(false)
  /** What the reader has said and the server hasn’t got yet: that they are done, or that they aren’t. */
  readonly kept = $derived.by((): boolean | null => {
    const said = this.#options.outbox
      .mutationsOn(this.current?.id ?? '')
      .findLast((one) => one.kind === 'review')
    return said?.kind === 'review' && said.state === 'waiting' ? said.body.finished : null
  })
  readonly done = $derived.by(() => this.kept ?? this.current?.finished_at != null)

  constructor(options: ReviewRoundOptions) {
    this.#options = options
  }

  /** Asks which runs, as far as there are news of it. Rejects when no answer comes. */
  async load(news: readonly DocumentNews[] | null = null): Promise<void> {
    if (this.#isKnown && news?.includes('silence') !== true && newsAbout(news, 'rounds')?.length === 0) return
    const { api, documentId } = this.#options
    const sayings = this.#sayings
    const [running = null] = await api.call('listRounds', { params: { id: documentId } })
    if (sayings !== this.#sayings) return this.load()
    this.hasEnded = running === null && (this.hasEnded || this.current !== null)
    this.current = running
    this.#isKnown = true
  }

  /** Says that the reader is done, or takes that back; while nobody can be reached it waits in the outbox. */
  async finish(finished: boolean): Promise<void> {
    const { guest, notices, outbox } = this.#options
    const round = this.current
    if (!round || this.busy) return
    this.busy = true
    this.#sayings++
    try {
      const body = { finished, ...guest.signature }
      const { kind } = await outbox.post({ kind: 'review', target: round.id, body })
      if (kind === 'kept') return
      this.current = { ...round, finished_at: finished ? instantNow() : null }
      this.#sayings++
      // The round may have ended meanwhile.
      await this.load().catch(() => undefined)
    } catch (error) {
      notices.fail(error, finished ? 'say that you are done' : 'take that back')
    } finally {
      this.#sayings++
      this.busy = false
    }
  }

  /** The end of the text was in view: told once in a round, and never where none runs. */
  async noteRead(): Promise<void> {
    const { api, documentId } = this.#options
    const round = this.current?.id ?? null
    if (round === null || round === this.#noted) return
    this.#noted = round
    await api.call('noteRead', { params: { id: documentId } }).catch(() => (this.#noted = null))
  }
}
