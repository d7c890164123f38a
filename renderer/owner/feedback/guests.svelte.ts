import type { Comment } from '../../../server/contract/records/comments.ts'
import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import { ApiError } from '../../api/client-of.ts'
import type { DocumentSession } from '../../editor/document-session.ts'
import type { Feedback } from '../../feedback/feedback.svelte.ts'
import { repliesTo } from '../../feedback/replies.ts'
import type { Thread } from '../../feedback/threads.ts'
import { undoing } from '../../ui/notice.ts'

/** Something that a guest has said. */
type Said = Pick<Comment | Suggestion, 'author_name' | 'hidden'> & { guest_id?: string | undefined }

/** What the owner says of a document’s guests: how they are called, and that what they say is hidden from others. */
export class Guests {
  readonly #session: Pick<DocumentSession, 'api' | 'document'>
  readonly #feedback: Feedback
  readonly #load: () => Promise<unknown>
  /** Whether what is hidden from others is in the lists and in the text. */
  showHidden = $state(false)
  /** Whose name is being changed. */
  renaming = $state.raw<Said | null>(null)

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

  async rename({ guest_id, author_name }: Said, name: string | null): Promise<boolean> {
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
  async hide({ guest_id, author_name }: Said, hidden: boolean): Promise<void> {
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

  /** Deletes all that they have said here, suggestions too; one undo brings all of it back. */
  remove({ guest_id, author_name }: Said): void {
    if (guest_id === undefined) return
    const { api, document } = this.#session
    const isTheirs = (said: Said) => said.guest_id === guest_id
    const { said, suggestions } = this.#feedback
    const counts = [
      counted(said.filter(isTheirs).length, 'comment'),
      counted(suggestions.filter(isTheirs).length, 'suggestion'),
    ]
    this.#feedback.removeOf(isTheirs, {
      doing: 'delete what they said',
      done: `All from ${author_name} is deleted: ${counts.filter(Boolean).join(' and ')}.`,
      call: (leaving) =>
        api
          .call('deleteGuestFeedback', {
            params: { id: document.id, guest_id },
            ...(leaving ? { keepalive: true } : {}),
          })
          // What is already gone needs no deleting.
          .catch((error: unknown) => {
            if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error
          }),
    })
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

export const isHidden = ({ hidden }: Said): boolean => hidden === true
