import type { LinkAccess } from '../../server/domain/access.ts'
import { ApiError, isAnswer } from '../api/client-of.ts'

interface LinkOptions {
  /** What the link allowed when the page was made. */
  access: LinkAccess
  /** Whether nobody could be reached as the page was opened. */
  isLost?: boolean
  /** Makes a call that every link permits. */
  probe: () => Promise<unknown>
  onEnd: () => void
}

/** What the link that the page came by allows, and whether it still works, as far as calls have told. */
export class Link {
  /** `lost`: the server can’t be reached. `dead`: the link no longer opens anything. */
  state = $state<'works' | 'lost' | 'dead'>('works')
  readonly isDead = $derived(this.state === 'dead')
  /** What the link allows now, which may be other than when the page was made. */
  access = $state<LinkAccess>('view')
  /** Whether the page has been one to comment on: room that was made beside the text stays. */
  hasLetComment = $state(false)
  // Whatever it allowed when the page was made: all of it is offered at once, and nothing else.
  readonly canComment = $derived(this.access !== 'view')
  readonly canSuggest = $derived(this.access === 'suggest' || this.access === 'edit')
  readonly canEdit = $derived(this.access === 'edit')
  /** Whether it lets one write at this moment, if it can be reached. */
  readonly mayEditNow = $derived(this.canEdit && !this.isDead)
  readonly maySuggestNow = $derived(this.canSuggest && !this.isDead)
  readonly #first: LinkAccess
  readonly #probe: () => Promise<unknown>
  readonly #onEnd: () => void
  #verifying: Promise<void> | null = null

  constructor({ access, isLost = false, probe, onEnd }: LinkOptions) {
    this.#first = access
    this.allow(access)
    if (isLost) this.state = 'lost'
    this.#probe = probe
    this.#onEnd = onEnd
  }

  allow(access: LinkAccess): void {
    this.access = access
    this.hasLetComment ||= access !== 'view'
  }

  /** Whether it allows something else than when the page was made. */
  get hasChanged(): boolean {
    return this.access !== this.#first
  }

  /** A call that the link permits has been answered. Says whether the server couldn’t be reached before. */
  answered(): boolean {
    if (this.state !== 'lost') return false
    this.state = 'works'
    return true
  }

  /** What a failed call says about the link. */
  learnFrom(error: unknown): void {
    if (this.isDead || !(error instanceof ApiError)) return
    // A machine that has just come back refuses, for a moment, whoever asks by its public name.
    if (isRefusal(error) || error.code === 'FORBIDDEN') void this.verify()
    else if (!isAnswer(error) && error.status !== 304) this.state = 'lost'
  }

  /** The server has said so. */
  end(): void {
    if (this.isDead) return
    this.state = 'dead'
    this.#onEnd()
  }

  /** Asks whether it works again: its owner may have taken back that it ended. Rejects where it doesn’t. */
  async revive(): Promise<void> {
    await this.#probe()
    this.state = 'works'
  }

  /** Asks what became of it: a comment that is gone isn’t a link that is gone. Of several who ask at once one does. */
  verify(): Promise<void> {
    this.#verifying ??= this.#ask().finally(() => (this.#verifying = null))
    return this.#verifying
  }

  async #ask(): Promise<void> {
    try {
      await this.#probe()
    } catch (error) {
      if (isRefusal(error)) this.end()
      else if (error instanceof ApiError && (error.code === 'FORBIDDEN' || !isAnswer(error)) && !this.isDead)
        this.state = 'lost'
    }
  }
}

const isRefusal = (error: unknown) =>
  error instanceof ApiError && (error.code === 'UNAUTHORIZED' || error.code === 'NOT_FOUND')
