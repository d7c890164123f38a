import type { Comment } from '../../../server/contract/records/comments.ts'
import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import { ApiError } from '../../api/client-of.ts'
import type { DocumentSession } from '../../editor/document-session.ts'
import type { Feedback } from '../../feedback/feedback.svelte.ts'
import { repliesTo } from '../../feedback/replies.ts'
import type { Thread } from '../../feedback/threads.ts'
import { undoing } from '../../ui/notice.ts'
import { commentsWithout, reactionsOf, suggestionsWithout, type NamedGuest } from './of-guest.ts'

/** What the owner says of a document’s guests: how they are called, and that what they say is hidden from others. */
export class Guests {
  readonly #session: Pick<DocumentSession, 'api' | 'document'>
  readonly #feedback: Feedback
  readonly #load: () => Promise<unknown>
  /** Whether what is hidden from others is in the lists and in the text. */
  showHidden = $state(false)
  /** Whose name is being changed. */
  renaming = $state.raw<NamedGuest | null>(null)

  /** @param load has what is said asked for anew */
  constructor(
    session: Pick<DocumentSession, 'api' | 'document'>,
    feedback: Feedback,
    load: () => Promise<unknown>,
  ) {
    this.#session = session
    this.#feedback = feedback
    this.#load = load
  }

  /** Those that are shown, with those of their replies that are. */
  threadsOf(all: Thread[]): Thread[] {
    if (this.showHidden || !all.some(({ root, replies }) => [root, ...replies].some(isHidden))) return all
    return all.flatMap((thread) =>
      isHidden(thread.root) ? [] : [{ ...thread, replies: thread.replies.filter((one) => !isHidden(one)) }],
    )
  }

  suggestionsOf(all: readonly Suggestion[]): readonly Suggestion[] {
    if (this.showHidden || !all.some((one) => [one, ...repliesTo(one)].some(isHidden))) return all
    return all.flatMap((one) =>
      isHidden(one)
        ? []
        : [{ ...one, ...(one.replies ? { replies: one.replies.filter((reply) => !isHidden(reply)) } : {}) }],
    )
  }

  async rename({ guest_id, author_name }: NamedGuest, name: string | null): Promise<boolean> {
    const guest = await this.#change(guest_id, { name }, 'rename the guest')
    if (!guest) return false
    const text = `“${author_name}” is shown as “${guest.name}” now, to everybody.`
    const before = author_name === guest.own_name ? null : author_name
    const renamed = { guest_id, author_name: guest.name }
    this.#feedback.notify({
      ...{ kind: 'success', text },
      ...(guest.name === author_name ? {} : { action: undoing(() => void this.rename(renamed, before)) }),
    })
    return true
  }

  /** Takes all that they say out of others’ sight, or lets it be seen again. */
  async hide({ guest_id, author_name }: NamedGuest, hidden: boolean): Promise<void> {
    const said = { guest_id, author_name }
    const guest = await this.#change(
      guest_id,
      { hidden },
      hidden ? 'hide what they say' : 'show what they say',
    )
    if (!guest) return
    const text = hidden
      ? `What ${author_name} says is hidden from others.`
      : `What ${author_name} says is shown to others again.`
    this.#feedback.notify({ kind: 'info', text, action: undoing(() => void this.hide(said, !hidden)) })
  }

  /** Deletes all that they have said here, suggestions and reactions too; one undo brings all of it back. */
  remove({ guest_id, author_name }: NamedGuest): void {
    if (guest_id === undefined) return
    const { commentList, suggestionList, delivery, said, comments, suggestions } = this.#feedback
    const isTheirs = (one: Comment | Suggestion) => one.guest_id === guest_id
    const counts = [
      counted(said.filter(isTheirs).length, 'comment'),
      counted(suggestions.filter(isTheirs).length, 'suggestion'),
      counted(reactionsOf(said, guest_id), 'reaction'),
    ].filter(Boolean)
    const [first] = [...comments, ...suggestions].filter(isTheirs)
    // Whichever list is asked first to do what waits does it for both.
    let asked: Promise<unknown> | null = null
    const remove = async (leaving: boolean) => void (await (asked ??= this.#remove(guest_id, leaving)))
    const failed = (error: unknown) => this.#feedback.fail(error, 'delete what they said')
    const key = crypto.randomUUID()
    const { undoMs } = delivery
    const takeBack = [
      commentList.later(key, undoMs, (all) => commentsWithout(all, guest_id), remove, failed),
      suggestionList.later(
        key,
        undoMs,
        (all) => suggestionsWithout(all, guest_id),
        remove,
        () => {},
      ),
    ]
    const undo = () => {
      if (asked) return
      for (const back of takeBack) back()
      if (first) this.#feedback.show(('parent_id' in first && first.parent_id) || first.id)
    }
    const text = `All from ${author_name} is deleted: ${new Intl.ListFormat('en').format(counts)}.`
    this.#feedback.notify({ kind: 'info', text, action: undoing(undo) })
  }

  /** @param leaving the page is going away, and the call must outlive it */
  #remove(guest_id: string, leaving: boolean): Promise<unknown> {
    const { api, document } = this.#session
    const params = { id: document.id, guest_id }
    return (
      api
        .call('deleteGuestFeedback', { params, ...(leaving ? { keepalive: true } : {}) })
        // What is already gone needs no deleting.
        .catch((error: unknown) => {
          if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error
        })
    )
  }

  async #change(
    guest_id: string | undefined,
    body: { name?: string | null; hidden?: boolean },
    doing: string,
  ) {
    if (guest_id === undefined) return null
    const { api, document } = this.#session
    try {
      const guest = await api.call('updateGuest', { params: { id: document.id, guest_id }, body })
      await this.#load().catch(() => {})
      return guest
    } catch (error) {
      this.#feedback.fail(error, doing)
      return null
    }
  }
}

const counted = (count: number, one: string) =>
  count === 0 ? '' : `${count} ${one}${count === 1 ? '' : 's'}`

export const isHidden = ({ hidden }: Pick<NamedGuest, 'hidden'>): boolean => hidden === true
