import type { Anchor } from '../../server/contract/records/anchors.ts'
import { ApiError } from '../api/client-of.ts'
import type { Posted } from '../feedback/delivery.ts'
import type { FeedbackDrafts } from '../feedback/feedback-drafts.ts'
import { begunDrafts, dropSuggestion, isSuggestion } from './begun-drafts.ts'
import type { ReaderName } from './guest.svelte.ts'
import type { Notices } from './notices.svelte.ts'
import type { PlacedFeedback } from './placed-feedback.svelte.ts'
import type { SelectedWords } from './selected-words.svelte.ts'
import { meantBy, subjectOf, subjectOfDraft, type Subject } from './subject.ts'
import { WordsGone, type SubjectAnchors } from './subject-anchors.ts'

interface WritingOptions {
  anchors: SubjectAnchors
  drafts: FeedbackDrafts
  feedback: PlacedFeedback
  guest: ReaderName
  notices: Notices
  selected: SelectedWords
  /** Resolves once the server has what was typed in the text itself. */
  saved: () => Promise<void> | undefined
  /** Is told the id of what was sent. */
  onSent: (id: string) => void
}

/** A new comment or suggestion: what it is about, and its way to the server. */
export class Writing {
  composing = $state.raw<Subject | null>(null)
  suggesting = $state.raw<Subject | null>(null)
  readonly #options: WritingOptions

  constructor(options: WritingOptions) {
    this.#options = options
  }

  /** Brings back what an earlier visit began last, a comment or a suggestion, where it was meant. */
  resume({ withSuggestions }: { withSuggestions: boolean }): void {
    const { drafts } = this.#options
    const begun = drafts.find('new')
    const all = withSuggestions ? begunDrafts(drafts, isSuggestion) : []
    const suggestions = all.flatMap(({ slot }) => drafts.find(slot) ?? [])
    const last = suggestions.sort((one, other) => (other.at ?? 0) - (one.at ?? 0))[0]
    if (last && (last.at ?? 0) > (begun?.at ?? 0)) {
      this.suggesting = subjectOfDraft(last)
      return
    }
    if (!begun) return
    const subject = subjectOfDraft(begun)
    // What is written already is never put away, whatever has become of its place.
    this.#write(subject, () => this.#loseWords(subject))
  }

  /** Starts a comment, on what is selected or else on the whole document. Words begun before are kept. */
  compose(subject = subjectOf(this.#options.selected.now())): void {
    this.suggesting = null
    this.#write(subject, () => this.#refuse())
  }

  /** Puts away what is being written; what was typed stays in its draft. */
  putAway(): void {
    this.composing = null
    this.suggesting = null
  }

  /** `refuse` is done where the server says that these words are no one stretch of the text. */
  #write(subject: Subject, refuse: () => void): void {
    const { drafts } = this.#options
    this.composing = subject
    // The anchor is found at once, so that it holds however long the writing takes; else it is found on sending.
    this.#options.anchors.find(subject).then(
      () => {
        const begun = drafts.find('new')
        if (this.composing === subject && begun) drafts.keep('new', { ...begun, ...meantBy(subject) })
      },
      (error: unknown) => {
        if (this.composing !== subject) return
        if (error instanceof WordsGone) this.#loseWords(subject)
        else if (error instanceof ApiError && error.code === 'VALIDATION_ERROR') refuse()
      },
    )
  }

  /** Before anything is written about them: these words are no one stretch of the text. */
  #refuse(): void {
    this.composing = null
    this.#options.notices.say(
      'These words don’t stand together in the text. Choose some of the text itself, or of one footnote.',
      true,
    )
  }

  /** Starts a suggestion on what is selected; false where nothing is. */
  suggest(): boolean {
    const chosen = this.#options.selected.now()
    if (!chosen) return false
    this.composing = null
    this.suggesting = subjectOf(chosen)
    return true
  }

  /** Sends a new comment, or keeps it until it can be sent. False when it was refused; its words are kept. */
  async sendComment(body: string, subject: Subject): Promise<boolean> {
    const { anchors, drafts, feedback, guest, notices, saved, selected } = this.#options
    try {
      // The words may have been typed a moment ago.
      if (subject.anchor && subject.anchor.revision === undefined) await saved()
      const { anchor, place } = await anchors.findOrPlace(subject)
      const words = { body: body.trim(), anchor, ...guest.signature }
      const posted = await feedback.post({ kind: 'comment', body: words, place })
      drafts.drop('new')
      this.composing = null
      selected.clear(subject.chosen)
      await this.#posted(posted, 'Comment sent.')
      return true
    } catch (error) {
      if (error instanceof WordsGone) this.#loseWords(subject)
      else notices.fail(error, 'send the comment')
      return false
    }
  }

  /**
   * Sends a suggestion on the subject’s source, or keeps it until it can be sent. False when it was refused; else the
   * draft in `slot` is forgotten.
   */
  async sendSuggestion(
    subject: Subject,
    anchor: Anchor,
    suggested: string,
    note: string,
    slot: string,
  ): Promise<boolean> {
    const { drafts, feedback, guest, notices, selected } = this.#options
    try {
      const body = {
        original_text: anchor.exact,
        suggested_text: suggested,
        anchor,
        note: note.trim() || null,
        ...guest.signature,
      }
      const posted = await feedback.post({ kind: 'suggestion', body, place: subject.chosen })
      // At once: whoever leaves now would be asked on return to send it once more.
      dropSuggestion(drafts, slot)
      this.suggesting = null
      selected.clear(subject.chosen)
      await this.#posted(posted, 'Suggestion sent.')
      return true
    } catch (error) {
      notices.fail(error, 'send the suggestion')
      return false
    }
  }

  async #posted(posted: Posted, told: string): Promise<void> {
    const { feedback, onSent } = this.#options
    const id = posted.kind === 'kept' ? posted.entry.key : posted.record?.id
    if (id !== undefined) onSent(id)
    await feedback.tell(posted, told)
    if (posted.kind === 'sent') await feedback.load().catch(() => undefined)
  }

  #loseWords(subject: Subject): void {
    this.composing = { ...subject, chosen: null, anchor: null }
    this.#options.notices.say(
      'The text has changed, and the words you chose are gone. What you wrote is kept.',
      true,
    )
  }
}
