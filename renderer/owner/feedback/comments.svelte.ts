import { anchorAt } from '../../../server/domain/anchors/anchor.ts'
import { isForgotten, withoutRevision } from '../../api/anchor-revision.ts'
import { limits } from '../../../server/contract/limits.ts'
import type { Anchor, Comment } from '../../../server/contract/records.ts'
import type { DocumentSession, TextMark } from '../../editor/document-session.ts'
import { FeedbackDrafts } from '../../feedback/feedback-drafts.ts'
import { explain, unlessGone } from '../explain.ts'
import { UNDO_MS, type Notify } from '../../ui/notice.ts'
import { OptimisticList, replaced } from '../../feedback/optimistic-list.svelte.ts'
import { instantNow } from '../../ui/time.ts'
import { threadsOf, type Thread } from '../../feedback/threads.ts'
import { itemAfter } from './walkable.ts'

/** The comments of an open document: what there is, what is being written, and what can be done. */
export class Comments {
  readonly #session: DocumentSession
  readonly #notify: Notify
  readonly drafts: FeedbackDrafts
  readonly #list = new OptimisticList<Comment>()

  loading = $state(true)
  /** Why the list may be out of date; null while all is well. */
  problem = $state<string | null>(null)
  showResolved = $state(false)
  activeId = $state<string | null>(null)
  /** The new comment being written, if one is. */
  composing = $state.raw<{ anchor: Anchor | null } | null>(null)

  readonly threads = $derived<Thread[]>(threadsOf(this.#list.items))
  readonly shown = $derived(
    this.showResolved ? this.threads : this.threads.filter((thread) => !thread.resolved),
  )
  readonly open = $derived(this.threads.filter((thread) => !thread.resolved).length)
  readonly resolved = $derived(this.threads.length - this.open)
  readonly marks = $derived<TextMark[]>(
    this.shown.flatMap(({ id, root }) =>
      root.range ? [{ id, kind: 'comment', range: root.range, active: id === this.activeId }] : [],
    ),
  )

  constructor(session: DocumentSession, notify: Notify, drafts = new FeedbackDrafts(session.document.id)) {
    this.#session = session
    this.#notify = notify
    this.drafts = drafts
    const begun = drafts.find('new')
    if (begun) this.composing = { anchor: begun.anchor ?? null }
  }

  /** Rejects when the list couldn’t be fetched; what is shown stays and `problem` says why. */
  async load(): Promise<void> {
    try {
      await this.#list.load(() => this.#session.api.call('listComments', { params: this.#document }))
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
    if (reveal && thread.root.range) this.#session.reveal(thread.root.range)
  }

  /** The thread `by` places after `from`; from none, the first or last. */
  step(by: 1 | -1, from: string | null = this.activeId): string | null {
    const thread = itemAfter(this.shown, from, by)
    if (!thread) return null
    this.activate(thread.id, { reveal: true })
    return thread.id
  }

  /** Starts a comment on what is selected, or on the whole document where nothing is. What was begun keeps its words. */
  compose(): void {
    const words = selectedWords(this.#session)
    if (words && words.end - words.start > limits.anchorLength) {
      this.#notify({
        kind: 'error',
        text: 'That is too much text for one comment. Select a shorter passage.',
      })
      return
    }
    const { content } = this.#session
    this.composing = { anchor: words && anchorAt(content, words.start, words.end) }
    this.keepDraft('new', this.draft('new'))
    this.activeId = null
    if (words) void this.#nameRevision(content)
  }

  /** Says which revision the anchor was made on: the text may go on changing while the comment is written. */
  async #nameRevision(content: string): Promise<void> {
    const { composing } = this
    if (!composing?.anchor) return
    if (this.#session.unsaved) await this.#session.saveNow().catch(() => undefined)
    const isIt = !this.#session.unsaved && this.#session.content === content
    if (this.composing !== composing || !isIt) return
    const { revision } = this.#session.document
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

  /** Sends the new comment. False when it couldn’t be sent: its words are kept. */
  async send(body: string): Promise<boolean> {
    const anchor = this.composing?.anchor ?? null
    const sent = await this.#create('send the comment', async () => {
      // The anchor's words may have been typed a moment ago.
      if (anchor) await this.#session.saveNow()
      const post = (anchor: Anchor | null) =>
        this.#session.api.call('createComment', {
          params: this.#document,
          body: { body: body.trim(), anchor },
        })
      return post(anchor).catch((error: unknown) => {
        // Begun so long ago that nobody remembers that revision: then the words are looked for.
        if (!isForgotten(error, anchor)) throw error
        return post(withoutRevision(anchor))
      })
    })
    if (!sent) return false
    this.cancelComposing()
    this.activeId = sent.id
    return true
  }

  async reply({ id }: Pick<Thread, 'id'>, body: string): Promise<boolean> {
    const sent = await this.#create('send the reply', () =>
      this.#session.api.call('createComment', {
        params: this.#document,
        body: { body: body.trim(), parent_id: id },
      }),
    )
    if (sent) this.drafts.drop(`reply:${id}`)
    return sent !== null
  }

  async edit(comment: Comment, body: string): Promise<boolean> {
    const changed = await this.#update(
      'change the comment',
      comment,
      { body: body.trim() },
      { body: body.trim() },
    )
    if (changed) this.drafts.drop(`edit:${comment.id}`)
    return changed
  }

  async resolve(thread: Thread, resolved: boolean): Promise<void> {
    const done = await this.#update(
      resolved ? 'resolve the thread' : 'reopen the thread',
      thread.root,
      { resolved_at: resolved ? instantNow() : null },
      { resolved },
    )
    if (!done || !resolved) return
    if (this.activeId === thread.id && !this.showResolved) this.activeId = null
    this.#notify({
      kind: 'success',
      text: 'Thread resolved.',
      action: { label: 'Undo', run: () => void this.resolve(thread, false) },
    })
  }

  /** Hides a comment, with its replies if it begins a thread, and deletes it unless that is undone in time. */
  remove(comment: Comment): void {
    const params = { ...this.#document, comment_id: comment.id }
    const takeBack = this.#list.later(
      comment.id,
      UNDO_MS,
      (items) => items.filter(({ id, parent_id }) => id !== comment.id && parent_id !== comment.id),
      async (leaving) => {
        const call = this.#session.api.call('deleteComment', {
          params,
          ...(leaving ? { keepalive: true } : {}),
        })
        await call.catch(unlessGone)
      },
      (error) => this.#fail(error, 'delete the comment'),
    )
    if (this.activeId === comment.id) this.activeId = null
    this.#notify({
      kind: 'info',
      text: comment.parent_id === null ? 'Thread deleted.' : 'Reply deleted.',
      action: { label: 'Undo', run: () => void takeBack() },
    })
  }

  /** Does now what waits for an undo. */
  flush(): Promise<void> {
    return this.#list.flush()
  }

  get #document() {
    return { id: this.#session.document.id }
  }

  async #create(doing: string, call: () => Promise<Comment>): Promise<Comment | null> {
    try {
      const sent = await call()
      this.#list.confirm((items) => [...items.filter(({ id }) => id !== sent.id), sent])
      return sent
    } catch (error) {
      this.#fail(error, doing)
      return null
    }
  }

  async #update(
    doing: string,
    comment: Comment,
    shown: Partial<Comment>,
    body: { body?: string; resolved?: boolean },
  ): Promise<boolean> {
    const params = { ...this.#document, comment_id: comment.id }
    try {
      await this.#list.change(
        (items) => items.map((item) => (item.id === comment.id ? { ...item, ...shown } : item)),
        () => this.#session.api.call('updateComment', { params, body }),
        replaced,
      )
      return true
    } catch (error) {
      this.#fail(error, doing)
      return false
    }
  }

  #fail(error: unknown, doing: string): void {
    this.#notify({ kind: 'error', text: explain(error, doing) })
  }
}

/** The selection without the white space at its ends; null where that leaves nothing. */
function selectedWords({ selection }: DocumentSession): { start: number; end: number } | null {
  if (!selection) return null
  const start = selection.start + selection.text.length - selection.text.trimStart().length
  const end = selection.end - selection.text.length + selection.text.trimEnd().length
  return start < end ? { start, end } : null
}
