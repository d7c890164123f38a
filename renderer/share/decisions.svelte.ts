import type { Suggestion } from '../../server/contract/records.ts'

/** As many as places may be asked for at once. */
const most = 50

/**
 * What became of suggestions, for those who read on: their own, from whenever they were decided until they have looked
 * at it, in this browser; others’ if they are decided while the page is open.
 */
export class Decisions {
  /** The ids of those that are shown though they are decided, until they are put away. */
  shown = $state.raw<ReadonlySet<string>>(new Set())
  readonly #key: string
  readonly #onNews: (own: readonly Suggestion[]) => void
  readonly #seen: Set<string>
  readonly #wasPending = new Set<string>()
  readonly #putAway = new Set<string>()

  /** `onNews` is told of the reader’s own that were decided since they last looked. */
  constructor(documentId: string, onNews: (own: readonly Suggestion[]) => void) {
    this.#key = `galley.decisions.${documentId}`
    this.#onNews = onNews
    this.#seen = new Set(recall(this.#key))
  }

  /** Learns how suggestions stand now. */
  learn(suggestions: readonly Suggestion[]): void {
    const decided = suggestions.filter(({ id, mine, status }) => {
      if (status === 'pending') this.#wasPending.add(id)
      return status !== 'pending' && (this.#wasPending.has(id) || (mine && !this.#seen.has(id)))
    })
    const news = decided.filter(({ id }) => !this.shown.has(id) && !this.#putAway.has(id))
    if (news.length === 0) return
    this.shown = new Set([...this.shown, ...news.map(({ id }) => id)].slice(-most))
    const own = news.filter(({ mine }) => mine)
    if (own.length > 0) this.#onNews(own)
  }

  /** Its writer has seen what became of it; it stays for as long as the page is open. */
  see(id: string): void {
    if (!this.shown.has(id) || this.#seen.has(id)) return
    this.#seen.add(id)
    try {
      localStorage.setItem(this.#key, JSON.stringify([...this.#seen].slice(-1_000)))
    } catch {
      // Without storage it is told again the next time.
    }
  }

  putAway(id: string): void {
    this.see(id)
    this.#putAway.add(id)
    this.shown = new Set([...this.shown].filter((shown) => shown !== id))
  }
}

function recall(key: string): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

/** How the reader’s own suggestions went, in a sentence. */
export function tellDecisions(own: readonly Suggestion[]): string {
  const accepted = own.filter(({ status }) => status === 'accepted').length
  const rejected = own.length - accepted
  if (own.length === 1)
    return accepted === 1 ? 'Your suggestion was accepted.' : 'Your suggestion was not taken.'
  if (rejected === 0) return `${accepted} of your suggestions were accepted.`
  if (accepted === 0) return `${rejected} of your suggestions were not taken.`
  return `Of your suggestions ${accepted} ${accepted === 1 ? 'was' : 'were'} accepted, ${rejected} not taken.`
}
