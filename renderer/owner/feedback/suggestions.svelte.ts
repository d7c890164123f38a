import { limits } from '../../../server/contract/limits.ts'
import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import type { DocumentSession, TextMark } from '../../editor/document-session.ts'
import type { Feedback } from '../../feedback/feedback.svelte.ts'
import { explain } from '../explain.ts'
import { UNDO_MS } from '../../ui/notice.ts'
import { replaced } from '../../feedback/optimistic-list.svelte.ts'
import { inReadingOrder } from './suggestion-order.ts'
import { instantNow } from '../../ui/time.ts'
import type { Wanted } from '../../feedback/wanted.ts'
import { itemAfter } from './walkable.ts'

export type SuggestionFilter = Suggestion['status'] | 'all'

/** The suggestions made on an open document, and what their reader decides. */
export class Suggestions {
  readonly #session: DocumentSession
  readonly #feedback: Feedback
  /** Acceptances happen one after the other: each saves, changes the text and takes it over before the next. */
  #queue: Promise<unknown> = Promise.resolve()

  loading = $state(true)
  /** Why the list may be out of date; null while all is well. */
  problem = $state<string | null>(null)
  filter = $state<SuggestionFilter>('pending')
  activeId = $state<string | null>(null)
  /** Whether all pending ones are being decided at once. */
  deciding = $state(false)

  readonly all = $derived.by(() => inReadingOrder(this.#feedback.suggestions))
  readonly pending = $derived(this.all.filter(({ status }) => status === 'pending'))
  readonly applicable = $derived(this.pending.filter(({ range }) => range !== null))
  readonly shown = $derived(
    this.filter === 'all' ? this.all : this.all.filter(({ status }) => status === this.filter),
  )
  readonly marks = $derived<TextMark[]>(
    this.applicable.map(({ id, range, original_text }) => ({
      id,
      words: original_text,
      kind: 'suggestion',
      range: range!,
      active: id === this.activeId,
    })),
  )

  constructor(session: DocumentSession, feedback: Feedback) {
    this.#session = session
    this.#feedback = feedback
  }

  /** Rejects when the list couldn’t be fetched; what is shown stays and `problem` says why. */
  async load(wanted: Wanted = 'all'): Promise<void> {
    try {
      await this.#feedback.suggestionList.load(
        (query) =>
          this.#session.api.call('listSuggestions', { params: this.#document, ...(query ? { query } : {}) }),
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

  /** Makes a suggestion the one looked at, here and in the text. */
  activate(id: string | null, { reveal = false } = {}): void {
    this.activeId = id
    const suggestion = this.all.find((candidate) => candidate.id === id)
    if (!suggestion) return
    if (this.filter !== 'all' && this.filter !== suggestion.status) this.filter = suggestion.status
    if (reveal && suggestion.status === 'pending' && suggestion.range) this.#session.reveal(suggestion.range)
  }

  /** The suggestion `by` places after `from`; from none, the first or last. */
  step(by: 1 | -1, from: string | null = this.activeId): string | null {
    const suggestion = itemAfter(this.shown, from, by)
    if (!suggestion) return null
    this.activate(suggestion.id, { reveal: true })
    return suggestion.id
  }

  /** Puts the suggested words into the text. */
  accept(suggestion: Suggestion): Promise<void> {
    return this.#inTurn(async () => {
      const params = { ...this.#document, suggestion_id: suggestion.id }
      let before: number | null = null
      try {
        await this.#feedback.suggestionList.change(
          become(suggestion.id, 'accepted'),
          async () => {
            before = await this.#savedRevision()
            return this.#session.api.call('acceptSuggestion', { params })
          },
          replaced,
        )
      } catch (error) {
        this.#fail(error, 'accept the suggestion')
        await this.#reload()
        return
      }
      await this.#takeOver(before, { changes: 1, accepted: 1 }, 'Suggestion accepted.')
    })
  }

  /** Leaves the text as it is; can be undone for a moment, after which it is final. */
  reject(suggestion: Suggestion): void {
    const params = { ...this.#document, suggestion_id: suggestion.id }
    const takeBack = this.#feedback.suggestionList.later(
      suggestion.id,
      UNDO_MS,
      become(suggestion.id, 'rejected'),
      async (leaving) => {
        const options = leaving ? { params, keepalive: true } : { params }
        await this.#session.api.call('rejectSuggestion', options)
      },
      (error) => {
        this.#fail(error, 'reject the suggestion')
        void this.#reload()
      },
    )
    if (this.activeId === suggestion.id) this.activeId = null
    const undo = {
      label: 'Undo',
      run: () => {
        if (takeBack()) this.#feedback.show(suggestion.id)
      },
    }
    this.#feedback.notify({ kind: 'info', text: 'Suggestion rejected.', action: undo })
  }

  withdraw(suggestion: Suggestion): void {
    if (this.activeId === suggestion.id) this.activeId = null
    void this.#feedback.withdraw(suggestion)
  }

  /** Decides everything pending that is listed now; one made since then stays pending. */
  decideAll(action: 'accept' | 'reject'): Promise<void> {
    return this.#inTurn(async () => {
      await this.#feedback.suggestionList.flush()
      const ids = (action === 'accept' ? this.applicable : this.pending).map(({ id }) => id)
      if (ids.length === 0) return
      this.deciding = true
      let before: number | null = null
      let decided = 0
      try {
        if (action === 'accept') before = await this.#savedRevision()
        decided = await this.#resolve(action, ids)
      } catch (error) {
        this.#fail(error, `${action} the suggestions`)
      } finally {
        this.deciding = false
      }
      await this.#reload()
      const left = ids.length - decided
      const text = `${decided} ${decided === 1 ? 'suggestion' : 'suggestions'} ${action}ed.${
        left > 0 ? ` ${left} left: their words have changed, or they were decided elsewhere.` : ''
      }`
      if (decided === 0) return
      // Each call, however many it accepts, is one change of the text.
      const calls = Math.ceil(ids.length / limits.bulkSuggestions)
      if (action === 'accept') await this.#takeOver(before, { changes: calls, accepted: decided }, text)
      else this.#feedback.notify({ kind: 'success', text })
    })
  }

  get #document() {
    return { id: this.#session.document.id }
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#queue.then(work)
    this.#queue = turn.catch(() => {})
    return turn
  }

  async #savedRevision(): Promise<number> {
    await this.#session.saveNow()
    return this.#session.document.revision
  }

  async #resolve(action: 'accept' | 'reject', ids: string[]): Promise<number> {
    let decided = 0
    for (let from = 0; from < ids.length; from += limits.bulkSuggestions) {
      const results = await this.#session.api.call('resolveSuggestions', {
        params: this.#document,
        body: { action, ids: ids.slice(from, from + limits.bulkSuggestions) },
      })
      decided += results.filter(({ error }) => error === null).length
    }
    return decided
  }

  /**
   * Shows the changed text and offers the text before. That is only offered where nothing but these acceptances came
   * after revision `before`, and only done while that is still so, so it can’t take anybody’s words away.
   */
  async #takeOver(
    before: number | null,
    { changes, accepted }: { changes: number; accepted: number },
    text: string,
  ): Promise<void> {
    try {
      await this.#session.refresh()
    } catch (error) {
      this.#fail(error, 'show the changed text')
      return
    }
    await this.#reload()
    const after = this.#session.document.revision
    const alone = before !== null && after > before && after - before <= changes
    this.#feedback.notify({
      kind: 'success',
      text,
      ...(alone
        ? { action: { label: 'Restore text', run: () => void this.#restore(before, after, accepted) } }
        : {}),
    })
  }

  #restore(before: number, after: number, accepted: number): Promise<void> {
    return this.#inTurn(async () => {
      try {
        await this.#session.saveNow()
        await this.#session.api.call('restoreRevision', {
          params: { ...this.#document, revision: before },
          ifMatch: after,
        })
        await this.#session.refresh()
        this.#feedback.notify({
          kind: 'success',
          text: `The text is as it was. The ${accepted === 1 ? 'suggestion stays' : 'suggestions stay'} in the list as accepted.`,
        })
      } catch (error) {
        this.#fail(error, 'restore the text (the versions have it)')
      }
    })
  }

  async #reload(): Promise<void> {
    await this.load().catch(() => {})
  }

  #fail(error: unknown, doing: string): void {
    this.#feedback.fail(error, doing)
  }
}

function become(id: string, status: Suggestion['status']) {
  return (items: readonly Suggestion[]): readonly Suggestion[] =>
    items.map((item) =>
      item.id === id ? { ...item, status, resolved_at: item.resolved_at ?? instantNow() } : item,
    )
}
