import type { Anchor } from '../../server/contract/records.ts'
import { ApiError, isAnswer, type ClientOf } from '../api/client-of.ts'
import type { FeedbackDraft, FeedbackDrafts, Meant } from '../feedback/feedback-drafts.ts'
import { begunWords, isSuggestion } from './begun-words.ts'
import type { Link } from './link.svelte.ts'
import type { Notices } from './notices.svelte.ts'
import type { Posted } from '../feedback/delivery.ts'
import type { Guest } from './guest.svelte.ts'
import type { PlacedFeedback } from './placed-feedback.svelte.ts'
import type { ShareRoute } from './share-routes.ts'
import type { ShownText } from './shown-text.svelte.ts'
import type { Chosen } from './text-pane.ts'

/** What is being written about: a passage, or the whole document. */
export interface Subject {
  chosen: Chosen | null
  /** The anchor, once it is known. */
  anchor: Anchor | null
  /** The words as they are shown, or were when the draft was begun. */
  words: string
}

/** The words that were chosen are no longer in the text. */
export class WordsGone extends Error {}

interface Options {
  api: ClientOf<ShareRoute>
  documentId: string
  link: Link
  text: ShownText
  feedback: PlacedFeedback
  notices: Notices
  drafts: FeedbackDrafts
  guest: Guest
  /** Is told the id of what was sent. */
  onSent: (id: string) => void
}

/** A new comment or suggestion: what is chosen for it, and its way to the server. */
export class Writing {
  composing = $state.raw<Subject | null>(null)
  suggesting = $state.raw<Subject | null>(null)
  #selected = $state.raw<Chosen | null>(null)
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** What is selected in the text, a little after it was. */
  get chosen(): Chosen | null {
    return this.#selected?.revision === this.#options.text.revision ? this.#selected : null
  }

  set chosen(chosen: Chosen | null) {
    this.#selected = chosen
  }

  /** Brings back what an earlier visit began last, a comment or a suggestion, where it was meant. */
  resume({ withSuggestions }: { withSuggestions: boolean }): void {
    const { drafts } = this.#options
    const begun = drafts.find('new')
    const all = withSuggestions ? begunWords(drafts, isSuggestion) : []
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
  compose(subject = subjectOf(this.#selectedNow())): void {
    this.#write(subject, () => this.#refuse())
  }

  /** `refuse` is done where the server says that these words are no one stretch of the text. */
  #write(subject: Subject, refuse: () => void): void {
    const { drafts } = this.#options
    this.composing = subject
    // The anchor is found at once, so that it holds however long the writing takes; else it is found on sending.
    this.anchorOf(subject).then(
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
    const chosen = this.#selectedNow()
    if (chosen) this.suggesting = subjectOf(chosen)
    return chosen !== null
  }

  /**
   * The anchor of what is written about; null for the whole document. When the text has changed since, the server
   * follows the words through the changes. Where it can't, the new text is shown and the same words are looked for in
   * it. Rejects with `WordsGone` if they aren’t there.
   */
  async anchorOf(subject: Subject): Promise<Anchor | null> {
    if (subject.anchor || !subject.chosen) return subject.anchor
    const { api, documentId, link, text } = this.#options
    for (let attempt = 0; ; attempt++) {
      const { revision, from, to }: Chosen = subject.chosen
      try {
        const body = { revision, from, to }
        const located = await link.attempt(() => api.call('locate', { params: { id: documentId }, body }))
        subject.anchor = located.anchor
        // What is said stands beside the text that it is about now. Without that the anchor is no less right.
        if (located.revision !== text.revision) await text.renew().catch(() => {})
        return located.anchor
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'PRECONDITION_FAILED' || attempt === 3) throw error
        if (subject.chosen.revision === text.revision) await text.renew()
        const again = text.pane.findAgain(subject.chosen)
        if (!again) throw new WordsGone()
        subject.chosen = again
      }
    }
  }

  /** Sends a new comment, or keeps it until it can be sent. False when it was refused; its words are kept. */
  async sendComment(body: string, subject: Subject): Promise<boolean> {
    const { drafts, feedback, guest, notices } = this.#options
    try {
      const { anchor, place } = await this.#standing(subject)
      const words = { body: body.trim(), anchor, ...guest.signature }
      const posted = await feedback.post({ kind: 'comment', body: words, place })
      drafts.drop('new')
      this.composing = null
      this.#unselect()
      await this.#posted(posted, 'Comment sent.')
      return true
    } catch (error) {
      if (error instanceof WordsGone) this.#loseWords(subject)
      else notices.fail(error, 'send the comment')
      return false
    }
  }

  /** Sends a suggestion on the subject’s source, or keeps it until it can be sent. False when it was refused. */
  async sendSuggestion(subject: Subject, anchor: Anchor, suggested: string, note: string): Promise<boolean> {
    const { feedback, guest, notices } = this.#options
    try {
      const body = {
        original_text: anchor.exact,
        suggested_text: suggested,
        anchor,
        note: note.trim() || null,
        ...guest.signature,
      }
      const posted = await feedback.post({ kind: 'suggestion', body, place: subject.chosen })
      this.suggesting = null
      this.#unselect()
      await this.#posted(posted, 'Suggestion sent.')
      return true
    } catch (error) {
      notices.fail(error, 'send the suggestion')
      return false
    }
  }

  /** The anchor, or where the words stand on the page if there is nobody to ask for it. */
  async #standing(subject: Subject): Promise<{ anchor: Anchor | null; place: Chosen | null }> {
    const { link } = this.#options
    const place = subject.chosen
    if (!subject.anchor && link.state === 'lost') return { anchor: null, place }
    try {
      return { anchor: await this.anchorOf(subject), place: subject.chosen }
    } catch (error) {
      if (error instanceof ApiError && !isAnswer(error)) return { anchor: null, place: subject.chosen }
      throw error
    }
  }

  async #posted(posted: Posted, told: string): Promise<void> {
    const { feedback, onSent } = this.#options
    const id = posted.kind === 'kept' ? posted.entry.key : posted.record?.id
    if (id !== undefined) onSent(id)
    await feedback.tell(posted, told)
    if (posted.kind === 'sent') await feedback.load().catch(() => undefined)
  }

  /** What is selected at this moment; `chosen` follows a little later, and is what is left where a tap unselects. */
  #selectedNow(): Chosen | null {
    return this.#options.text.pane.chosen() ?? this.chosen
  }

  /** What was written about is done with: some browsers show it as selected again once the field is gone. */
  #unselect(): void {
    this.chosen = null
    if (this.#options.text.pane.chosen()) document.getSelection()?.removeAllRanges()
  }

  #loseWords(subject: Subject): void {
    this.composing = { ...subject, chosen: null, anchor: null }
    this.#options.notices.say(
      'The text has changed, and the words you chose are gone. What you wrote is kept.',
      true,
    )
  }
}

/** Where a draft is meant, to be kept with it. */
export const meantBy = ({ anchor, chosen, words }: Subject): Meant => ({
  ...(anchor ? { anchor } : {}),
  ...(chosen ? { place: chosen } : {}),
  ...(words ? { words } : {}),
})

const subjectOfDraft = ({ anchor = null, place, words }: FeedbackDraft): Subject => ({
  chosen: place ?? null,
  anchor,
  words: words ?? place?.words ?? anchor?.exact ?? '',
})

const subjectOf = (chosen: Chosen | null): Subject => ({ chosen, anchor: null, words: chosen?.words ?? '' })
