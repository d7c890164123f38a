import type { Comment } from '../../../server/contract/records/comments.ts'
import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import { alternativesOf } from '../../feedback/alternatives.ts'
import type { Answering } from '../../feedback/answering.ts'
import type { DocumentSession, SuggestionsShown, TextMark } from '../../editor/document-session.ts'
import type { Unmade } from '../../editor/suggesting/due-suggestions.ts'
import type { Suggester } from '../../editor/suggesting/suggester.svelte.ts'
import type { Feedback } from '../../feedback/feedback.svelte.ts'
import { overlapsOf } from '../../feedback/overlaps.ts'
import { goOnAs } from '../../feedback/reasoning.ts'
import { explain } from '../explain.ts'
import { addressOf } from '../router.svelte.ts'
import { isAnsweredSince, repliesTo } from '../../feedback/replies.ts'
import { SuggestionMarks } from '../../feedback/suggestion-marks.ts'
import { Remembered } from '../../ui/remembered.ts'
import { choicesAmong, type Choices } from './choices.ts'
import { OwnerDecisions } from './owner-decisions.svelte.ts'
import { inReadingOrder } from '../../feedback/suggestion-order.ts'
import type { Wanted } from '../../feedback/wanted.ts'
import { FeedbackFilter, suggestionFacts } from '../../feedback/feedback-filter.svelte.ts'
import { Guests, isHidden } from './guests.svelte.ts'
import { itemAfter } from '../../feedback/walkable.ts'

export type SuggestionFilter = Suggestion['status'] | 'all'

const shownInText = new Remembered('galley.suggestions-in-text')
const rememberedView = (): SuggestionsShown => {
  const { value } = shownInText
  return value === 'original' || value === 'result' ? value : 'changes'
}

/** The suggestions made on an open document, as its owner sees them. */
export class Suggestions {
  readonly #session: DocumentSession
  readonly #feedback: Feedback
  readonly guests: Guests
  readonly decisions: OwnerDecisions

  loading = $state(true)
  /** Why the list may be out of date; null while all is well. */
  problem = $state<string | null>(null)
  filter = $state<SuggestionFilter>('pending')
  activeId = $state<string | null>(null)
  /** Which of the owner’s own is being given a reason. */
  reasoned = $state<string | null>(null)
  /** What makes suggestions of what the owner types, once they do. */
  suggester = $state.raw<Suggester | null>(null)
  /** What of that waits here, as nobody can be reached. */
  readonly waiting = $derived(this.suggester?.waiting ?? [])

  readonly all = $derived.by(() => inReadingOrder(this.guests.suggestionsOf(this.#feedback.suggestions)))
  /** How many of them, and of what they were answered, the owner has hidden from others. */
  readonly hidden = $derived.by(
    () => this.#feedback.suggestions.flatMap((one) => [one, ...repliesTo(one)]).filter(isHidden).length,
  )
  readonly pending = $derived(this.all.filter(({ status }) => status === 'pending'))
  /** Decided ones that were answered since. */
  readonly answered = $derived(this.all.filter(isAnsweredSince))
  readonly applicable = $derived(this.pending.filter(({ range }) => range !== null))
  /** Those that may be accepted together: what is hidden from others is accepted by itself alone. */
  readonly #acceptable = $derived(this.applicable.filter((one) => !isHidden(one)))
  readonly shown = $derived(
    this.filter === 'all' ? this.all : this.all.filter(({ status }) => status === this.filter),
  )
  /** Where a file of the document is. */
  readonly fileUrl = (file: string): string =>
    this.#session.api.url('getFile', { params: { id: this.#session.document.id, file } })

  readonly filterBy = new FeedbackFilter()
  /** Those that the list has. */
  readonly listed = $derived(this.shown.filter((one) => this.filterBy.takes(suggestionFacts(one))))
  readonly filterable = $derived(this.shown.map(suggestionFacts))
  /** How they are seen in the text, which this browser remembers. */
  textShows = $state<SuggestionsShown>(rememberedView())
  /** Those that can be applied, by the words that they would change. */
  readonly groups = $derived(alternativesOf(this.applicable))
  /** For each that can be applied those that would change some of its words. */
  readonly overlaps = $derived(overlapsOf(this.applicable))
  /** Of several for the same words the text shows one: that which is looked at, or the first. */
  readonly #hidden = $derived(
    new Set(
      this.groups.flatMap((group) => {
        const seen = group.find(({ id }) => id === this.activeId) ?? group[0]
        return group.flatMap((one) => (one === seen ? [] : one.id))
      }),
    ),
  )
  /** What accepting all comes to, or all of the person, or with the words, that the list is filtered by. */
  readonly supposed = $derived.by(() => {
    const { filterBy } = this
    const asked = this.#acceptable.filter(
      (one) => filterBy.takes(suggestionFacts(one)) && (!filterBy.isOfOne || filterBy.isBy(one)),
    )
    return choicesAmong(asked)
  })
  /** Those of which the text shows nothing but that they are there. */
  readonly #unseen = $derived.by(() => {
    if (this.textShows !== 'result') return this.#hidden
    const { clear } = this.supposed
    return new Set(this.applicable.flatMap((one) => (clear.includes(one) ? [] : one.id)))
  })
  readonly #marks = new SuggestionMarks()
  readonly marks = $derived<TextMark[]>(
    this.#marks.of(this.applicable, {
      placedIn: (id) => this.#feedback.suggestionList.placedIn(id),
      activeId: this.activeId,
      shown: this.textShows,
      hidden: this.#unseen,
    }),
  )

  constructor(
    session: DocumentSession,
    feedback: Feedback,
    guests = new Guests(session, feedback, () => this.load()),
  ) {
    this.#session = session
    this.#feedback = feedback
    feedback.loadAnew = () => this.load()
    this.guests = guests
    this.decisions = new OwnerDecisions(session, feedback, this)
  }

  /** What can be done with what they were answered. */
  get actions(): Answering {
    const { drafts, people } = this.#feedback
    return {
      drafts,
      people,
      react: (comment, reaction, set) => this.#feedback.react(comment, reaction, set),
      keepDraft: (slot, body) => drafts.keep(slot, { body }),
      writing: (slot) => this.#feedback.written.begin(slot),
      reply: (to, body) => this.#feedback.reply(to, body),
      edit: (comment, body) => this.#feedback.edit(comment, body),
    }
  }

  removeReply(reply: Comment): void {
    void this.#feedback.remove(reply)
  }

  /** Rejects when the list couldn’t be fetched; what is shown stays and `problem` says why. */
  async load(wanted: Wanted = 'all'): Promise<void> {
    try {
      await this.#feedback.suggestionList.load(
        (query, placedIn) =>
          this.#session.api.call('listSuggestions', {
            params: this.#document,
            placedIn,
            query: { ...query, replies: 'true' },
          }),
        wanted,
      )
      this.problem = null
    } catch (error) {
      this.problem = explain(error, 'load the suggestions')
      throw error
    } finally {
      this.loading = false
    }
  }

  /** Shows them in the text in another way, from now on. */
  showInText(shown: SuggestionsShown): void {
    this.textShows = shown
    shownInText.value = shown === 'changes' ? null : shown
  }

  /** Makes a suggestion the one looked at, here and in the text. */
  activate(id: string | null, { reveal = false } = {}): void {
    this.activeId = id
    const suggestion = this.all.find((candidate) => candidate.id === id)
    if (!suggestion) return
    if (this.filter !== 'all' && this.filter !== suggestion.status) this.filter = suggestion.status
    if (!this.filterBy.takes(suggestionFacts(suggestion))) this.filterBy.clear()
    if (reveal && suggestion.status === 'pending' && suggestion.range) this.#session.reveal(suggestion.range)
  }

  /** The suggestion `by` places after `from`; from none, the first or last. */
  step(by: 1 | -1, from: string | null = this.activeId): string | null {
    const suggestion = itemAfter(this.listed, from, by)
    if (!suggestion) return null
    this.activate(suggestion.id, { reveal: true })
    return suggestion.id
  }

  /** Those for the very same words, it among them. */
  groupOf(id: string | null): readonly Suggestion[] {
    return this.groups.find((group) => group.some((one) => one.id === id)) ?? []
  }

  /** Those that can be applied among some marks, with what others suggest for the same words. */
  among(marks: readonly string[]): string[] {
    return this.applicable.flatMap(({ id }) => (marks.includes(id) ? id : []))
  }

  /** What accepting all that can be applied, or those that are named, comes to; nothing is chosen for its owner. */
  choices(named?: readonly string[]): Choices<Suggestion> {
    return choicesAmong(this.#acceptable.filter(({ id }) => !named || named.includes(id)))
  }

  /** The address that opens the document at a suggestion. */
  linkTo(id: string): string {
    return addressOf(this.#document, { kind: 'suggestion', id })
  }

  /** Says why the owner suggests something, or no longer does. */
  giveReason(suggestion: Suggestion, note: string): Promise<boolean> {
    return this.#feedback.giveReason(suggestion, note)
  }

  /** The same of what waits here; false where it is on its way by now. */
  giveWaitingReason({ key }: Unmade, note: string | null): boolean {
    return this.suggester?.giveReason(key, note) ?? false
  }

  /** What waited here has an id now. */
  isMade(name: string, id: string): void {
    goOnAs(id, name, this.#feedback.drafts, this)
  }

  withdraw(suggestion: Suggestion): void {
    if (this.activeId === suggestion.id) this.activeId = null
    void this.#feedback.withdraw(suggestion)
  }

  get #document() {
    return { id: this.#session.document.id }
  }
}
