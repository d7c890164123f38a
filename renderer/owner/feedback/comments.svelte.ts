import type { Anchor } from '../../../server/contract/records/anchors.ts'
import type { Comment } from '../../../server/contract/records/comments.ts'
import type { DocumentSession, TextMark } from '../../editor/document-session.ts'
import { revisionNow, selectionAnchor, tooMuchSelected } from '../../editor/selection-anchor.ts'
import type { FeedbackDrafts } from '../../feedback/feedback-drafts.ts'
import type { Reaction } from '../../../server/contract/records/reactions.ts'
import type { People } from '../../feedback/people.ts'
import type { Feedback } from '../../feedback/feedback.svelte.ts'
import { explain } from '../explain.ts'
import { addressOf } from '../router.svelte.ts'
import type { Thread } from '../../feedback/threads.ts'
import type { Wanted } from '../../feedback/wanted.ts'
import { FeedbackFilter, threadFacts } from '../../feedback/feedback-filter.svelte.ts'
import { Guests, isHidden } from './guests.svelte.ts'
import { itemAfter } from '../../feedback/walkable.ts'

/** What a comment that is being written is called among the marks. */
export const newComment = 'new'

/** The comments of an open document: what there is, what is being written, and what can be done. */
export class Comments {
  readonly #session: DocumentSession
  readonly #feedback: Feedback
  readonly guests: Guests

  loading = $state(true)
  /** Why the list may be out of date; null while all is well. */
  problem = $state<string | null>(null)
  showResolved = $state(false)
  activeId = $state<string | null>(null)
  /** The new comment being written, if one is. */
  composing = $state.raw<{ anchor: Anchor | null } | null>(null)

  readonly threads = $derived.by(() => this.guests.threadsOf(this.#feedback.threads))
  /** How many of all comments and replies the owner has hidden from others. */
  readonly hidden = $derived.by(() => this.#feedback.comments.filter(isHidden).length)
  /** Whether the lists are empty for that alone. */
  readonly allHidden = $derived(this.threads.length === 0 && this.hidden > 0)
  readonly shown = $derived(
    this.showResolved ? this.threads : this.threads.filter((thread) => !thread.resolved),
  )
  readonly filter = new FeedbackFilter()
  /** Those that the list has. */
  readonly listed = $derived(this.shown.filter((thread) => this.filter.takes(threadFacts(thread))))
  readonly filterable = $derived(this.shown.map(threadFacts))
  readonly open = $derived(this.threads.filter((thread) => !thread.resolved).length)
  readonly resolved = $derived(this.threads.length - this.open)
  readonly marks = $derived.by((): TextMark[] => {
    const { commentList } = this.#feedback
    const said = this.shown.flatMap(({ id, root: { range } }): TextMark[] => {
      const active = id === this.activeId
      return range ? [{ id, kind: 'comment', range, active, revision: commentList.placedIn(id) }] : []
    })
    const anchor = this.composing?.anchor
    if (anchor?.revision === undefined) return said
    const { exact, revision, start } = anchor
    const range = { start, end: start + exact.length }
    return [...said, { id: newComment, kind: 'comment', range, active: true, revision }]
  })

  constructor(
    session: DocumentSession,
    feedback: Feedback,
    guests = new Guests(session, feedback, () => this.load()),
  ) {
    this.#session = session
    this.#feedback = feedback
    this.guests = guests
    const begun = feedback.drafts.find('new')
    if (begun) this.composing = { anchor: begun.anchor ?? null }
  }

  get drafts(): FeedbackDrafts {
    return this.#feedback.drafts
  }

  /** Rejects when the list couldn’t be fetched; what is shown stays and `problem` says why. */
  async load(wanted: Wanted = 'all'): Promise<void> {
    try {
      await this.#feedback.commentList.load(
        (query, placedIn) =>
          this.#session.api.call('listComments', {
            params: this.#document,
            placedIn,
            ...(query ? { query } : {}),
          }),
        wanted,
      )
      this.problem = null
    } catch (error) {
      this.problem = explain(error, 'load the comments')
      throw error
    } finally {
      this.loading = false
    }
  }

  /** Makes a thread the one looked at, here and in the text. */
  activate(id: string | null, { reveal = false } = {}): void {
    this.activeId = id
    const thread = this.threads.find((candidate) => candidate.id === id)
    if (!thread) return
    if (thread.resolved) this.showResolved = true
    if (!this.filter.takes(threadFacts(thread))) this.filter.clear()
    if (reveal && thread.root.range) this.#session.reveal(thread.root.range)
  }

  /** The thread `by` places after `from`; from none, the first or last. */
  step(by: 1 | -1, from: string | null = this.activeId): string | null {
    const thread = itemAfter(this.listed, from, by)
    if (!thread) return null
    this.activate(thread.id, { reveal: true })
    return thread.id
  }

  /** Starts a comment on what is selected, or on the whole document where nothing is. What was begun keeps its words. */
  compose(): void {
    const anchor = selectionAnchor(this.#session)
    if (anchor === 'too much') return this.#feedback.notify({ kind: 'error', text: tooMuchSelected })
    this.composing = { anchor }
    this.keepDraft('new', this.draft('new'))
    this.activeId = null
    if (anchor) void this.#nameRevision()
  }

  /** Says which revision the anchor was made on: the text may go on changing while the comment is written. */
  async #nameRevision(): Promise<void> {
    const { composing } = this
    if (!composing?.anchor) return
    const revision = await revisionNow(this.#session)
    if (this.composing !== composing || revision === null) return
    this.composing = { anchor: { ...composing.anchor, revision } }
    this.keepDraft('new', this.draft('new'))
  }

  /** Closes the new comment; its words wait for the next time one is begun. */
  putAway(): void {
    this.composing = null
  }

  /** Closes the new comment; its words are dropped. */
  cancelComposing(): void {
    this.composing = null
    this.drafts.drop('new')
  }

  /** What was begun in a slot: `new`, `reply:<thread>` or `edit:<comment>`. */
  draft(slot: string): string {
    return this.drafts.find(slot)?.body ?? ''
  }

  keepDraft(slot: string, body: string): void {
    const anchor = slot === 'new' ? this.composing?.anchor : undefined
    this.drafts.keep(slot, { body, ...(anchor ? { anchor } : {}) })
  }

  /** Says that a draft is being written at; answers what says that it no longer is. */
  writing(slot: string): () => void {
    return this.#feedback.written.begin(slot)
  }

  /** Begins a comment on the whole document with these words; false where another is begun. */
  composeWith(body: string): boolean {
    if (this.draft('new')) return false
    this.composing = { anchor: null }
    this.keepDraft('new', body)
    this.activeId = null
    return true
  }

  /** Sends the new comment. False when it couldn’t be sent: its words are kept. */
  async send(body: string): Promise<boolean> {
    const anchor = this.composing?.anchor ?? null
    try {
      // The anchor's words may have been typed a moment ago.
      if (anchor) await this.#session.saveNow()
      const words = { body: body.trim(), anchor }
      const posted = await this.#feedback.post({ kind: 'comment', body: words, place: null })
      this.cancelComposing()
      if (posted.kind === 'sent') this.activeId = posted.record?.id ?? null
      return true
    } catch (error) {
      this.#feedback.fail(error, 'send the comment')
      return false
    }
  }

  /** The address that opens the document at a thread. */
  linkTo(id: string): string {
    return addressOf(this.#document, { kind: 'comment', id })
  }

  reply(thread: Pick<Thread, 'id'>, body: string): Promise<boolean> {
    return this.#feedback.reply(thread, body)
  }

  edit(comment: Comment, body: string): Promise<boolean> {
    return this.#feedback.edit(comment, body)
  }

  react(comment: Comment, reaction: Reaction, set: boolean): Promise<boolean> {
    return this.#feedback.react(comment, reaction, set)
  }

  get people(): People {
    return this.#feedback.people
  }

  async resolve(thread: Thread, resolved: boolean): Promise<void> {
    const done = await this.#feedback.resolve(thread, resolved)
    if (done && resolved && this.activeId === thread.id && !this.showResolved) this.activeId = null
  }

  /** Resolves all that are listed and open, with one undo for all of them. */
  async resolveListed(): Promise<void> {
    await this.#feedback.resolveAll(this.listed.filter(({ resolved }) => !resolved))
  }

  /** What the person who was chosen has said, also in what is resolved and not listed; empty where nobody was. */
  readonly ofPerson = $derived.by(() => {
    const { filter } = this
    if (!filter.isPerson) return []
    const theirs = this.threads.filter((thread) => filter.takes(threadFacts(thread)))
    // The answers to what somebody began go with it.
    return theirs.flatMap(({ root, replies }) =>
      filter.isBy(root) ? [root] : replies.filter((reply) => filter.isBy(reply)),
    )
  })

  /** Deletes all of that, with one undo for all of it. */
  removeOfPerson(): void {
    const gone = this.ofPerson
    if (gone.some(({ id }) => id === this.activeId)) this.activeId = null
    this.#feedback.removeAll(gone)
  }

  remove(comment: Comment): void {
    if (this.activeId === comment.id) this.activeId = null
    void this.#feedback.remove(comment)
  }

  get #document() {
    return { id: this.#session.document.id }
  }
}
