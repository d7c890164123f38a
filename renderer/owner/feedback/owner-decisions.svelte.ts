import { limits } from '../../../server/contract/limits.ts'
import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import { ApiError } from '../../api/client-of.ts'
import type { DocumentSession } from '../../editor/document-session.ts'
import type { Feedback } from '../../feedback/feedback.svelte.ts'
import { replaced } from '../../feedback/optimistic-list.svelte.ts'
import { undoing } from '../../ui/notice.ts'
import { instantNow } from '../../ui/time.ts'
import { toChoose, type Choices } from './choices.ts'

/** What is decided about. */
interface Listed {
  readonly all: readonly Suggestion[]
  readonly pending: readonly Suggestion[]
  activeId: string | null
  /** Those for the very same words, it among them. */
  groupOf(id: string): readonly Suggestion[]
  choices(named?: readonly string[]): Choices<Suggestion>
  load(): Promise<void>
}

/** What an owner decides about suggestions, one after the other, and takes back. */
export class OwnerDecisions {
  readonly #session: DocumentSession
  readonly #feedback: Feedback
  readonly #listed: Listed
  /** Acceptances happen one after the other: each saves, changes the text and takes it over before the next. */
  #queue: Promise<unknown> = Promise.resolve()
  /** Whether many are being decided at once. */
  deciding = $state(false)

  constructor(session: DocumentSession, feedback: Feedback, listed: Listed) {
    this.#session = session
    this.#feedback = feedback
    this.#listed = listed
  }

  /**
   * Puts the suggested words into the text, or these instead. What others suggest for the very same words is rejected
   * with it. Answers whether it was done.
   */
  accept(suggestion: Suggestion, words = suggestion.suggested_text): Promise<boolean> {
    return this.#inTurn(async () => {
      const others = this.#listed.groupOf(suggestion.id).filter(({ id }) => id !== suggestion.id)
      const isDone = await this.#change(suggestion, 'accepted', async (params) => {
        await this.#session.saveNow()
        const { edited_at } = suggestion
        if (words === suggestion.suggested_text)
          return this.#session.api.call('acceptSuggestion', { params, body: { edited_at } })
        return this.#acceptAs(suggestion, words)
      })
      if (!isDone) return false
      const rejected = await this.#rejectOthers(others)
      await this.#showText()
      this.#offerUndo(
        `Suggestion accepted.${alsoRejected(rejected)}`,
        [suggestion.id, ...rejected],
        suggestion,
      )
      return true
    })
  }

  /** What others suggest for words that were accepted; answers what was done. */
  async #rejectOthers(others: readonly Suggestion[]): Promise<string[]> {
    if (others.length === 0) return []
    return (await this.#resolve('reject', others)) ?? []
  }

  async #acceptAs(suggestion: Suggestion, suggested_text: string): Promise<Suggestion> {
    const [result] = await this.#session.api.call('resolveSuggestions', {
      params: this.#document,
      body: { action: 'accept', ...named([suggestion]), suggested_text },
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
    if (this.#listed.activeId === suggestion.id) this.#listed.activeId = null
    if (isDone) this.#offerUndo('Suggestion rejected.', [suggestion.id], suggestion)
  }

  /** Takes a decision back: an accepted one’s words are taken out again where they were put in, and nothing else. */
  reopen({ id, status, edited_at }: Suggestion, again?: () => void): Promise<boolean> {
    return this.#inTurn(async () => {
      const isDone = await this.#change(
        { id },
        'pending',
        async (params) => {
          await this.#session.saveNow()
          return this.#session.api.call('reopenSuggestion', { params, body: { edited_at } })
        },
        again,
      )
      if (isDone && status === 'accepted') await this.#showText()
      return isDone
    })
  }

  /**
   * Decides what is pending and listed now, or those of it that are named; one made since then stays pending, and so do
   * those of which one has to be chosen. What others suggest for the words of one that is accepted is rejected with it.
   */
  decideAll(action: 'accept' | 'reject', named?: readonly string[]): Promise<void> {
    const shown = this.#listed.pending
    return this.#inTurn(async () => {
      await this.#feedback.suggestionList.flush()
      const { clear, places } = this.#listed.choices(named)
      const asked =
        action === 'accept' ? clear : this.#listed.pending.filter(({ id }) => !named || named.includes(id))
      if (asked.length === 0) return
      const groups = asked.map(({ id }) => this.#listed.groupOf(id))
      // What changed while others were decided is another thing than what was seen.
      const seen = asked.map((one) => shown.find(({ id }) => id === one.id) ?? one)
      const decided = await this.#resolve(action, seen)
      if (decided === null) return
      if (decided.length === 0) {
        const text = `Nothing was ${action}ed: ${whyLeft}`
        return this.#feedback.notify({ kind: 'error', text })
      }
      const isDecided = ({ id }: Suggestion) => decided.includes(id)
      const others = groups.filter((group) => group.some(isDecided)).flat()
      const rejected =
        action === 'accept' ? await this.#rejectOthers(others.filter((one) => !isDecided(one))) : []
      const left = asked.length - decided.length
      const text = [
        `${counted(decided)} ${action}ed.${alsoRejected(rejected)}`,
        left > 0 ? `${left} left: ${whyLeft}` : '',
        action === 'accept' && places.length > 0 ? `${toChoose(places)}.` : '',
      ]
      this.#offerUndo(text.filter(Boolean).join(' '), [...decided, ...rejected])
    })
  }

  /** Once it is undone, the review goes back to the one that was decided by itself. */
  #offerUndo(text: string, ids: readonly string[], single?: Suggestion): void {
    const decided = this.#listed.all.filter(({ id }) => ids.includes(id))
    const one = single ?? (decided.length === 1 ? decided[0] : undefined)
    const takeBack = async () => {
      const back = await this.#undo(decided, () => void takeBack())
      if (one && back.includes(one.id)) this.#feedback.show(one.id)
    }
    this.#feedback.notify({ kind: 'success', text, action: undoing(() => void takeBack()) })
  }

  /** Takes decisions back, as far as they are those that were made; answers which. */
  async #undo(decided: readonly Suggestion[], again: () => void): Promise<readonly string[]> {
    const isStill = ({ id, resolved_at }: Suggestion) =>
      decided.some((one) => one.id === id && one.resolved_at === resolved_at)
    const still = this.#listed.all.filter((one) => one.status !== 'pending' && isStill(one))
    const [first] = still
    if (!first) {
      this.#feedback.notify({ kind: 'info', text: decidedAnew })
      return []
    }
    if (decided.length === 1) return (await this.reopen(first, again)) ? [first.id] : []
    return this.#inTurn(async () => {
      const reopened = await this.#resolve('reopen', still, again)
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
      const { suggestionList, whileSilent } = this.#feedback
      const ask = () => call({ ...this.#document, suggestion_id: id })
      await whileSilent(
        () => suggestionList.change(become(id, status), ask, replaced),
        waitings[status],
        status === 'pending' ? 'The suggestion is pending again.' : undefined,
      )
      return true
    } catch (error) {
      if (status === 'pending' && error instanceof ApiError && error.code === 'TEXT_NOT_FOUND')
        this.#feedback.notify({ kind: 'error', text: changedSince })
      else if (status === 'pending' && error instanceof ApiError && error.code === 'CHANGED_SINCE')
        this.#feedback.notify({ kind: 'info', text: decidedAnew })
      else this.#fail(error, doings[status], status === 'pending' ? again : undefined)
      await this.#reload()
      return false
    }
  }

  /** Which of them the server has done that to; null if it couldn’t be asked. What they have become is asked for anew. */
  async #resolve(
    action: 'accept' | 'reject' | 'reopen',
    some: readonly Suggestion[],
    again?: () => void,
  ): Promise<string[] | null> {
    const done: string[] = []
    let isAsked = true
    this.deciding = true
    try {
      await this.#feedback.whileSilent(async () => {
        if (action !== 'reject') await this.#session.saveNow()
        for (let from = 0; from < some.length; from += limits.bulkSuggestions) {
          const part = some.slice(from, from + limits.bulkSuggestions)
          // A rejection changes no words, and whose author goes on typing may be rejected all the same.
          const { ids, seen } = named(part)
          const results = await this.#session.api.call('resolveSuggestions', {
            params: this.#document,
            body: action === 'reject' ? { action, ids } : { action, ids, seen },
          })
          done.push(...results.filter(({ error }) => error === null).map(({ id }) => id))
        }
      }, waitings[outcomes[action]])
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
    await this.#listed.load().catch(() => {})
  }

  #fail(error: unknown, doing: string, again?: () => void): void {
    const passes = error instanceof ApiError && (error.code === 'OFFLINE' || error.code === 'BUSY')
    this.#feedback.fail(error, doing, passes ? again : undefined)
  }
}

/** Which they are, and what was seen of them. */
const named = (some: readonly Suggestion[]) => ({
  ids: some.map(({ id }) => id),
  seen: some.map(({ id, edited_at }) => ({ id, edited_at })),
})

const refusals = {
  ALREADY_RESOLVED: 'The suggestion has already been decided.',
  TEXT_NOT_FOUND: 'The words this suggestion replaces are no longer in the document.',
  CHANGED_SINCE: 'Its author has changed this suggestion since you saw it.',
  NOT_FOUND: 'There is no such suggestion any more.',
} as const
const counted = ({ length }: readonly unknown[]) => `${length} ${length === 1 ? 'suggestion' : 'suggestions'}`
const alsoRejected = ({ length }: readonly unknown[]) =>
  length === 0
    ? ''
    : length === 1
      ? ' The other for the same words is rejected.'
      : ` The ${length} others for the same words are rejected.`
const whyLeft = 'their words have changed, or they were decided elsewhere.'
const decidedAnew = 'There is nothing to undo: it was decided anew since.'
const doings = {
  accepted: 'accept the suggestion',
  rejected: 'reject the suggestion',
  pending: 'take the decision back',
} as const
const outcomes = { accept: 'accepted', reject: 'rejected', reopen: 'pending' } as const
/** What goes on by itself once the server answers. */
const waitings = { accepted: 'Accepting', rejected: 'Rejecting', pending: 'Reopening' } as const
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
