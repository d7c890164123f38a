import { tick, untrack } from 'svelte'
import type { Comment, Document, Permission, Suggestion } from '../../server/contract/records.ts'
import { MediaQuery } from 'svelte/reactivity'
import { ApiError, createClientOf, isAnswer, type ClientOf } from '../api/client-of.ts'
import { slowPolling, LiveConnection } from '../api/live.ts'
import { bringIntoView, underBars } from './bring-into-view.ts'
import { FeedbackDrafts, type FeedbackDraft } from '../feedback/feedback-drafts.ts'
import { explain } from './explain.ts'
import { Guest } from './guest.svelte.ts'
import { OfflineCopy } from './offline-copy.svelte.ts'
import { Link } from './link.svelte.ts'
import { fetchWithIdleTimeout } from './idle-timeout-fetch.ts'
import { hasAbandonedDrafts } from './abandoned-drafts.ts'
import { rememberDocument } from './known-links.ts'
import { Notices } from './notices.svelte.ts'
import { isMutation } from '../feedback/message.ts'
import { hasWords, type Entry } from './outbox/entry.ts'
import { Outbox } from './outbox/outbox.svelte.ts'
import { findInRendering } from './outbox/find-in-rendering.ts'
import { throughOutbox } from './outbox/through-outbox.ts'
import { tellArrivals } from './outbox/tell-arrivals.ts'
import { PlacedFeedback } from './placed-feedback.svelte.ts'
import type { Passage } from './points.ts'
import type { SharePage } from './share-page.ts'
import { shareRoutes, type ShareRoute } from './share-routes.ts'
import { untilReaderStays } from './staying.ts'
import { ShownText } from './shown-text.svelte.ts'
import type { Chosen, TextPane } from './text-pane.ts'
import { Writing, type Subject } from './writing.svelte.ts'

/** Between two looks, in milliseconds, where nothing says when there is something to see. */
export const usualPause = 15_000

/** The share page as its reader has it. */
export class Reader {
  readonly page: SharePage
  readonly pane: TextPane
  readonly api: ClientOf<ShareRoute>
  readonly link: Link
  readonly text: ShownText
  readonly feedback: PlacedFeedback
  readonly writing: Writing
  readonly guest = new Guest()
  readonly notices = new Notices()
  readonly drafts: FeedbackDrafts
  readonly outbox: Outbox
  readonly offlineCopy: OfflineCopy
  /** What the link allows now, which may be other than when the page was made. */
  permission = $state<Permission>('view')
  /** What the page has no controls for needs a new page; what isn’t allowed any more is not offered. */
  readonly canComment = $derived.by(() => this.page.permission !== 'view' && this.permission !== 'view')
  readonly canEdit = $derived.by(() => this.page.permission === 'edit' && this.permission === 'edit')
  /**
   * Whether threads stand beside the text. A page that can’t be commented on mostly has none, and keeps its text in the
   * middle until there is room on both sides. `viewer.css` has the same numbers.
   */
  readonly withMargin: MediaQuery

  /** The thread or suggestion looked at. */
  activeId = $state<string | null>(null)
  listOpen = $state(false)
  /** Whether the one that is looked at stands over the page, where there is no margin for it. */
  opened = $state(false)
  editing = $state(false)
  /** Since when the text is as it is shown, where it comes from the browser’s copy and nobody has been asked yet. */
  keptAt = $state<string | null>(null)
  /** Whether the text was changed here and the server hasn’t got that yet. */
  edited = $state(false)
  /** Whether somebody else has changed the same words meanwhile. */
  collides = $state(false)
  /** Sends changes of the text that were left behind; what does so is loaded when there are some. */
  sendEdits: () => Promise<void> = () => Promise.resolve()
  /** The line that stood at the top of the window when editing began; null for the beginning of the text. */
  place: ReturnType<TextPane['lineBelow']> = null
  /** How far below the bars that was. */
  #down = 0
  #scrolledTo = 0
  #live: LiveConnection | null = null
  #keptRevision: number | null = null
  #stays: Promise<void> | null = null
  #deliveringEdits = false
  /** When it may be said again that the server is back. */
  #backAgain = 0
  readonly #listeners = new Set<() => void>()

  readonly changed = $derived.by(() => this.text.latest > this.text.revision && !this.editing)
  /** The marks to draw: those of open threads, pending suggestions, and decided ones of which there is to tell. */
  readonly shownMarks = $derived.by(() => {
    const { decided, marks, openThreads, pending } = this.feedback
    const shown = new Set([...openThreads, ...pending, ...decided].map(({ id }) => id))
    return marks.filter(({ id }) => shown.has(id) || id === this.activeId)
  })

  /** What can be gone through one after the other: what is said of the whole document, then the marks as they stand. */
  readonly walk = $derived.by(() => {
    const whole = this.feedback.openThreads.filter(({ place }) => place === 'document')
    const marks = [...this.shownMarks].sort(
      ({ from: a }, { from: b }) => a.block - b.block || a.char - b.char,
    )
    return [...whole, ...marks].map(({ id }) => id)
  })

  /**
   * What waits in the outbox and stands by itself: replies stand in their threads, and changes with what they change,
   * where that is there.
   */
  readonly waitingCards = $derived.by(() => {
    const comments = new Set(this.feedback.comments.map(({ id }) => id))
    const threads = new Set(this.feedback.threads.map(({ id }) => id))
    return this.outbox.entries.filter((entry) => {
      if (isMutation(entry)) return hasWords(entry) && !comments.has(entry.target)
      return entry.kind === 'suggestion' || !entry.body.parent_id || !threads.has(entry.body.parent_id)
    })
  })
  /** Their words, as they stand in the text that is shown. */
  readonly waitingPlaces = $derived.by(() => {
    const places = new Map<string, Chosen>()
    void this.text.revision
    for (const entry of this.waitingCards) {
      if (isMutation(entry)) continue
      const { key, place } = entry
      const now = place && this.pane.standing(place)
      if (now) places.set(key, now)
    }
    return places
  })

  constructor(
    page: SharePage,
    pane: TextPane,
    api = createClientOf(shareRoutes, { base: '..', shareToken: page.token, fetch: fetchWithIdleTimeout }),
  ) {
    const { documentId } = page
    const params = { id: documentId }
    this.page = page
    this.pane = pane
    this.permission = page.permission
    api = this.#listening(api)
    this.api = api
    this.withMargin = new MediaQuery(this.canComment ? 'min-width: 64rem' : 'min-width: 82rem')
    this.drafts = new FeedbackDrafts(documentId)
    this.offlineCopy = new OfflineCopy(page.token, documentId)
    this.keptAt = page.keptAt ?? null
    this.link = new Link(
      () => api.call('listMarks', { params }),
      () => void this.#end(),
    )
    this.text = new ShownText(pane, page.revision, () =>
      this.link.attempt(() => api.call('renderDocument', { params })),
    )
    const { drafts, guest, link, notices, text } = this
    this.outbox = new Outbox({
      token: page.token,
      documentId,
      api: { call: (name, options) => link.attempt(() => api.call(name, options)) },
      find: (place) => findInRendering(place, () => api.call('renderDocument', { params })),
      onArrival: (arrived) => this.#welcome(arrived),
      onEnding: ({ kind }) => {
        if (kind === 'dead') link.end()
        else if (kind !== 'done') this.offlineCopy.whenBack().catch(() => undefined)
      },
    })
    const { outbox } = this
    const shared = { api, documentId, drafts, guest, link, notices, text }
    this.feedback = new PlacedFeedback({
      ...shared,
      delivery: throughOutbox(outbox),
      notify: (notice) => notices.show(notice),
      explain,
      withSuggestions: () => this.canComment,
      onShowAll: () => (this.listOpen = true),
      onShow: (id) => void this.goTo(id),
    })
    this.writing = new Writing({ ...shared, feedback: this.feedback, onSent: (id) => (this.activeId = id) })
    if (this.canComment) this.writing.resume({ withSuggestions: this.canEdit })
  }

  /** Keeps what is begun, so that it is found also where the link opens nothing any more. */
  keepDraft(slot: string, draft: FeedbackDraft): void {
    rememberDocument(this.page.token, this.page.documentId)
    this.drafts.keep(slot, { ...draft, at: Date.now() })
  }

  /** The same calls, with an ear for what the link allows, and for the server when it is back. */
  #listening(api: ClientOf<ShareRoute>): ClientOf<ShareRoute> {
    const call: typeof api.call = async (name, options) => {
      const answer = await api.call(name, options).catch((error: unknown) => {
        // Nothing new is an answer, too; none at all is of concern to all.
        if (error instanceof ApiError) {
          if (error.status !== 304 && !isAnswer(error)) this.link.learnFrom(error)
          else if (error.status === 304 && this.link.answered()) this.#isBack()
        }
        throw error
      })
      if (this.link.answered()) this.#isBack()
      const { permission } = (answer ?? {}) as { permission?: Permission }
      if (permission !== undefined) this.permission = permission
      return answer
    }
    return { ...api, call }
  }

  /**
   * The server answers again, whoever was the first to be told: nobody waits any longer for a try of their own. Where
   * some calls come through and others don’t, this isn’t said over and over.
   */
  #isBack(): void {
    if (Date.now() < this.#backAgain) return
    this.#backAgain = Date.now() + usualPause
    this.#live?.openNow()
    this.#tell()
  }

  /** Asks what has changed, and delivers what waits. Rejects when no answer comes. */
  async look(): Promise<void> {
    if (this.link.isDead) return
    await this.feedback.load()
    this.keptAt = null
    await this.outbox.takeUp(this.permission)
    await this.outbox.deliver()
    await this.#keep()
    await this.#deliverEdits()
  }

  /** Delivers what earlier visits, or other tabs, left waiting. */
  async resume(): Promise<void> {
    const kept = this.keptAt === null ? null : await this.offlineCopy.feedback().catch(() => null)
    if (kept && this.keptAt !== null) this.feedback.restore(kept)
    await this.outbox.load()
    if (this.canEdit) this.edited = await hasAbandonedDrafts(this.page.documentId)
    await this.outbox.deliver()
    await this.#deliverEdits()
  }

  /** Keeps the page as it is now, once the server has been heard of; the text of the page only when it has changed. */
  async #keep(): Promise<void> {
    const { offlineCopy, text } = this
    if (text.revision === text.latest && this.#keptRevision !== text.revision) {
      this.#keptRevision = text.revision
      await offlineCopy.keep()
      if (this.canEdit) this.#keepForEditing(text.revision).catch(() => undefined)
    }
    await offlineCopy.keepFeedback(this.feedback.all)
  }

  /** Keeps what editing takes, for readers who stay: it weighs more than the page. */
  async #keepForEditing(revision: number): Promise<void> {
    const { offlineCopy, link, page } = this
    this.#stays ??= untilReaderStays()
    await this.#stays
    if (!offlineCopy.kept || link.isDead || revision !== this.#keptRevision) return
    await offlineCopy.keepFiles(page.later)
    await offlineCopy.keepDocument(await this.api.call('getDocument', { params: { id: page.documentId } }))
  }

  /** Sends what was typed into the text and left behind, unless it is being gone on with. */
  async #deliverEdits(): Promise<void> {
    if (!this.edited || this.editing || this.#deliveringEdits || this.link.state !== 'works') return
    this.#deliveringEdits = true
    try {
      await this.sendEdits()
    } catch {
      // It stays where it is, and is tried again with the next look.
    } finally {
      this.#deliveringEdits = false
    }
  }

  /** The server has said that the link opens nothing any more: only the reader’s own words stay. */
  async #end(): Promise<void> {
    const { documentId, keptAt, token } = this.page
    rememberDocument(token, documentId)
    await this.outbox.giveUp()
    await this.offlineCopy.drop().catch(() => undefined)
    // A copy may not be shown any longer; the server’s own page takes its place, with the words that are still here.
    if (keptAt !== undefined) location.reload()
  }

  /** Hears of changes as they are made. What is never heard is asked for all the same. */
  follow(): void {
    const { documentId, token } = this.page
    const tell = () => this.#tell()
    this.#live = new LiveConnection(`../api/documents/${documentId}/live?share_token=${token}`, {
      onMessage: tell,
      onState: tell,
      name: () => this.guest.name,
    })
    let soon: ReturnType<typeof setTimeout> | undefined
    // Not with every letter.
    this.guest.onRename = () => {
      clearTimeout(soon)
      soon = setTimeout(() => this.#live?.greet(), 1_000)
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }

  /** Has its listener called when something has changed; returns what stops that. */
  readonly onNews = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Milliseconds between two looks: `usual` without a connection that says when there is something to see. */
  pollEvery(usual: number): number {
    return this.#live?.connected ? slowPolling : usual
  }

  /** The document as the server has it or, while nobody can be asked, as it was last read here. */
  async document(): Promise<Document | null> {
    const params = { id: this.page.documentId }
    return this.api.call('getDocument', { params }).catch(() => this.offlineCopy.document().catch(() => null))
  }

  #source: { revision: number; content: Promise<string | null> } | null = null

  /** The source of the text as it is now, read once for each revision. */
  source(): Promise<string | null> {
    const revision = this.text.latest
    if (this.#source?.revision !== revision)
      this.#source = { revision, content: this.document().then((read) => read?.content ?? null) }
    return this.#source.content
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

  edit(): void {
    const edge = underBars()
    this.place = scrollY < 8 ? null : this.pane.lineBelow(edge)
    this.#down = this.place ? this.place.top - edge : 0
    this.#scrolledTo = scrollY
    this.writing.chosen = null
    this.writing.composing = null
    this.writing.suggesting = null
    this.editing = true
  }

  /** How far below the bars the line stood at which editing began. */
  get down(): number {
    return this.#down
  }

  /**
   * Goes back to reading: `find` answers what is to stand at the top then, in the text as it is shown by then, and how
   * far below the bars. Without it reading goes on where it was left.
   */
  async endEditing(find: (() => ReturnTo) | null): Promise<void> {
    try {
      if (this.link.state !== 'lost') await this.text.renew()
    } catch (error) {
      if (!this.edited) this.notices.fail(error, 'show the new text')
    }
    const there = find ? find() : this.#whereItWas()
    this.editing = false
    // The text has no place on the page before it is shown again.
    await tick()
    scrollTo({ top: find && !there ? 0 : this.#scrolledTo, behavior: 'instant' })
    if (there) void bringIntoView(there.where, () => underBars() + there.down)
    await this.look().catch(() => undefined)
  }

  #whereItWas(): ReturnTo {
    const { pane, place } = this
    if (!place) return null
    const passage = place.revision === this.text.revision ? place : pane.findWords(place.words, place.part)
    return passage && { where: () => pane.rectOf(passage), down: this.#down }
  }

  /** Starts a comment, with what is shown about others put away. */
  compose(subject?: Subject): void {
    this.activeId = null
    this.opened = false
    this.listOpen = false
    this.writing.suggesting = null
    this.writing.compose(subject)
    const { composing } = this.writing
    if (composing?.chosen) void this.reveal(this.pane.standing(composing.chosen), newCard)
  }

  /** Starts a suggestion on what is selected, with what is shown about others put away. */
  suggest(): void {
    if (!this.writing.suggest()) return
    this.activeId = null
    this.opened = false
    this.writing.composing = null
    this.revealSuggestion()
  }

  /** Brings the words into view that a suggestion is being written on, and what is written. */
  revealSuggestion(): void {
    const chosen = this.writing.suggesting?.chosen
    if (chosen) void this.reveal(this.pane.standing(chosen), newSuggestion)
  }

  #covers = $state(0)
  /** Whether something covers the page. */
  get covered(): boolean {
    return this.#covers > 0
  }

  /** Says that something covers the page; answers what says that it no longer does. */
  cover(): () => void {
    untrack(() => this.#covers++)
    return () => void this.#covers--
  }

  /** Makes a thread or suggestion the one looked at; `reveal` brings its words into view. */
  activate(id: string | null, { reveal = false } = {}): void {
    this.activeId = id
    if (id !== null) this.feedback.decisions.see(id)
    if (id === null) this.opened = false
    else if (reveal) void this.#revealCard(id)
  }

  /** Opens a thread or suggestion at its words, and goes there with the keyboard, too. */
  async goTo(id: string, focused = ''): Promise<void> {
    // What has no place in the text stands in the list alone.
    this.listOpen = this.withMargin.current && !this.walk.includes(id)
    this.activeId = id
    this.opened = true
    this.feedback.decisions.see(id)
    await tick()
    const card = document.querySelector<HTMLElement>(`[data-item="${id}"]`)
    const part = focused ? card?.querySelector<HTMLElement>(focused) : null
    ;(part ?? card)?.focus({ preventScroll: true })
    await this.#revealCard(id)
  }

  /** The thread or suggestion after or before the one that is looked at; from none, the first or last. */
  step(by: 1 | -1): void {
    const { walk } = this
    if (walk.length === 0) return
    const at = walk.indexOf(this.activeId ?? '')
    const next = at < 0 ? (by > 0 ? 0 : walk.length - 1) : (at + by + walk.length) % walk.length
    void this.goTo(walk[next]!, `[data-step="${by}"]`)
  }

  #revealCard(id: string): Promise<void> {
    const passage = this.feedback.marks.find((candidate) => candidate.id === id) ?? this.waitingPlaces.get(id)
    return this.reveal(passage ?? null, id)
  }

  /** Brings a passage of the text into view, and the card that stands beside it. */
  async reveal(passage: Passage | null, card?: string): Promise<void> {
    const range = passage && this.pane.rangeOf(passage)
    for (let at = range?.startContainer.parentElement; at && at !== this.pane.element; at = at.parentElement)
      if (at instanceof HTMLDetailsElement) at.open = true
    // What opens for it has its place on the page only then.
    await tick()
    await bringIntoView(() => {
      const words = passage && this.pane.boundsOf(passage)
      const beside = card === undefined ? null : cardRect(card)
      if (!words || !beside) return words || beside
      const top = Math.min(words.top, beside.top)
      return new DOMRect(words.x, top, words.width, Math.max(words.bottom, beside.bottom) - top)
    })
  }

  #welcome(arrived: readonly { entry: Entry; record: Comment | Suggestion | null }[]): void {
    for (const { entry, record } of arrived) {
      // What another has delivered is known by its id alone until the next look.
      const id = record?.id ?? entry.recordId
      if (this.activeId === entry.key && id) this.activeId = id
      this.feedback.arrived(entry, record)
    }
    this.notices.say(tellArrivals(arrived.map(({ entry }) => entry)))
    this.feedback.load().catch(() => undefined)
  }
}

/** What is to stand at the top of the window after editing, and how far below the bars; null for the text’s beginning. */
export type ReturnTo = { where: () => DOMRect | null; down: number } | null

/** The card in which a new comment is written, in the margin. */
export const newCard = 'new'
/** The card in which a suggestion is written, in the margin. */
export const newSuggestion = 'suggest'

/** Where a card in the margin stands, or is on its way to. */
function cardRect(id: string): DOMRect | null {
  const place = document.querySelector<HTMLElement>(`.margin [data-place="${id}"]`)
  if (!place) return null
  const { left, width, height } = place.getBoundingClientRect()
  const top = place.offsetParent!.getBoundingClientRect().top + parseFloat(place.style.top)
  return new DOMRect(left, top, width, height)
}
