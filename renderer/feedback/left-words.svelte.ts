import type { Comment } from '../../server/contract/records/comments.ts'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { isNameOfUnsent } from '../editor/suggesting/suggested-here.ts'
import { copyText } from '../ui/copy-text.ts'
import { undoing, type Notify } from '../ui/notice.ts'
import type { FeedbackDraft, FeedbackDrafts } from './feedback-drafts.ts'
import type { Written } from './written.svelte.ts'
import type { Thread } from './threads.ts'

/** Something begun where it can’t be gone on with. */
export interface Left {
  slot: string
  draft: FeedbackDraft
  /** What has become of what it was begun on. */
  why: string
  /** The thread or suggestion on which one can go on with it all the same. */
  at: string | null
}

/** What is said, as far as it tells what can be gone on with. */
interface Said {
  readonly isKnown: boolean
  readonly written: Written
  readonly drafts: FeedbackDrafts
  readonly notify: Notify
  readonly said: readonly Comment[]
  readonly threads: readonly Thread[]
  readonly suggestions: readonly Suggestion[]
}

/**
 * What was begun on a card that has gone meanwhile, since somebody deleted, withdrew, resolved or decided what it stood
 * for. It stays a draft until its writer copies it, makes a comment of it or discards it.
 */
export class LeftWords {
  readonly #feedback: Said
  #changed = $state(0)

  constructor(feedback: Said) {
    this.#feedback = feedback
  }

  readonly all = $derived.by((): readonly Left[] => {
    void this.#changed
    const open = new Set(this.#feedback.written.open.map(({ slot }) => slot))
    const { drafts, isKnown } = this.#feedback
    if (!isKnown) return []
    return [...drafts.all()].flatMap(([slot, draft]) => {
      const fate = open.has(slot) || draft.body.trim() === '' ? null : this.#fateOf(slot)
      return fate ? [{ slot, draft, ...fate }] : []
    })
  })

  async copy(left: Left): Promise<void> {
    if (await copyText(left.draft.body)) this.#putAway(left, 'Copied, and put away here.')
  }

  discard(left: Left): void {
    this.#putAway(left, 'Discarded.')
  }

  /** Makes a comment of it; `begin` answers false where another is begun. */
  comment(left: Left, begin: (body: string) => boolean): void {
    if (begin(left.draft.body)) return this.#drop(left)
    const text = 'You have begun another comment. Send or discard that first: these words stay here.'
    this.#feedback.notify({ kind: 'info', text })
  }

  #putAway(left: Left, text: string): void {
    this.#drop(left)
    const undo = () => {
      this.#feedback.drafts.keep(left.slot, left.draft)
      this.#changed++
    }
    this.#feedback.notify({ kind: 'info', text, action: undoing(undo) })
  }

  #drop({ slot }: Left): void {
    this.#feedback.drafts.drop(slot)
    this.#changed++
  }

  /** Null where a draft can be gone on with on its card. */
  #fateOf(slot: string): Pick<Left, 'why' | 'at'> | null {
    const { said, suggestions, threads } = this.#feedback
    const kind = slot.slice(0, slot.indexOf(':'))
    const id = slot.slice(kind.length + 1)
    const isGone = (why: string) => ({ why, at: null })
    const suggestion = suggestions.find((one) => one.id === id)
    const answered = (thing: string, on = id) => {
      const thread = threads.find((one) => one.id === on)
      if (thread) return thread.resolved ? { why: `The thread with ${thing} is resolved.`, at: on } : null
      const one = suggestions.find((other) => other.id === on)
      if (!one) return isGone('What you were answering is deleted or withdrawn.')
      return one.status === 'pending' ? null : { why: `The suggestion with ${thing} is decided.`, at: on }
    }
    if (kind === 'reply') return answered('what you were answering')
    if (kind === 'edit') {
      const comment = said.find((one) => one.id === id)
      if (!comment) return isGone('The comment that you were changing is deleted.')
      return answered('the comment that you were changing', comment.suggestion_id ?? comment.parent_id ?? id)
    }
    // What waits here isn’t among what the server has.
    if ((kind !== 'reason' && kind !== 'accept') || isNameOfUnsent(id)) return null
    const which = kind === 'reason' ? 'that you were giving a reason for' : 'that you were rewording'
    if (!suggestion) return isGone(`The suggestion ${which} is withdrawn.`)
    return suggestion.status === 'pending' ? null : isGone(`The suggestion ${which} is decided.`)
  }
}
