import type { Comment } from '../../server/contract/records/comments.ts'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import type { ClientOf } from '../api/client-of.ts'
import type { DocumentNews } from '../api/document-news.ts'
import { FeedbackDrafts, type FeedbackDraft } from '../feedback/feedback-drafts.ts'
import { goOnAs } from '../feedback/reasoning.ts'
import { Answered } from './answered.svelte.ts'
import { Cards, newCard, newSuggestion } from './cards.svelte.ts'
import { Connection } from './connection.svelte.ts'
import { explain } from './explain.ts'
import { ReaderName } from './guest.svelte.ts'
import { rememberDocument } from './known-links.ts'
import { LastRead } from '../reading/last-read.svelte.ts'
import type { Link } from './link.svelte.ts'
import { Notices } from './notices.svelte.ts'
import { OfflineReading } from './offline-reading.svelte.ts'
import { findInRendering } from './outbox/find-in-rendering.ts'
import type { Entry } from './outbox/entry.ts'
import { Outbox } from './outbox/outbox.svelte.ts'
import { tellArrivals } from './outbox/tell-arrivals.ts'
import { throughOutbox } from './outbox/through-outbox.ts'
import { PlacedFeedback } from './placed-feedback.svelte.ts'
import { SelectedWords } from './selected-words.svelte.ts'
import { ReviewRound } from './round.svelte.ts'
import type { SharePage } from './share-page.ts'
import type { ShareRoute } from './share-routes.ts'
import { ShownText } from './shown-text.svelte.ts'
import { subjectOf, type Subject } from './subject.ts'
import { SubjectAnchors } from './subject-anchors.ts'
import { SuggestionsInText } from './suggestions-in-text.svelte.ts'
import { TextEditing, type ReturnTo } from './text-editing.svelte.ts'
import type { TextPane } from './text-pane.ts'
import { Writing } from './writing.svelte.ts'

/** The share page as its reader has it: its parts, and what takes several of them. */
export class Reader {
  readonly page: SharePage
  readonly pane: TextPane
  readonly connection: Connection
  readonly api: ClientOf<ShareRoute>
  readonly link: Link
  readonly text: ShownText
  readonly offline: OfflineReading
  readonly feedback: PlacedFeedback
  readonly cards: Cards
  readonly suggestionsInText = new SuggestionsInText()
  readonly selected: SelectedWords
  readonly anchors: SubjectAnchors
  readonly writing: Writing
  readonly editing: TextEditing
  readonly lastRead: LastRead
  readonly guest = new ReaderName()
  readonly notices = new Notices()
  readonly drafts: FeedbackDrafts
  readonly outbox: Outbox
  readonly round: ReviewRound
  readonly answered: Answered

  readonly changed = $derived.by(() => this.text.latest > this.text.revision && !this.editing.open)

  /** Where a file of the document is. */
  readonly fileUrl = (file: string): string =>
    this.api.url('getFile', { params: { id: this.page.documentId, file } })

  constructor(page: SharePage, pane: TextPane) {
    const { documentId } = page
    const params = { id: documentId }
    this.page = page
    this.pane = pane
    this.connection = new Connection(page, () => void this.#end())
    const { api, link } = this.connection
    this.api = api
    this.link = link
    this.lastRead = new LastRead(documentId)
    this.drafts = new FeedbackDrafts(documentId)
    this.offline = new OfflineReading(page, this.connection)
    this.text = new ShownText(pane, page.revision, () => api.call('renderDocument', { params }))
    const { drafts, guest, notices, text } = this
    this.editing = new TextEditing(text, link, notices)
    this.outbox = new Outbox({
      token: page.token,
      documentId,
      api,
      find: (place) => findInRendering(place, () => api.call('renderDocument', { params })),
      onArrival: (arrived) => this.#welcome(arrived),
      onEnding: ({ kind }) => {
        if (kind === 'dead') link.end()
        else if (kind !== 'done') this.offline.copy.whenBack().catch(() => undefined)
      },
    })
    const { outbox } = this
    this.round = new ReviewRound({ api, documentId, guest, notices, outbox })
    this.cards = new Cards({
      commentable: () => link.hasLetComment,
      text,
      outbox,
      feedback: () => this.feedback,
      editing: this.editing,
    })
    const { cards } = this
    this.feedback = new PlacedFeedback({
      api,
      documentId,
      text,
      drafts,
      delivery: throughOutbox(outbox),
      notify: (notice) => notices.show(notice),
      explain,
      withSuggestions: () => link.canComment,
      onShowAll: () => (cards.listOpen = true),
      onShow: (id) => void this.#goTo(id),
    })
    this.answered = new Answered(documentId, () => this.feedback)
    this.selected = new SelectedWords(text)
    this.anchors = new SubjectAnchors({ api, documentId, link, text })
    const { anchors, feedback, selected } = this
    const onSent = (id: string) => (cards.activeId = id)
    const saved = () => this.editing.feedback?.save()
    this.writing = new Writing({ anchors, drafts, feedback, guest, notices, selected, saved, onSent })
    if (link.canComment) this.writing.resume({ withSuggestions: link.canSuggest })
  }

  /** Keeps what is begun, so that it is found also where the link opens nothing any more. */
  keepDraft(slot: string, draft: FeedbackDraft): void {
    rememberDocument(this.page.token, this.page.documentId)
    this.drafts.keep(slot, { ...draft, at: Date.now() })
  }

  /**
   * Asks what has changed, as far as there are news of it, and delivers what waits. Rejects when no answer comes.
   */
  async look(news: readonly DocumentNews[] | null = null): Promise<void> {
    if (this.link.isDead) await this.#revive()
    await this.feedback.load(news)
    this.answered.begin()
    await this.round.load(news)
    this.offline.keptAt = null
    await this.outbox.takeUp(this.link.access)
    await this.outbox.deliver()
    await this.offline.keep(this.text, this.feedback)
    await this.editing.deliver(this.page.documentId)
  }

  /** Delivers what earlier visits, or other tabs, left waiting. */
  async resume(): Promise<void> {
    // Begun at once, so that what it takes is among what is kept of the page.
    const { canSuggest, access } = this.link
    const found = canSuggest ? this.editing.resume(this.page.documentId, access).catch(() => undefined) : null
    await this.offline.restore(this.feedback)
    await this.outbox.load()
    await found
    await this.outbox.deliver()
    await this.editing.deliver(this.page.documentId)
  }

  /** The server has said that the link opens nothing any more: only the reader’s own words stay. */
  async #end(): Promise<void> {
    const { documentId, keptAt, token } = this.page
    rememberDocument(token, documentId)
    await this.outbox.giveUp()
    await this.offline.drop().catch(() => undefined)
    // A copy may not be shown any longer; the server’s own page takes its place, with the words that are still here.
    if (keptAt !== undefined) location.reload()
  }

  /** Goes on as before where the link works again. Rejects where it doesn’t. */
  async #revive(): Promise<void> {
    await this.connection.revive()
    this.notices.say('This link works again.')
  }

  /** Shows the text as it is now, with the reader’s place kept. */
  async show(): Promise<void> {
    try {
      await this.text.renew()
      await this.look()
    } catch (error) {
      this.notices.fail(error, 'show the new text')
    }
  }

  /** Opens the text itself, to write in it or to suggest by typing. */
  edit(way: 'suggesting' | 'editing' = this.link.canEdit ? 'editing' : 'suggesting'): void {
    this.selected.words = null
    this.writing.putAway()
    this.cards.putAway()
    this.editing.begin(way)
  }

  /** Goes back to reading, at what `find` answers or else where it was left. */
  async endEditing(find: (() => ReturnTo) | null): Promise<void> {
    await this.editing.end(find)
    await this.look().catch(() => undefined)
  }

  /** What waited here has an id now. */
  isMade(name: string, id: string): void {
    goOnAs(id, name, this.drafts, this.cards)
  }

  async #goTo(id: string): Promise<void> {
    // Where it stands that was settled until now has to be asked for.
    if (!this.cards.isOnPage(id)) await this.feedback.load().catch(() => undefined)
    await this.cards.goTo(id)
  }

  /** Starts a comment, with what is shown about others put away. */
  compose(about?: Subject): void {
    const subject = about ?? this.editing.feedback?.subject()
    if (subject === null) return
    this.cards.putAway()
    this.cards.listOpen = false
    this.writing.compose(subject)
    this.#revealComposing()
  }

  /** Starts one on the whole document with these words; false where another is begun. */
  composeWith(body: string): boolean {
    if (this.drafts.find('new')) return false
    this.keepDraft('new', { body })
    this.compose(subjectOf(null))
    return true
  }

  #revealComposing(): void {
    const { composing } = this.writing
    if (composing?.chosen) void this.cards.reveal(this.pane.standing(composing.chosen), newCard)
  }

  /** Brings the words back into view of which something is being written, when something has come over them. */
  keepWrittenInView(): void {
    this.#revealComposing()
    this.revealSuggestion()
  }

  /** Starts a suggestion on what is selected, with what is shown about others put away. */
  suggest(): void {
    if (!this.writing.suggest()) return
    this.cards.putAway()
    this.revealSuggestion()
  }

  /** Brings the words into view that a suggestion is being written on, and what is written. */
  revealSuggestion(): void {
    const chosen = this.writing.suggesting?.chosen
    if (chosen) void this.cards.reveal(this.pane.standing(chosen), newSuggestion)
  }

  #welcome(arrived: readonly { entry: Entry; record: Comment | Suggestion | null }[]): void {
    for (const { entry, record } of arrived) {
      if (entry.kind === 'review') continue
      // What another has delivered is known by its id alone until the next look.
      const id = record?.id ?? entry.recordId
      if (this.cards.activeId === entry.key && id) this.cards.activeId = id
      this.feedback.arrived(entry, record, id)
    }
    this.notices.say(tellArrivals(arrived.map(({ entry }) => entry)))
    this.feedback.load().catch(() => undefined)
    if (arrived.some(({ entry }) => entry.kind === 'review')) this.round.load().catch(() => undefined)
  }
}
