import type { Mark } from '../../../server/contract/records/rendering.ts'
import type { DocumentFeedback } from '../feedback/document-feedback.svelte.ts'
import type { OwnerSession } from './session.svelte.ts'

/** Where in the rendered text the server says that comments and suggestions stand, which its owner is shown. */
export class PlacedMarks {
  #placed = $state.raw<{ revision: number; marks: readonly Mark[] }>({ revision: -1, marks: [] })
  /** Whether they couldn’t be asked for. */
  #failed = false
  #asked = 0
  readonly #session: OwnerSession
  readonly #feedback: DocumentFeedback

  /** Those that are to be seen in a text of that revision: of what is open, and suggestions where they are wanted. */
  readonly #wanted = $derived.by(() => {
    const { comments, suggestions } = this.#feedback
    const threads = comments.threads.filter(({ place, resolved }) => place === 'words' && !resolved)
    const pending = suggestions.textShows === 'changes' ? suggestions.applicable : []
    return new Set([...threads, ...pending].map(({ id }) => id))
  })
  /** By what it shows that they may stand elsewhere, or be others. */
  readonly #said = $derived.by(() => {
    const { comments, suggestions } = this.#feedback
    const placed = [...comments.threads.map(({ root }) => root), ...suggestions.applicable]
    return JSON.stringify(placed.map(({ id, range }) => [id, range]))
  })

  constructor(session: OwnerSession, feedback: DocumentFeedback) {
    this.#session = session
    this.#feedback = feedback
  }

  /** Marks count in the text of their own revision: in another’s they would stand on wrong words. */
  of(revision: number): readonly Mark[] {
    const placed = this.#placed
    return placed.revision === revision ? placed.marks.filter(({ id }) => this.#wanted.has(id)) : []
  }

  /** Whether it is known where they stand in that text. */
  knows(revision: number): boolean {
    return this.#placed.revision === revision
  }

  /** Asks for them whenever others may be there, for a text of that revision. Called in an effect. */
  follow(revision: number): () => void {
    void this.#said
    void this.#ask(revision)
    const again = () => {
      if (this.#failed) void this.#ask(revision)
    }
    for (const sign of ['focus', 'online']) addEventListener(sign, again)
    return () => {
      for (const sign of ['focus', 'online']) removeEventListener(sign, again)
    }
  }

  async #ask(revision: number): Promise<void> {
    const asked = ++this.#asked
    try {
      const { api, document } = this.#session
      const found = await api.call('listMarks', { params: { id: document.id } })
      this.#failed = false
      // A newer text waits until it is asked for; what stands in the one that is shown stays.
      if (asked === this.#asked && found.revision === revision) this.#placed = found
    } catch {
      this.#failed = asked === this.#asked
    }
  }
}
