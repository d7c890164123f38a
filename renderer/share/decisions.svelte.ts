import { Remembered } from '../ui/remembered.ts'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'

/** As many as places may be asked for at once. */
const most = 50

/** What this browser remembers of what its reader was told. */
interface Told {
  /** When the newest decision was made that they know of, in the server’s time; none before is told again. */
  until: string
  /** Their own that they were told of and haven’t looked at yet. */
  unseen: string[]
}

/**
 * What became of suggestions, for those who read on: their own, from whenever they were decided until they have looked
 * at it, in this browser; others’ if they are decided while the page is open. Each decision is told once.
 */
export class Decisions {
  /** The ids of those that are shown though they are decided, until they are put away. */
  shown = $state.raw<ReadonlySet<string>>(new Set())
  readonly #kept: Remembered
  readonly #onNews: (own: readonly Suggestion[]) => void
  readonly #isHere: () => boolean
  readonly #wasPending = new Set<string>()
  readonly #putAway = new Set<string>()
  /** The reader’s own that were decided when that was last learnt. */
  #decided: ReadonlySet<string> = new Set()
  /** As long as the page is open, also where nothing can be remembered. */
  #told: Told

  /**
   * `onNews` is told of the reader’s own that were decided since they were last here, or are pending again; while they
   * aren’t, it waits for the next time something is learnt.
   */
  constructor(
    documentId: string,
    onNews: (own: readonly Suggestion[]) => void,
    isHere = () => document.visibilityState === 'visible',
  ) {
    this.#kept = new Remembered(`galley.decisions.${documentId}`)
    this.#onNews = onNews
    this.#isHere = isHere
    this.#told = recall(this.#kept) ?? { until: '', unseen: [] }
  }

  /** Learns how suggestions stand now. */
  learn(suggestions: readonly Suggestion[]): void {
    this.#learnReopened(suggestions)
    // Another page of the same reader may have told them meanwhile.
    const told = recall(this.#kept) ?? this.#told
    const unseen = new Set(told.unseen)
    const decided = suggestions.filter(({ id, status }) => {
      if (status === 'pending') this.#wasPending.add(id)
      return status !== 'pending'
    })
    const isNews = ({ mine, resolved_at }: Suggestion) => mine && (resolved_at ?? '') > told.until
    const own = decided.filter(isNews)
    const showing = decided.filter(
      (one) => isNews(one) || (one.mine ? unseen.has(one.id) : false) || this.#wasPending.has(one.id),
    )
    const more = showing.filter(({ id }) => !this.shown.has(id) && !this.#putAway.has(id))
    if (more.length > 0) this.shown = new Set([...this.shown, ...more.map(({ id }) => id)].slice(-most))
    if (own.length === 0 || !this.#isHere()) return
    this.#remember({
      until: own.reduce((last, { resolved_at }) => later(last, resolved_at), told.until),
      unseen: [...new Set([...told.unseen, ...own.map(({ id }) => id)])].slice(-most),
    })
    this.#onNews(own)
  }

  /** What was decided before the reader’s eyes and is open again has become of nothing. */
  #learnReopened(suggestions: readonly Suggestion[]): void {
    const reopened = suggestions.filter(({ id, status }) => status === 'pending' && this.#decided.has(id))
    if (reopened.length > 0) {
      for (const { id } of reopened) this.putAway(id)
      for (const { id } of reopened) this.#putAway.delete(id)
      if (this.#isHere()) this.#onNews(reopened)
    }
    const decided = suggestions.filter(({ mine, status }) => mine && status !== 'pending')
    this.#decided = new Set(decided.map(({ id }) => id))
  }

  /** Its writer has seen what became of it; it stays for as long as the page is open. */
  see(id: string): void {
    const told = recall(this.#kept) ?? this.#told
    if (!told.unseen.includes(id)) return
    this.#remember({ ...told, unseen: told.unseen.filter((other) => other !== id) })
  }

  putAway(id: string): void {
    this.see(id)
    this.#putAway.add(id)
    this.shown = new Set([...this.shown].filter((shown) => shown !== id))
  }

  #remember(told: Told): void {
    this.#told = told
    // Without storage it is told again the next time.
    this.#kept.value = JSON.stringify(told)
  }
}

const later = (one: string, other: string | null) => (other !== null && other > one ? other : one)

function recall({ value }: Remembered): Told | null {
  try {
    const kept = JSON.parse(value ?? 'null') as Partial<Told> | null
    if (typeof kept?.until !== 'string' || !Array.isArray(kept.unseen)) return null
    return { until: kept.until, unseen: kept.unseen.filter((id) => typeof id === 'string') }
  } catch {
    return null
  }
}

/** How the reader’s own suggestions went, in a sentence. */
export function tellDecisions(own: readonly Suggestion[]): string {
  if (own.every(({ status }) => status === 'pending'))
    return own.length === 1
      ? 'Your suggestion is to be decided again.'
      : `${own.length} of your suggestions are to be decided again.`
  const accepted = own.filter(({ status }) => status === 'accepted').length
  const rejected = own.length - accepted
  if (own.length === 1)
    return accepted === 1 ? 'Your suggestion was accepted.' : 'Your suggestion was not taken.'
  if (rejected === 0) return `${accepted} of your suggestions were accepted.`
  if (accepted === 0) return `${rejected} of your suggestions were not taken.`
  return `Of your suggestions ${accepted} ${accepted === 1 ? 'was' : 'were'} accepted, ${rejected} not taken.`
}

/**
 * What a decision has come to, after its name. `stands` says whether the newest text has the words that it left there:
 * they may have been changed since, or an older text restored. `isNewer`: that text isn’t shown yet.
 */
export function tellOutcome(
  { status }: Pick<Suggestion, 'status'>,
  stands: boolean | null,
  isNewer: boolean,
): string {
  if (status === 'pending' || stands === null) return ''
  if (!stands) return status === 'accepted' ? ', but the text has changed there since.' : ''
  if (status === 'rejected') return ': the text stays as it was.'
  return isNewer ? ': it is in the new text.' : ': it is in the text now.'
}
