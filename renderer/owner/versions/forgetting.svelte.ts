import { limits } from '../../../server/contract/limits.ts'
import type { BackupsHolding, Forgotten, ForgetWanted } from '../../../server/contract/records/forgetting.ts'
import type { DocumentSession } from '../../editor/document-session.ts'
import { explain } from '../explain.ts'
import type { Versions } from './versions.svelte.ts'

/** What is done just now, in the order in which it is. */
export type ForgettingStep = 'asking' | 'forgetting' | 'cleaning' | 'looking' | 'done'

/** What was forgotten, and where it may still be. */
export interface ForgettingOutcome extends Forgotten {
  /** Null where it could not be looked for. */
  backups: BackupsHolding | null
}

/** Forgetting a part of an open document’s history, step by step. */
export class Forgetting {
  readonly #session: DocumentSession
  readonly #versions: Pick<Versions, 'forgotten' | 'hasOlder'>
  /** Ms between two looks whether the files are clean. */
  readonly #every: number

  open = $state(false)
  step = $state<ForgettingStep>('asking')
  what = $state<'passage' | 'before'>('passage')
  passage = $state('')
  before = $state<number | null>(null)
  problem = $state<string | null>(null)
  /** Whether Galley’s files could not be made anew so far; it goes on trying. */
  slow = $state(false)
  outcome = $state.raw<ForgettingOutcome | null>(null)

  readonly busy = $derived(this.step !== 'asking' && this.step !== 'done')
  /** Whether a version is chosen before which there is nothing. */
  readonly isFirst = $derived.by(() => this.before !== null && !this.#versions.hasOlder(this.before))
  readonly ready = $derived(
    this.what === 'before'
      ? this.before !== null && !this.isFirst
      : this.passage.trim().length >= limits.forgottenLeast && this.passage.length <= limits.forgottenMost,
  )

  constructor(session: DocumentSession, versions: Pick<Versions, 'forgotten' | 'hasOlder'>, every = 500) {
    this.#session = session
    this.#versions = versions
    this.#every = every
  }

  get document(): { id: string } {
    return this.#session.document
  }

  /** Begins with what is selected in the text, or with a version. */
  ask(before: number | null = null): void {
    this.what = before === null ? 'passage' : 'before'
    this.before = before
    this.passage = this.#session.selection?.text ?? ''
    this.step = 'asking'
    this.problem = null
    this.outcome = null
    this.slow = false
    this.open = true
  }

  /** Whether the passage stands in the text as it is now, and so is taken out of it, too. */
  readonly stands = $derived.by(() => {
    const { passage } = this
    if (this.what !== 'passage' || passage.trim().length < limits.forgottenLeast) return false
    return this.#session.content.includes(passage) || this.#session.document.title.includes(passage)
  })

  async forget(): Promise<void> {
    if (!this.ready || this.busy) return
    const { api } = this.#session
    const params = { id: this.#session.document.id }
    const wanted: ForgetWanted =
      this.what === 'before' ? { before: this.before! } : { passage: this.passage, remove: this.stands }
    this.problem = null
    this.step = 'forgetting'
    let forgotten: Forgotten
    try {
      await this.#session.saveNow()
      forgotten = await api.call('forgetHistory', { params, body: wanted })
    } catch (error) {
      this.problem = explain(error, 'forget that')
      this.step = 'asking'
      return
    }
    await this.#session.refresh().catch(() => {})
    await this.#versions.forgotten().catch(() => {})
    this.step = 'cleaning'
    await this.#untilClean()
    this.step = 'looking'
    const backups = await api.call('findInBackups', { params, body: wanted }).catch(() => null)
    this.outcome = { ...forgotten, backups }
    // Nothing on the page holds on to it.
    this.passage = ''
    this.step = 'done'
  }

  /** Waits until the files are made anew, but no longer than it is of use to stand there. */
  async #untilClean(): Promise<void> {
    const params = { id: this.#session.document.id }
    for (let failed = 0; failed < 5;) {
      const state = await this.#session.api.call('readForgetting', { params }).catch(() => null)
      if (state?.clean) return void (this.slow = false)
      this.slow = state === null || state.fails
      if (this.slow) failed++
      await new Promise((resolve) => setTimeout(resolve, this.#every))
    }
  }
}
