import type { Comment } from '../../server/contract/records/comments.ts'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import type { DocumentNews } from '../api/document-news.ts'
import { ApiError } from '../api/client-of.ts'
import { undoing, type Notify } from '../ui/notice.ts'
import type { FeedbackDelivery, Posted } from './delivery.ts'
import type { FeedbackDrafts } from './feedback-drafts.ts'
import type { Message } from './message.ts'
import type { Reaction } from '../../server/contract/records/reactions.ts'
import { peopleOf } from './people.ts'
import { reasonSlot } from './reasoning.ts'
import { afterReacting } from './reactions.ts'
import { OptimisticList, replaced } from './optimistic-list.svelte.ts'
import { Written } from './written.svelte.ts'
import { repliesTo, withReplies } from './replies.ts'
import { threadsOf, type Thread } from './threads.ts'
import { wantedOf } from './wanted.ts'

export interface FeedbackOptions {
  delivery: FeedbackDelivery
  drafts: FeedbackDrafts
  notify: Notify
  /** What went wrong, for its reader. `doing` completes “Couldn’t …”. */
  explain: (error: unknown, doing: string) => string
  /** Goes to a thread or suggestion, with the keyboard, too. */
  onShow: (id: string) => void
  /** Does something and says meanwhile, where nothing else does, that it waits for a server that says nothing. */
  whileSilent?: WhileSilent
}

/** `waiting` is what goes on by itself once the server answers; `done` is said then, where nothing else says that it is. */
export type WhileSilent = <Answer>(
  ask: () => Promise<Answer>,
  waiting: string,
  done?: string,
) => Promise<Answer>

/** What is said of a document, and what one who reads it does with it; how that gets to the server is its delivery’s. */
export class Feedback {
  readonly commentList = new OptimisticList<Comment>()
  readonly suggestionList = new OptimisticList<Suggestion>()
  readonly drafts: FeedbackDrafts
  readonly delivery: FeedbackDelivery
  readonly notify: Notify
  readonly #explain: FeedbackOptions['explain']
  /** Goes to a thread or suggestion, with the keyboard, too. */
  readonly show: FeedbackOptions['onShow']
  readonly whileSilent: WhileSilent

  readonly threads = $derived<Thread[]>(threadsOf(this.commentList.items))
  readonly openThreads = $derived(this.threads.filter(({ resolved }) => !resolved))
  readonly pending = $derived(this.suggestions.filter(({ status }) => status === 'pending'))

  constructor({ delivery, drafts, notify, explain, onShow, whileSilent = (ask) => ask() }: FeedbackOptions) {
    this.delivery = delivery
    this.drafts = drafts
    this.notify = notify
    this.#explain = explain
    this.show = onShow
    this.whileSilent = whileSilent
  }

  /** All that is said, on the document and in answer to suggestions. */
  readonly said = $derived<readonly Comment[]>([
    ...this.commentList.items,
    ...this.suggestions.flatMap(repliesTo),
  ])

  /** Whether the server has said all that there is. */
  get isKnown(): boolean {
    return this.commentList.isKnown && this.suggestionList.isKnown
  }

  readonly written = new Written()
  /** Asks anew for what is listed; whoever lists it says how. */
  loadAnew: () => Promise<void> = () => Promise.resolve()

  readonly people = $derived(peopleOf([...this.said, ...this.suggestions]))

  get comments(): readonly Comment[] {
    return this.commentList.items
  }

  get suggestions(): readonly Suggestion[] {
    return this.suggestionList.items
  }

  /** What has to be asked for after some news; null stands for whatever may have happened. */
  wanted(news: readonly DocumentNews[] | null) {
    const isPlaced = this.comments.some(({ anchor }) => anchor !== null)
    return {
      comments: wantedOf('comments', news, isPlaced),
      suggestions: wantedOf('suggestions', news, this.pending.length > 0),
    }
  }

  /** Says what went wrong; `again` does it once more. What is another by now is shown as it is. */
  fail(error: unknown, doing: string, again?: () => void): void {
    if (error instanceof ApiError && error.code === 'CHANGED_SINCE')
      void this.loadAnew().catch(() => undefined)
    const action = again && { action: { label: 'Try again', run: again } }
    this.notify({ kind: 'error', text: this.#explain(error, doing), ...action })
  }

  /** Sends or keeps something, and shows what became of it. Rejects with the server’s refusal. */
  async post(message: Message): Promise<Posted> {
    const posted = await this.delivery.post(message)
    if (posted.kind === 'sent') this.arrived(message, posted.record)
    return posted
  }

  /** Shows what the server has just taken; the next look brings the rest. */
  arrived(message: Message, record: Comment | Suggestion | null): void {
    const gone = message.kind === 'delete' || message.kind === 'withdraw' ? message.target : null
    this.commentList.confirm((items) => {
      const left = gone === null ? items : without(items, gone)
      return record && !isSuggestion(record) && !record.suggestion_id ? put(left, record) : left
    })
    this.suggestionList.confirm((items) => {
      const left = gone === null ? items : withoutIt(items, gone)
      if (!record) return left
      if (isSuggestion(record)) return put(left, record)
      const { suggestion_id } = record
      return suggestion_id ? withReplies(left, suggestion_id, (replies) => put(replies, record)) : left
    })
  }

  // What follows says itself how it went, and answers whether it went well.

  /** Answers a thread or a suggestion. */
  reply({ id }: { id: string }, body: string, signature: { author_name?: string } = {}): Promise<boolean> {
    const toSuggestion = this.suggestions.some((suggestion) => suggestion.id === id)
    return this.#tell('send the reply', 'Reply sent.', async () => {
      const message = {
        kind: 'comment',
        body: { body: body.trim(), parent_id: id, ...signature },
        place: null,
        ...(toSuggestion ? { answers: 'suggestion' as const } : {}),
      } as const
      const posted = await this.post(message)
      this.drafts.drop(`reply:${id}`)
      return posted
    })
  }

  edit(comment: Comment, body: string): Promise<boolean> {
    const { id } = comment
    const shown = { body: body.trim() }
    return this.#tell('change the comment', null, async () => {
      const posted = await this.#change(comment, shown, { kind: 'edit', target: id, body: shown })
      this.drafts.drop(`edit:${id}`)
      return posted
    })
  }

  /** Takes a thread's resolution back, and goes on where it was. */
  async #reopen(thread: Pick<Thread, 'root'>): Promise<void> {
    if (await this.resolve(thread, false)) this.show(thread.root.id)
  }

  react(
    comment: Comment,
    reaction: Reaction,
    set: boolean,
    signature: { author_name?: string } = {},
  ): Promise<boolean> {
    const shown = { reactions: afterReacting(comment.reactions ?? [], reaction, set) }
    const body = { reaction, set, ...signature }
    return this.#tell('say what you think of it', null, () =>
      this.#change(comment, shown, { kind: 'react', target: comment.id, body }),
    )
  }

  async resolve({ root }: Pick<Thread, 'root'>, resolved: boolean): Promise<boolean> {
    const doing = resolved ? 'resolve the thread' : 'reopen the thread'
    return this.#tell(doing, null, async () => {
      const shown = { resolved_at: resolved ? new Date().toISOString() : null }
      const message = { kind: 'resolve', target: root.id, body: { resolved } } as const
      const posted = await this.whileSilent(
        () => this.#change(root, shown, message),
        resolving(resolved),
        resolved ? undefined : 'The thread is open again.',
      )
      if (resolved && posted.kind === 'sent')
        this.notify({
          kind: 'success',
          text: 'Thread resolved.',
          action: undoing(() => void this.#reopen({ root })),
        })
      return posted
    })
  }

  /** Resolves threads, or opens them again, and says so once; what doesn’t succeed stays as it was. */
  async resolveAll(threads: readonly Pick<Thread, 'root'>[], resolved = true): Promise<void> {
    const resolved_at = resolved ? new Date().toISOString() : null
    const resolve = ({ root }: Pick<Thread, 'root'>) =>
      this.#change(root, { resolved_at }, { kind: 'resolve', target: root.id, body: { resolved } })
    const ended = await this.whileSilent(() => Promise.allSettled(threads.map(resolve)), resolving(resolved))
    const done = threads.filter((_, i) => ended[i]!.status === 'fulfilled')
    const failed = ended.find((one) => one.status === 'rejected')
    if (failed) this.fail(failed.reason, resolved ? 'resolve all of them' : 'reopen all of them')
    if (done.length === 0) return
    const text = `${done.length} ${done.length === 1 ? 'thread' : 'threads'} ${resolved ? 'resolved' : 'open again'}.`
    const action = resolved ? { action: undoing(() => void this.resolveAll(done, false)) } : {}
    this.notify({ kind: 'success', text, ...action })
  }

  /** Deletes a comment, with its replies if it begins a thread. */
  remove({ id, parent_id, suggestion_id }: Comment): Promise<boolean> {
    const answered = suggestion_id ?? parent_id
    const message = { kind: 'delete', target: id, body: null } as const
    const telling = {
      shown: answered ?? id,
      doing: 'delete the comment',
      done: answered === null ? 'Thread deleted.' : 'Reply deleted.',
    }
    return suggestion_id
      ? this.#remove(this.suggestionList, message, telling)
      : this.#remove(this.commentList, message, telling)
  }

  /** Deletes comments and replies, with what answers them, and says so once; one undo brings all of them back. */
  removeAll(comments: readonly Comment[]): void {
    const takeBack = comments.map(({ id }) =>
      this.#later(this.commentList, { kind: 'delete', target: id, body: null }, 'delete all of them'),
    )
    const undo = () => {
      const back = comments.filter((_, i) => takeBack[i]!())
      if (back[0]) this.show(back[0].parent_id ?? back[0].id)
    }
    const text = comments.length === 1 ? '1 comment deleted.' : `${comments.length} comments deleted.`
    this.notify({ kind: 'info', text, action: undoing(undo) })
  }

  /** Says why one suggests something, or no longer does. */
  giveReason({ id }: Pick<Suggestion, 'id'>, words: string): Promise<boolean> {
    const note = words.trim() || null
    const show = (shown: Partial<Suggestion>) => (items: readonly Suggestion[]) =>
      items.map((item) => (item.id === id ? { ...item, ...shown } : item))
    return this.#tell('keep the reason', null, async () => {
      const posted = await this.suggestionList.change(
        show({ note }),
        () => this.delivery.post({ kind: 'reason', target: id, body: { note } }),
        (items, { kind }) => (kind === 'sent' ? show({ note })(items) : items),
      )
      this.drafts.drop(reasonSlot(id))
      return posted
    })
  }

  /** Takes one’s own back as it is seen here: words that it was given in another window since stay. */
  withdraw({ id, edited_at }: Suggestion): Promise<boolean> {
    const message = { kind: 'withdraw', target: id, body: { edited_at } } as const
    const telling = { shown: id, doing: 'withdraw the suggestion', done: 'Suggestion withdrawn.' }
    return this.#remove(this.suggestionList, message, telling)
  }

  /** Does now what waits for an undo. */
  async flush(): Promise<void> {
    await Promise.all([this.commentList.flush(), this.suggestionList.flush()])
  }

  /** Shows a comment as it will be while the message is sent. */
  #change({ id, suggestion_id }: Comment, shown: Partial<Comment>, message: Message): Promise<Posted> {
    const show = (items: readonly Comment[]) =>
      items.map((item) => (item.id === id ? { ...item, ...shown } : item))
    const post = () => this.delivery.post(message)
    const settle = (items: readonly Comment[], posted: Posted) =>
      posted.kind === 'sent' && posted.record ? replaced(items, posted.record as Comment) : items
    if (!suggestion_id) return this.commentList.change(show, post, settle)
    return this.suggestionList.change(
      (items) => withReplies(items, suggestion_id, show),
      post,
      (items, posted) => withReplies(items, suggestion_id, (replies) => settle(replies, posted)),
    )
  }

  /**
   * Hides something at once and removes it unless that is undone in time; without such a time, at once. `shown` is what
   * is gone to once it was undone.
   */
  async #remove<Item extends Removable>(
    list: OptimisticList<Item>,
    message: Message & { target: string },
    { shown, doing, done }: { shown: string; doing: string; done: string },
  ): Promise<boolean> {
    if (this.delivery.undoMs === 0) return this.#tell(doing, done, () => this.post(message))
    const takeBack = this.#later(list, message, doing)
    const undo = () => {
      if (takeBack()) this.show(shown)
    }
    this.notify({ kind: 'info', text: done, action: undoing(undo) })
    return true
  }

  /** Hides something now, and removes it unless the returned function takes that back in time; it says whether it could. */
  #later<Item extends Removable>(
    list: OptimisticList<Item>,
    message: Message & { target: string },
    doing: string,
  ): () => boolean {
    const { target } = message
    return list.later(
      target,
      this.delivery.undoMs,
      (items) => withoutIt(items, target),
      async (leaving) => void (await this.delivery.post(message, leaving)),
      (error) => this.fail(error, doing),
    )
  }

  /** Says how it is with what was posted; `done` where it has arrived. */
  async tell(posted: Posted, done: string | null): Promise<void> {
    const kept = await this.delivery.settle(posted)
    const text = kept ?? (this.delivery.tellsArrival ? done : null)
    if (text) this.notify({ kind: 'success', text })
  }

  async #tell(doing: string, done: string | null, act: () => Promise<Posted>): Promise<boolean> {
    try {
      await this.tell(await act(), done)
      return true
    } catch (error) {
      this.fail(error, doing)
      return false
    }
  }
}

const resolving = (resolved: boolean) => (resolved ? 'Resolving' : 'Reopening')

type Removable = { id: string; parent_id?: string | null; replies?: Comment[] }

const without = <Item extends Removable>(items: readonly Item[], gone: string): readonly Item[] =>
  items.filter(({ id, parent_id }) => id !== gone && parent_id !== gone)

/** Without what is gone, and what it was answered; it may be an answer itself. */
const withoutIt = <Item extends Removable>(items: readonly Item[], gone: string): readonly Item[] =>
  without(items, gone).map((item) =>
    item.replies?.some(({ id }) => id === gone)
      ? { ...item, replies: item.replies.filter(({ id }) => id !== gone) }
      : item,
  )

const put = <Item extends { id: string }>(items: readonly Item[], item: Item): readonly Item[] => [
  ...items.filter(({ id }) => id !== item.id),
  { ...items.find(({ id }) => id === item.id), ...item },
]

const isSuggestion = (record: Comment | Suggestion): record is Suggestion => 'original_text' in record
