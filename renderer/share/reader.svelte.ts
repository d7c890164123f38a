import { tick } from 'svelte'
import { MediaQuery } from 'svelte/reactivity'
import { createCaller, type ApiClient } from '../api/caller.ts'
import { calmly, Live } from '../api/live.ts'
import { Drafts } from '../review/drafts.ts'
import { Guest } from './guest.svelte.ts'
import { Link } from './link.svelte.ts'
import { Notices } from './notices.svelte.ts'
import { Remarks } from './remarks.svelte.ts'
import type { SharePage } from './share-page.ts'
import { shareRoutes, type ShareRoute } from './share-routes.ts'
import { ShownText } from './shown-text.svelte.ts'
import type { TextPane } from './text-pane.ts'
import { Writing } from './writing.svelte.ts'

/** The share page as its reader has it. */
export class Reader {
  readonly page: SharePage
  readonly pane: TextPane
  readonly api: ApiClient<ShareRoute>
  readonly link: Link
  readonly text: ShownText
  readonly remarks: Remarks
  readonly writing: Writing
  readonly guest = new Guest()
  readonly notices = new Notices()
  readonly drafts: Drafts
  readonly canComment: boolean
  readonly canEdit: boolean
  /**
   * Whether threads stand beside the text. A page that can’t be commented on mostly has none, and keeps its text in the
   * middle until there is room on both sides. `viewer.css` has the same numbers.
   */
  readonly withMargin: MediaQuery

  /** The thread or suggestion looked at. */
  activeId = $state<string | null>(null)
  listOpen = $state(false)
  editing = $state(false)
  /** The source offset that was at the top of the window when editing began. */
  place = 0
  #scrolledTo = 0
  #live: Live | null = null
  readonly #listeners = new Set<() => void>()

  readonly changed = $derived.by(() => this.text.latest > this.text.revision && !this.editing)
  /** The marks to draw: those of open threads and pending suggestions. */
  readonly shownMarks = $derived.by(() => {
    const { marks, openThreads, pending } = this.remarks
    const shown = new Set([...openThreads, ...pending].map(({ id }) => id))
    return marks.filter(({ id }) => shown.has(id) || id === this.activeId)
  })

  constructor(
    page: SharePage,
    pane: TextPane,
    api = createCaller(shareRoutes, { base: '..', shareToken: page.token }),
  ) {
    const { documentId } = page
    const params = { id: documentId }
    this.page = page
    this.pane = pane
    this.api = api
    this.canComment = page.permission !== 'view'
    this.canEdit = page.permission === 'edit'
    this.withMargin = new MediaQuery(this.canComment ? 'min-width: 64rem' : 'min-width: 82rem')
    this.drafts = new Drafts(documentId)
    this.link = new Link(() => api.call('listMarks', { params }))
    this.text = new ShownText(pane, page.revision, () =>
      this.link.attempt(() => api.call('renderDocument', { params })),
    )
    const { drafts, guest, link, notices, text } = this
    const shared = { api, documentId, drafts, link, notices, text }
    this.remarks = new Remarks({ ...shared, guest, withSuggestions: this.canComment })
    this.writing = new Writing({ ...shared, remarks: this.remarks, onSent: (id) => (this.activeId = id) })
    if (this.canComment) this.writing.resume()
  }

  /** Asks what has changed. Rejects when no answer comes. */
  async look(): Promise<void> {
    if (!this.link.isDead) await this.remarks.load()
  }

  /** Hears of changes as they are made. What is never heard is asked for all the same. */
  follow(): void {
    const { documentId, token } = this.page
    const tell = () => {
      for (const listener of this.#listeners) listener()
    }
    this.#live = new Live(`../api/documents/${documentId}/live?share_token=${token}`, {
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

  /** Has its listener called when something has changed; returns what stops that. */
  readonly onNews = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Milliseconds between two looks: `usual` without a connection that says when there is something to see. */
  pollEvery(usual: number): number {
    return this.#live?.connected ? calmly : usual
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
    this.place = this.pane.topOffset()
    this.#scrolledTo = scrollY
    this.writing.chosen = null
    this.writing.composing = null
    this.editing = true
  }

  /** Goes back to reading, at a source offset of the text as it is now; null for where reading was left. */
  async endEditing(offset: number | null): Promise<void> {
    try {
      await this.text.renew()
    } catch (error) {
      this.notices.fail(error, 'show the new text')
    }
    this.editing = false
    // The text has no place on the page before it is shown again.
    await tick()
    if (offset === null) scrollTo({ top: this.#scrolledTo, behavior: 'instant' })
    else this.pane.showOffset(offset)
    await this.look().catch(() => undefined)
  }

  /** Starts a comment, with what is shown about others put away. */
  compose(): void {
    this.activeId = null
    this.listOpen = false
    this.writing.compose()
  }

  /** Makes a thread or suggestion the one looked at; `reveal` brings its words into view. */
  activate(id: string | null, { reveal = false } = {}): void {
    this.activeId = id
    const mark = reveal && this.remarks.marks.find((candidate) => candidate.id === id)
    if (!mark) return
    const range = this.pane.rangeOf(mark)
    if (!range) return
    const { top, bottom } = range.getBoundingClientRect()
    if (top < 72 || bottom > innerHeight * 0.6) {
      const calm = !matchMedia('(prefers-reduced-motion: reduce)').matches
      window.scrollBy({ top: top - innerHeight * 0.3, behavior: calm ? 'smooth' : 'instant' })
    }
  }
}
