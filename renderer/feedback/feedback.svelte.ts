import type { Comment } from '../../server/contract/records/comments.ts'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import type { DocumentNews } from '../api/document-news.ts'
import { undoing, type Notify } from '../ui/notice.ts'
import type { Delivery, Posted } from './delivery.ts'
import type { FeedbackDrafts } from './feedback-drafts.ts'
import type { Message } from './message.ts'
import { OptimisticList, replaced } from './optimistic-list.svelte.ts'
import { threadsOf, type Thread } from './threads.ts'
import { wantedOf } from './wanted.ts'

export interface FeedbackOptions {
  delivery: Delivery
  drafts: FeedbackDrafts
  notify: Notify
  /** What went wrong, for its reader. `doing` completes “Couldn’t …”. */
  explain: (error: unknown, doing: string) => string
  /** Goes to a thread or suggestion, with the keyboard, too. */
  onShow: (id: string) => void
}

/** What is said of a document, and what one who reads it does with it; how that gets to the server is its delivery’s. */
export class Feedback {
  readonly commentList = new OptimisticList<Comment>()
  readonly suggestionList = new OptimisticList<Suggestion>()
  readonly drafts: FeedbackDrafts
  readonly delivery: Delivery
  readonly notify: Notify
  readonly #explain: FeedbackOptions['explain']
  /** Goes to a thread or suggestion, with the keyboard, too. */
  readonly show: FeedbackOptions['onShow']

  readonly threads = $derived<Thread[]>(threadsOf(this.commentList.items))
  readonly openThreads = $derived(this.threads.filter(({ resolved }) => !resolved))
  readonly pending = $derived(this.suggestions.filter(({ status }) => status === 'pending'))

  constructor({ delivery, drafts, notify, explain, onShow }: FeedbackOptions) {
    this.delivery = delivery
    this.drafts = drafts
    this.notify = notify
    this.#explain = explain
    this.show = onShow
  }

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

  /** Says what went wrong; `again` does it once more. */
  fail(error: unknown, doing: string, again?: () => void): void {
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
      return record && !isSuggestion(record) ? put(left, record) : left
    })
    this.suggestionList.confirm((items) => {
      const left = items.filter(({ id }) => id !== gone)
      return record && isSuggestion(record) ? put(left, record) : left
    })
  }

  // What follows says itself how it went, and answers whether it went well.

  reply(
    { id }: Pick<Thread, 'id'>,
    body: string,
    signature: { author_name?: string } = {},
  ): Promise<boolean> {
    return this.#tell('send the reply', 'Reply sent.', async () => {
      const message = {
        kind: 'comment',
        body: { body: body.trim(), parent_id: id, ...signature },
        place: null,
      } as const
      const posted = await this.post(message)
      this.drafts.drop(`reply:${id}`)
      return posted
    })
  }

  edit({ id }: Comment, body: string): Promise<boolean> {
    const shown = { body: body.trim() }
    return this.#tell('change the comment', null, async () => {
      const posted = await this.#change(id, shown, { kind: 'edit', target: id, body: shown })
      this.drafts.drop(`edit:${id}`)
      return posted
    })
  }

  /** Takes a thread's resolution back, and goes on where it was. */
  async #reopen(thread: Pick<Thread, 'root'>): Promise<void> {
    if (await this.resolve(thread, false)) this.show(thread.root.id)
  }

  async resolve({ root }: Pick<Thread, 'root'>, resolved: boolean): Promise<boolean> {
    const doing = resolved ? 'resolve the thread' : 'reopen the thread'
    return this.#tell(doing, null, async () => {
      const shown = { resolved_at: resolved ? new Date().toISOString() : null }
      const posted = await this.#change(root.id, shown, {
        kind: 'resolve',
        target: root.id,
        body: { resolved },
      })
      if (resolved && posted.kind === 'sent')
        this.notify({
          kind: 'success',
          text: 'Thread resolved.',
          action: undoing(() => void this.#reopen({ root })),
        })
      return posted
    })
  }

  /** Deletes a comment, with its replies if it begins a thread. */
  remove({ id, parent_id }: Comment): Promise<boolean> {
    const thread = parent_id ?? id
    const done = parent_id === null ? 'Thread deleted.' : 'Reply deleted.'
    return this.#remove(
      this.commentList,
      { kind: 'delete', target: id, body: null },
      thread,
      'delete the comment',
      done,
    )
  }

  withdraw({ id }: Suggestion): Promise<boolean> {
    const message = { kind: 'withdraw', target: id, body: null } as const
    return this.#remove(this.suggestionList, message, id, 'withdraw the suggestion', 'Suggestion withdrawn.')
  }

  /** Does now what waits for an undo. */
  async flush(): Promise<void> {
    await Promise.all([this.commentList.flush(), this.suggestionList.flush()])
  }

  #change(id: string, shown: Partial<Comment>, message: Message): Promise<Posted> {
    return this.commentList.change(
      (items) => items.map((item) => (item.id === id ? { ...item, ...shown } : item)),
      () => this.delivery.post(message),
      (items, posted) =>
        posted.kind === 'sent' && posted.record ? replaced(items, posted.record as Comment) : items,
    )
  }

  /**
   * Hides something at once and removes it unless that is undone in time; without such a time, at once. `shown` is what
   * is gone to once it was undone.
   */
  async #remove<Item extends Removable>(
    list: OptimisticList<Item>,
    message: Message & { target: string },
    shown: string,
    doing: string,
    done: string,
  ): Promise<boolean> {
    const { undoMs } = this.delivery
    if (undoMs === 0) return this.#tell(doing, done, () => this.post(message))
    const { target } = message
    const takeBack = list.later(
      target,
      undoMs,
      (items) => without(items, target),
      async (leaving) => void (await this.delivery.post(message, leaving)),
      (error) => this.fail(error, doing),
    )
    const undo = () => {
      if (takeBack()) this.show(shown)
    }
    this.notify({ kind: 'info', text: done, action: undoing(undo) })
    return true
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

type Removable = { id: string; parent_id?: string | null }

const without = <Item extends Removable>(items: readonly Item[], gone: string): readonly Item[] =>
  items.filter(({ id, parent_id }) => id !== gone && parent_id !== gone)

const put = <Item extends { id: string }>(items: readonly Item[], item: Item): readonly Item[] => [
  ...items.filter(({ id }) => id !== item.id),
  item,
]

const isSuggestion = (record: Comment | Suggestion): record is Suggestion => 'original_text' in record
