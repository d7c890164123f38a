import type { Round } from '../../../server/contract/records/rounds.ts'
import type { ApiClient } from '../../api/client.ts'
import { watch } from '../../api/watch.ts'
import { explain } from '../explain.ts'
import type { OtherWindows } from '../other-windows.ts'

export interface RoundsOptions {
  api: ApiClient
  documentId: string
  windows: Pick<OtherWindows, 'listenTo' | 'listenToVisits'>
  /** How often to look whether something has happened unheard, in ms. */
  pollEvery: () => number
}

export type RoundLink = NonNullable<Round['links']>[number]

export interface RoundFields {
  name: string | null
  note: string | null
  due_at: string | null
}

/** A document’s round of review, as its owner has it, kept up to date while it is watched. */
export class Rounds {
  readonly #options: RoundsOptions
  /** How often it was changed from here: what was asked for before that is out of date. */
  #changes = 0
  loading = $state(true)
  problem = $state<string | null>(null)
  /** Why the last change failed. */
  failure = $state<string | null>(null)
  busy = $state(false)
  /** The one that runs. */
  current = $state.raw<Round | null>(null)
  #seen = ''

  constructor(options: RoundsOptions) {
    this.#options = options
  }

  /** Never rejects: `problem` says why it couldn’t be fetched. */
  async load(): Promise<void> {
    const { api, documentId } = this.#options
    const changes = this.#changes
    try {
      const rounds = await api.call('listRounds', { params: { id: documentId } })
      if (changes !== this.#changes) return
      this.current = rounds.find(({ ended_at }) => ended_at === null) ?? null
      this.#see()
      this.problem = null
    } catch (error) {
      this.problem = explain(error, 'load the round of review')
    } finally {
      this.loading = false
    }
  }

  /** Until the returned function is called. */
  watch(): () => void {
    const { windows, documentId, pollEvery } = this.#options
    return watch(() => this.load(), {
      every: pollEvery,
      news: (listener) => {
        const stops = [
          windows.listenToVisits(documentId, () => listener()),
          windows.listenTo(documentId, (news) => {
            if (news === undefined || news === 'silence' || news.what === 'rounds' || news.what === 'links')
              listener()
          }),
        ]
        return () => stops.forEach((stop) => stop())
      },
    })
  }

  /** Asks for a round. Answers whether that is done. */
  ask(body: RoundFields): Promise<boolean> {
    const { api, documentId: id } = this.#options
    return this.#change('ask for a review', () => api.call('createRound', { params: { id }, body }))
  }

  change(round: Round, body: Partial<RoundFields>): Promise<boolean> {
    return this.#update(round, body, 'change the round')
  }

  end(round: Round): Promise<boolean> {
    return this.#update(round, { ended: true }, 'end the round')
  }

  reopen(round: Round): Promise<boolean> {
    return this.#update(round, { ended: false }, 'take that back')
  }

  /** Has the server remember who is done and was seen here. */
  #see(): void {
    const { api, documentId: id } = this.#options
    const times = this.current?.links?.flatMap(({ finished }) =>
      finished.map(({ finished_at }) => finished_at),
    )
    const before = this.#seen
    const reviews = (times ?? []).reduce((last, at) => (at > last ? at : last), before)
    if (reviews === before) return
    this.#seen = reviews
    // Said again at the next look; until then it stands in the library as new.
    api.call('markFeedbackSeen', { params: { id }, body: { reviews } }).catch(() => (this.#seen = before))
  }

  #update(round: Round, body: Partial<RoundFields> & { ended?: boolean }, doing: string) {
    const { api, documentId: id } = this.#options
    return this.#change(doing, () => api.call('updateRound', { params: { id, round_id: round.id }, body }))
  }

  async #change(doing: string, call: () => Promise<Round>): Promise<boolean> {
    this.busy = true
    this.failure = null
    try {
      const round = await call()
      this.#changes++
      this.current = round.ended_at === null ? round : null
      return true
    } catch (error) {
      this.failure = explain(error, doing)
      return false
    } finally {
      this.busy = false
    }
  }
}
