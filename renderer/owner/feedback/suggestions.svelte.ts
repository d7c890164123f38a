import { limits } from '../../../server/contract/limits.ts'
import type { Comment } from '../../../server/contract/records/comments.ts'
import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import { alternativesOf } from '../../feedback/alternatives.ts'
import type { Answering } from '../../feedback/answering.ts'
import type { DocumentSession, SuggestionsShown, TextMark } from '../../editor/document-session.ts'
import type { Feedback } from '../../feedback/feedback.svelte.ts'
import { overlapsOf } from '../../feedback/overlaps.ts'
import { explain } from '../explain.ts'
import { addressOf } from '../router.svelte.ts'
import { ApiError } from '../../api/client-of.ts'
import { undoing } from '../../ui/notice.ts'
import { replaced } from '../../feedback/optimistic-list.svelte.ts'
import { isAnsweredSince, repliesTo } from '../../feedback/replies.ts'
import { SuggestionMarks } from '../../feedback/suggestion-marks.ts'
import { Remembered } from '../../ui/remembered.ts'
import { choicesAmong, type Choices } from './choices.ts'
import { inReadingOrder } from './suggestion-order.ts'
import { instantNow } from '../../ui/time.ts'
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

/** The suggestions made on an open document, and what their reader decides. */
export class Suggestions {
  readonly #session: DocumentSession
  readonly #feedback: Feedback
  readonly guests: Guests
  /** Acceptances happen one after the other: each saves, changes the text and takes it over before the next. */
  #queue: Promise<unknown> = Promise.resolve()

  loading = $state(true)
  /** Why the list may be out of date; null while all is well. */
  problem = $state<string | null>(null)
  filter = $state<SuggestionFilter>('pending')
  activeId = $state<string | null>(null)
  /** Whether all pending ones are being decided at once. */
  deciding = $state(false)

  readonly all = $derived.by(() => inReadingOrder(this.guests.suggestionsOf(this.#feedback.suggestions)))
  /** How many of them, and of what they were answered, the owner has hidden from others. */
  readonly hidden = $derived.by(
    () => this.#feedback.suggestions.flatMap((one) => [one, ...repliesTo(one)]).filter(isHidden).length,
  )
  readonly pending = $derived(this.all.filter(({ status }) => status === 'pending'))
  /** Decided ones that were answered since. */
  readonly answered = $derived(this.all.filter(isAnsweredSince))
  readonly applicable = $derived(this.pending.filter(({ range }) => range !== null))
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
  readonly #marks = new SuggestionMarks()
  readonly marks = $derived<TextMark[]>(
    this.#marks.of(this.applicable, {
      placedIn: (id) => this.#feedback.suggestionList.placedIn(id),
      activeId: this.activeId,
      shown: this.textShows,
      hidden: this.#hidden,
    }),
  )

  constructor(
    session: DocumentSession,
    feedback: Feedback,
    guests = new Guests(session, feedback, () => this.load()),
  ) {
    this.#session = session
    this.#feedback = feedback
    this.guests = guests
  }

  /** What can be done with what they were answered. */
  get actions(): Answering {
    const { drafts, people } = this.#feedback
    return {
      drafts,
      people,
      react: (comment, reaction, set) => this.#feedback.react(comment, reaction, set),
      keepDraft: (slot, body) => drafts.keep(slot, { body }),
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
    return choicesAmong(this.applicable.filter(({ id }) => !named || named.includes(id)))
  }

  /** The address that opens the document at a suggestion. */
  linkTo(id: string): string {
    return addressOf(this.#document, { kind: 'suggestion', id })
  }

  /**
   * Puts the suggested words into the text, or these instead. What others suggest for the very same words is rejected
   * with it. Answers whether it was done.
   */
  accept(suggestion: Suggestion, words = suggestion.suggested_text): Promise<boolean> {
    return this.#inTurn(async () => {
      const others = this.groupOf(suggestion.id).filter(({ id }) => id !== suggestion.id)
      const isDone = await this.#change(suggestion, 'accepted', async (params) => {
        await this.#session.saveNow()
        if (words === suggestion.suggested_text) return this.#session.api.call('acceptSuggestion', { params })
        return this.#acceptAs(suggestion, words)
      })
      if (!isDone) return false
      const rejected = await this.#rejectOthers(others)
      await this.#showText()
      this.#offerUndo(`Suggestion accepted.${alsoRejected(rejected)}`, [suggestion.id, ...rejected])
      return true
    })
  }

  /** What others suggest for words that were accepted; answers what was done. */
  async #rejectOthers(others: readonly Suggestion[]): Promise<string[]> {
    if (others.length === 0) return []
    const ids = others.map(({ id }) => id)
    return (await this.#resolve('reject', ids)) ?? []
  }

  async #acceptAs(suggestion: Suggestion, suggested_text: string): Promise<Suggestion> {
    const [result] = await this.#session.api.call('resolveSuggestions', {
      params: this.#document,
      body: { action: 'accept', ids: [suggestion.id], suggested_text },
    })
    const error = result?.error
    if (error) throw new ApiError(error, error === 'ALREADY_RESOLVED' ? 400 : 409, refusals[error])
    return { ...suggestion, status: 'accepted', accepted_text: suggested_text, resolved_at: instantNow() }
  }

  /** Leaves the text as it is. */
  async reject(suggestion: Suggestion): Promise<void> {
    const isDone = await this.#change(suggestion, 'rejected', (params) =>
      this.#session.api.call('rejectSuggestion', { params }),
    )
    if (this.activeId === suggestion.id) this.activeId = null
    if (isDone) this.#offerUndo('Suggestion rejected.', [suggestion.id])
  }

  /** Takes a decision back: an accepted one’s words are taken out again where they were put in, and nothing else. */
  reopen({ id, status }: Suggestion, again?: () => void): Promise<boolean> {
    return this.#inTurn(async () => {
      const isDone = await this.#change(
        { id },
        'pending',
        async (params) => {
          await this.#session.saveNow()
          return this.#session.api.call('reopenSuggestion', { params })
        },
        again,
      )
      if (isDone && status === 'accepted') await this.#showText()
      return isDone
    })
  }

  withdraw(suggestion: Suggestion): void {
    if (this.activeId === suggestion.id) this.activeId = null
    void this.#feedback.withdraw(suggestion)
  }

  /**
   * Decides what is pending and listed now, or those of it that are named; one made since then stays pending, and so do
   * those of which one has to be chosen. What others suggest for the words of one that is accepted is rejected with it.
   */
  decideAll(action: 'accept' | 'reject', named?: readonly string[]): Promise<void> {
    return this.#inTurn(async () => {
      await this.#feedback.suggestionList.flush()
      const { clear, places } = this.choices(named)
      const asked =
        action === 'accept' ? clear : this.pending.filter(({ id }) => !named || named.includes(id))
      if (asked.length === 0) return
      const groups = asked.map(({ id }) => this.groupOf(id))
      const decided =
        (await this.#resolve(
          action,
          asked.map(({ id }) => id),
        )) ?? []
      if (decided.length === 0) return
      const isDecided = ({ id }: Suggestion) => decided.includes(id)
      const others = groups.filter((group) => group.some(isDecided)).flat()
      const rejected =
        action === 'accept' ? await this.#rejectOthers(others.filter((one) => !isDecided(one))) : []
      const left = asked.length - decided.length
      const text = [
        `${counted(decided)} ${action}ed.${alsoRejected(rejected)}`,
        left > 0 ? `${left} left: their words have changed, or they were decided elsewhere.` : '',
        action === 'accept' && places.length > 0 ? `${toChoose(places)}.` : '',
      ]
      this.#offerUndo(text.filter(Boolean).join(' '), [...decided, ...rejected])
    })
  }

  #offerUndo(text: string, ids: readonly string[], kind: 'success' | 'info' = 'success'): void {
    const decided = this.all.filter(({ id }) => ids.includes(id))
    const takeBack = async () => {
      const [only] = await this.#undo(decided, () => void takeBack())
      if (only && decided.length === 1) this.#feedback.show(only)
    }
    this.#feedback.notify({ kind, text, action: undoing(() => void takeBack()) })
  }

  /** Takes decisions back, as far as they are those that were made; answers which. */
  async #undo(decided: readonly Suggestion[], again: () => void): Promise<readonly string[]> {
    const isStill = ({ id, resolved_at }: Suggestion) =>
      decided.some((one) => one.id === id && one.resolved_at === resolved_at)
    const still = this.all.filter((one) => one.status !== 'pending' && isStill(one))
    const [first] = still
    if (!first) {
      const text = 'There is nothing to undo: it was decided anew since.'
      this.#feedback.notify({ kind: 'info', text })
      return []
    }
    if (decided.length === 1) return (await this.reopen(first, again)) ? [first.id] : []
    return this.#inTurn(async () => {
      const ids = still.map(({ id }) => id)
      const reopened = await this.#resolve('reopen', ids, again)
      if (reopened === null) return []
      const left = decided.length - reopened.length
      const stays = left === 1 ? 'One stays as it is' : `${left} stay as they are`
      const why = left > 0 ? ` ${stays}: the words in the text have been changed since.` : ''
      this.#feedback.notify({
        kind: left > 0 ? 'info' : 'success',
        text: `${counted(reopened)} pending again.${why}`,
      })
      return reopened
    })
  }

  get #document() {
    return { id: this.#session.document.id }
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#queue.then(work)
    this.#queue = turn.catch(() => {})
    return turn
  }

  /** Shows at once what becomes of one; whether the server agrees. */
  async #change(
    { id }: { id: string },
    status: Suggestion['status'],
    call: (params: { id: string; suggestion_id: string }) => Promise<Suggestion>,
    again?: () => void,
  ): Promise<boolean> {
    try {
      const ask = () => call({ ...this.#document, suggestion_id: id })
      await this.#feedback.suggestionList.change(become(id, status), ask, replaced)
      return true
    } catch (error) {
      if (status === 'pending' && error instanceof ApiError && error.code === 'TEXT_NOT_FOUND')
        this.#feedback.notify({ kind: 'error', text: changedSince })
      else this.#fail(error, doings[status], status === 'pending' ? again : undefined)
      await this.#reload()
      return false
    }
  }

  /** Which of them the server has done that to; null if it couldn’t be asked. What they have become is asked for anew. */
  async #resolve(
    action: 'accept' | 'reject' | 'reopen',
    ids: readonly string[],
    again?: () => void,
  ): Promise<string[] | null> {
    const done: string[] = []
    let isAsked = true
    this.deciding = true
    try {
      if (action !== 'reject') await this.#session.saveNow()
      for (let from = 0; from < ids.length; from += limits.bulkSuggestions) {
        const results = await this.#session.api.call('resolveSuggestions', {
          params: this.#document,
          body: { action, ids: ids.slice(from, from + limits.bulkSuggestions) },
        })
        done.push(...results.filter(({ error }) => error === null).map(({ id }) => id))
      }
    } catch (error) {
      isAsked = done.length > 0
      this.#fail(error, action === 'reopen' ? doings.pending : `${action} the suggestions`, again)
    } finally {
      this.deciding = false
    }
    if (action === 'reject') await this.#reload()
    else await this.#showText()
    return isAsked ? done : null
  }

  /** Shows what the text, and what stands in it, has become. */
  async #showText(): Promise<void> {
    try {
      await this.#session.refresh()
    } catch (error) {
      this.#fail(error, 'show the changed text')
    }
    await this.#reload()
  }

  async #reload(): Promise<void> {
    await this.load().catch(() => {})
  }

  #fail(error: unknown, doing: string, again?: () => void): void {
    const passes = error instanceof ApiError && (error.code === 'OFFLINE' || error.code === 'BUSY')
    this.#feedback.fail(error, doing, passes ? again : undefined)
  }
}

const refusals = {
  ALREADY_RESOLVED: 'The suggestion has already been decided.',
  TEXT_NOT_FOUND: 'The words this suggestion replaces are no longer in the document.',
  NOT_FOUND: 'There is no such suggestion any more.',
} as const
const counted = ({ length }: readonly unknown[]) => `${length} ${length === 1 ? 'suggestion' : 'suggestions'}`
const alsoRejected = ({ length }: readonly unknown[]) =>
  length === 0
    ? ''
    : length === 1
      ? ' The other for the same words is rejected.'
      : ` The ${length} others for the same words are rejected.`
/** Said of places where only one of several can be accepted. */
export const toChoose = ({ length }: readonly unknown[]) =>
  length === 1
    ? 'One place has alternatives: choose one'
    : `${length} places have alternatives: choose one of each`
const doings = {
  accepted: 'accept the suggestion',
  rejected: 'reject the suggestion',
  pending: 'take the decision back',
} as const
const changedSince =
  'The words that were accepted were changed since, or can’t be told from what others wrote, so the suggestion stays accepted. The versions have the text from before.'

function become(id: string, status: Suggestion['status']) {
  return (items: readonly Suggestion[]): readonly Suggestion[] =>
    items.map((item) =>
      item.id === id
        ? { ...item, status, resolved_at: status === 'pending' ? null : (item.resolved_at ?? instantNow()) }
        : item,
    )
}
