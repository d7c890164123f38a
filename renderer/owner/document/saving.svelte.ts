import { saveMessage } from './save-message.ts'
import type { OwnerSession } from './session.svelte.ts'

/** How saving goes, and what is said about it. */
export class Saving {
  readonly #session: OwnerSession
  #now = $state(Date.now())

  readonly #kept = $derived.by(() => (this.#session.sender ?? this.#session.keeper).kept)
  readonly state = $derived.by(() => (this.#session.sender ?? this.#session.saver).state)
  readonly slow = $derived.by(() => (this.#session.sender ?? this.#session.saver).slow)
  readonly words = $derived.by(() =>
    saveMessage(this.state, this.slow, this.#kept, this.#now, this.#session.files.waits),
  )

  /** To be made while a component is, for as long as it is shown. */
  constructor(session: OwnerSession) {
    this.#session = session
    // The countdown to the next attempt.
    $effect(() => {
      if (this.state.kind !== 'failed' || this.state.retryAt === null) return
      this.#now = Date.now()
      const timer = setInterval(() => (this.#now = Date.now()), 500)
      return () => clearInterval(timer)
    })
  }
}
