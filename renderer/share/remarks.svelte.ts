import type { Anchor, Comment, Mark, Suggestion } from '../../server/contract/records.ts'
import type { ApiClient } from '../api/caller.ts'
import { Decisions, tellDecisions } from './decisions.svelte.ts'
import type { FeedbackDrafts } from '../feedback/feedback-drafts.ts'
import { threadsOf, type Thread } from '../feedback/threads.ts'
import type { Guest } from './guest.svelte.ts'
import type { CommentWords, Mutation, Message } from '../feedback/message.ts'
import type { KeptRemarks } from './offline-copy.svelte.ts'
import type { Outbox, Posted } from './outbox/outbox.svelte.ts'
import type { Link } from './link.svelte.ts'
import type { Notices } from './notices.svelte.ts'
import type { ShareRoute } from './share-routes.ts'
import type { ShownText } from './shown-text.svelte.ts'
import type { Chosen } from './text-pane.ts'

interface Options {
  api: ApiClient<ShareRoute>
  documentId: string
  /** Whether the link shows suggestions too. */
  withSuggestions: () => boolean
  link: Link
  text: ShownText
  notices: Notices
  guest: Guest
  drafts: FeedbackDrafts
  outbox: Outbox
  /** Shows all of them in a list. */
  onShowAll: () => void
  /** Goes to one of the reader’s own suggestions that were decided. */
  onShow: (id: string) => void
}

/** Said when something waits for the server. */
export const keptNotice = (lasts: boolean) =>
  lasts
    ? 'Kept here. It will be delivered when the writer’s machine can be reached.'
    : 'Keep this page open: what you wrote waits on it for the writer’s machine, and this browser doesn’t keep it.'

/** Said when the marks of a text can't be had. */
export const unplacedNotice = 'This text is too long or intricate to show in it where comments stand.'

/** The comments and suggestions on the document, and what their readers do with them. */
export class Remarks {
  comments = $state.raw<readonly Comment[]>([])
  suggestions = $state.raw<readonly Suggestion[]>([])
  #marks = $state.raw<{ revision: number; marks: readonly Mark[] }>({ revision: 0, marks: [] })
  /** Whether the text is too much to find in it where they stand. */
  unplaced = $state(false)
  readonly decisions: Decisions
  readonly #options: Options
  readonly #params: { id: string }

  readonly threads = $derived<Thread[]>(threadsOf(this.comments))
  readonly openThreads = $derived(this.threads.filter((thread) => !thread.resolved))
  readonly pending = $derived(this.suggestions.filter(({ status }) => status === 'pending'))
  /** Decided ones of which there is still to tell. */
  readonly decided = $derived(
    this.suggestions.filter(({ id, status }) => status !== 'pending' && this.decisions.shown.has(id)),
  )

  /** Counts what the server has taken. */
  #arrivals = 0

  constructor(options: Options) {
    this.#options = options
    this.#params = { id: options.documentId }
    this.decisions = new Decisions(options.documentId, (own) => {
      const [{ id }] = own as readonly [Suggestion]
      options.notices.say(tellDecisions(own), false, { label: 'Look at it', act: () => options.onShow(id) })
    })
  }

  /** Where they stand. Marks count in the text of their own revision: in another’s they would stand on wrong words. */
  get marks(): readonly Mark[] {
    const { revision, marks } = this.#marks
    return revision === this.#options.text.revision ? marks : []
  }

  /** Shows what was kept, until something newer is known. */
  restore({ comments, suggestions, marks }: KeptRemarks): void {
    this.comments = comments
    this.suggestions = suggestions
    this.#marks = marks
  }

  get all(): KeptRemarks {
    return { comments: this.comments, suggestions: this.suggestions, marks: this.#marks }
  }

  /** Asks what there is now. Rejects when no answer comes. */
  async load(): Promise<void> {
    const { api, link, notices, text, withSuggestions } = this.#options
    const arrivals = this.#arrivals
    await link.attempt(async () => {
      const params = this.#params
      const [marks, comments, suggestions] = await Promise.all([
        this.#findMarks(),
        api.call('listComments', { params }),
        withSuggestions() ? api.call('listSuggestions', { params }) : [],
      ])
      const told = this.decisions.shown
      this.decisions.learn(suggestions)
      // What is news only now has a place that wasn’t asked for yet.
      const placed = told === this.decisions.shown ? marks : await this.#findMarks()
      text.heard(placed.revision)
      // What was asked for before something arrived lacks it, or doesn’t know yet whose it is.
      if (arrivals !== this.#arrivals) return this.load()
      if (placed.revision === text.revision && placed.limited === null) this.#marks = placed
      this.comments = comments
      this.suggestions = suggestions
      const isNews = placed.limited !== null && !this.unplaced
      this.unplaced = placed.limited !== null
      if (isNews)
        notices.say(`${unplacedNotice} They are all in the list.`, false, {
          label: 'Show the list',
          act: () => this.#options.onShowAll(),
        })
    })
  }

  #findMarks() {
    const decided = [...this.decisions.shown].join(',')
    return this.#options.api.call('listMarks', {
      params: this.#params,
      ...(decided ? { query: { decided } } : {}),
    })
  }

  /** `place` is where its words stand, if their anchor isn’t known yet. Rejects when it is refused. */
  async comment(body: CommentWords, place: Chosen | null = null): Promise<Posted> {
    const { guest } = this.#options
    return this.#post({ kind: 'comment', body: { ...body, ...guest.signature }, place })
  }

  /** Rejects when it is refused. */
  async suggest(anchor: Anchor, suggested: string, note: string, place: Chosen | null): Promise<Posted> {
    const { guest } = this.#options
    const body = {
      original_text: anchor.exact,
      suggested_text: suggested,
      anchor,
      note: note.trim() || null,
      ...guest.signature,
    }
    return this.#post({ kind: 'suggestion', body, place })
  }

  /** Shows what the server has just taken; the next look brings the rest. */
  arrived(message: Message, record: Comment | Suggestion | null): void {
    this.#arrivals++
    if (message.kind === 'delete' || message.kind === 'withdraw') {
      const { target } = message
      this.suggestions = this.suggestions.filter(({ id }) => id !== target)
      this.comments = this.comments.filter(({ id, parent_id }) => id !== target && parent_id !== target)
    }
    if (!record) return
    const isOther = ({ id }: { id: string }) => id !== record.id
    if ('original_text' in record) this.suggestions = [...this.suggestions.filter(isOther), record]
    else this.comments = [...this.comments.filter(isOther), record]
  }

  // What follows says itself how it went, and answers whether it went well.

  reply(thread: Thread, body: string): Promise<boolean> {
    return this.#tell('send the reply', 'Reply sent.', async () => {
      const posted = await this.comment({ body: body.trim(), parent_id: thread.id })
      this.#options.drafts.drop(`reply:${thread.id}`)
      return posted
    })
  }

  edit({ id }: Comment, body: string): Promise<boolean> {
    return this.#tell('change the comment', null, async () => {
      const posted = await this.#post({ kind: 'edit', target: id, body: { body } })
      this.#options.drafts.drop(`edit:${id}`)
      return posted
    })
  }

  resolve({ id }: Comment, resolved: boolean): Promise<boolean> {
    const mutation: Mutation = { kind: 'resolve', target: id, body: { resolved } }
    return this.#tell(resolved ? 'resolve it' : 'reopen it', null, () => this.#post(mutation))
  }

  delete({ id, parent_id }: Comment): Promise<boolean> {
    const mutation: Mutation = { kind: 'delete', target: id, body: null }
    return this.#tell('delete it', parent_id ? 'Reply deleted.' : 'Comment deleted.', () =>
      this.#post(mutation),
    )
  }

  withdraw({ id }: Suggestion): Promise<boolean> {
    const mutation: Mutation = { kind: 'withdraw', target: id, body: null }
    return this.#tell('withdraw the suggestion', 'Suggestion withdrawn.', () => this.#post(mutation))
  }

  async #post(message: Message): Promise<Posted> {
    const posted = await this.#options.outbox.post(message)
    if (posted.kind === 'sent') this.arrived(message, posted.record)
    return posted
  }

  async #tell(doing: string, done: string | null, act: () => Promise<Posted>): Promise<boolean> {
    const { notices, outbox } = this.#options
    try {
      const posted = await act()
      await outbox.settle()
      const told = posted.kind === 'sent' ? done : keptNotice(outbox.lasts(posted.entry))
      if (told) notices.say(told)
      return true
    } catch (error) {
      notices.fail(error, doing)
      return false
    }
  }
}
