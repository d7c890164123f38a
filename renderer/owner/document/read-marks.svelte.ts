import { untrack } from 'svelte'
import type { Mark } from '../../../server/contract/records/rendering.ts'
import type { MarkedText } from '../../editor/marked-text.ts'
import type { MarkPlace, MarkPlaces } from '../../editor/mark-places.ts'
import { markName } from '../../feedback/mark-name.ts'
import { suggestionName } from '../../feedback/suggestion-name.ts'
import { DrawnSuggestions } from '../../reading/drawn-suggestions.svelte.ts'
import { paintMarks } from '../../reading/highlights.ts'
import { notedMark, noteMarks } from '../../reading/mark-notes.ts'
import { onPage } from '../../reading/points.ts'
import { RenderedText } from '../../reading/rendered-text.ts'
import { nameOfAuthor } from '../../ui/author.ts'
import { roomBelow } from '../../ui/room-below.ts'
import { toastsTop } from '../../ui/toasts-top.ts'
import type { DocumentFeedback } from '../feedback/document-feedback.svelte.ts'
import { acceptedText, foundAgain, showRendered } from './accepted-text.ts'
import { boxOf, bringIntoView, openAround, topOf } from './page-in-frame.ts'
import { PlacedMarks } from './placed-marks.svelte.ts'
import style from './read-marks.css?inline'
import type { OwnerSession } from './session.svelte.ts'
import { scrollTogether } from './scroll-together.ts'
import { isHeard, PressedInstead } from './unheard-frame.ts'

interface Shown {
  page: Document
  view: Window & typeof globalThis
  pane: RenderedText
  revision: number
  drawn: DrawnSuggestions
  /** The text as it is, where it is shown as if what is suggested were accepted. */
  original: Element | null
}

/**
 * What is said of a document, in its reading view: drawn on the page in the frame, as recipients have it, and told to the
 * cards beside it. They stand in a scroller of their own above the frame, which goes with the page in it.
 */
export class ReadMarks implements MarkedText {
  readonly scroller: HTMLElement
  readonly #frame: () => HTMLIFrameElement
  readonly #session: OwnerSession
  readonly #feedback: DocumentFeedback
  readonly #placed: PlacedMarks
  readonly #listeners = new Set<(places: MarkPlaces) => void>()
  #shown = $state.raw<Shown | null>(null)
  /** Where a press on the page isn’t heard. */
  #instead: PressedInstead | null = null
  #places: MarkPlaces = { marks: new Map(), view: { top: 0, bottom: 0 } }
  readonly #marks = $derived.by((): readonly Mark[] => {
    if (!this.#shown) return []
    const { original, pane, revision } = this.#shown
    const marks = this.#placed.of(revision)
    return original ? marks.flatMap((mark) => foundAgain(mark, original, pane.element) ?? []) : marks
  })

  constructor(
    session: OwnerSession,
    feedback: DocumentFeedback,
    { frame, scroller }: { frame: () => HTMLIFrameElement; scroller: HTMLElement },
  ) {
    this.#session = session
    this.#feedback = feedback
    this.#frame = frame
    this.scroller = scroller
    this.#placed = new PlacedMarks(session, feedback)
  }

  /** A page has come: what is said stands in it from now on. Returns what lets go of it. */
  open(page: Document, end: HTMLElement): () => void {
    const element = page.querySelector<HTMLElement>('.prose')
    const view = page.defaultView
    if (!element || !view) return () => undefined
    const sheet = new view.CSSStyleSheet()
    sheet.replaceSync(style)
    page.adoptedStyleSheets.push(sheet)
    const pane = new RenderedText(element)
    const revision = Number(page.documentElement.dataset.revision)
    const drawn = this.#draw(pane, revision)
    this.#shown = { page, view, pane, revision, drawn, original: null }
    const stop = $effect.root(() => this.#follow())
    const clicked = ({ target, clientX, clientY }: MouseEvent) =>
      this.#press(target as Element, clientX, clientY)
    const pressed = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') this.#feedback.choose(null)
    }
    const measured = new ResizeObserver(() => {
      end.style.height = `${page.documentElement.scrollHeight}px`
      this.#look()
    })
    measured.observe(element)
    measured.observe(this.#frame())
    page.addEventListener('click', clicked)
    this.#instead = isHeard(view)
      ? null
      : new PressedInstead(this.scroller, (event) => this.#pressAbove(event))
    page.addEventListener('keydown', pressed)
    const part = scrollTogether(view, this.scroller, () => this.#tell())
    return () => {
      this.#shown = null
      this.#instead?.end()
      measured.disconnect()
      part()
      stop()
      drawn.stop()
    }
  }

  #draw(pane: RenderedText, revision: number): DrawnSuggestions {
    const { suggestions } = this.#feedback
    const marks = () => this.#marks
    const activeId = () => this.#feedback.activeId
    return new DrawnSuggestions({
      text: { pane, revision },
      fileUrl: suggestions.fileUrl,
      feedback: {
        get pending() {
          return suggestions.applicable
        },
      },
      cards: {
        get shownMarks() {
          return marks()
        },
        get activeId() {
          return activeId()
        },
        cardOf: (id) => suggestions.groupOf(id)[0]?.id ?? id,
        shownOn: (card) => suggestions.groupOf(card).find(({ id }) => id === activeId())?.id ?? card,
      },
      suggestionsInText: { shown: true },
    })
  }

  #follow(): void {
    const { drawn, revision } = this.#shown!
    $effect(() => this.#suppose(revision))
    $effect(() => this.#placed.follow(revision))
    $effect(() => {
      if (!this.#shown) return
      paintMarks(this.#shown.pane, {
        marks: this.#marks,
        active: this.#feedback.activeId,
        looks: (id) => drawn.lookOf(id),
        writtenAbout: null,
        waiting: [],
      })
    })
    $effect(() => {
      if (this.#shown) this.#note(this.#shown.pane)
    })
    $effect(() => {
      void [this.#marks, this.#placed.knows(revision), drawn.parts]
      untrack(() => this.#look())
    })
    // Whatever is chosen in the list is looked at here.
    $effect(() => {
      const { activeId } = this.#feedback
      if (activeId !== null) untrack(() => this.revealMark(activeId))
    })
  }

  /** Shows the text as if what is suggested were accepted, where its owner wants that. */
  #suppose(revision: number): (() => void) | undefined {
    const { suggestions } = this.#feedback
    const { api, content, document } = this.#session
    if (suggestions.textShows !== 'result' || document.revision !== revision) return undefined
    const supposed = acceptedText(content, suggestions.supposed.clear)
    let isStopped = false
    const show = ({ html }: { html: string }) => {
      const shown = untrack(() => this.#shown)
      if (isStopped || !shown) return
      const { element } = shown.pane
      const original = shown.original ?? (element.cloneNode(true) as Element)
      showRendered(element, html, suggestions.fileUrl)
      this.#shown = { ...shown, pane: new RenderedText(element), original }
    }
    // Where nobody answers the text stays as it is, which no suggestion is drawn in then.
    api.call('renderMarkdown', { body: { content: supposed } }).then(show, () => undefined)
    return () => (isStopped = true)
  }

  /** Says of the marks what they are to who can’t see them. */
  #note(pane: RenderedText): void {
    const { comments, suggestions } = this.#feedback
    const authors = new Map(comments.threads.map(({ id, root }) => [id, nameOfAuthor(root)]))
    const pending = new Map(suggestions.applicable.map((one) => [one.id, one]))
    const notes = this.#marks.flatMap((mark) => {
      const range = pane.rangeOf(mark)
      if (!range) return []
      const suggestion = pending.get(mark.id)
      const label = suggestion ? suggestionName(suggestion) : markName(mark, range, authors.get(mark.id))
      return { id: mark.id, label, range }
    })
    noteMarks(pane.element, notes)
  }

  /** Something that lies above the page was pressed: it is for what stands there in the page. */
  #pressAbove({ clientX, clientY }: MouseEvent): void {
    const { left, top } = this.#frame().getBoundingClientRect()
    const [x, y] = [clientX - left, clientY - top]
    const target = this.#shown?.page.elementFromPoint(x, y)
    if (!target) return
    const other = target.closest<HTMLElement>('a, summary, button')
    if (other) other.click()
    else this.#press(target, x, y)
  }

  #press(target: Element, x: number, y: number): void {
    const shown = this.#shown
    if (!shown) return
    const noted =
      notedMark(target) ?? target.closest<HTMLElement>('[data-suggestion]')?.dataset.suggestion ?? null
    if (noted !== null) return this.#feedback.open(noted)
    if (target.closest('a, summary, button')) return
    if (shown.page.getSelection()?.isCollapsed === false) return
    const marks = shown.pane.marksAt(x, y, this.#marks)
    // Of several at one place each click opens the next.
    const last = marks.findIndex(({ id }) => id === this.#feedback.activeId)
    const mark = marks[(last + 1) % marks.length]
    if (mark) this.#feedback.open(mark.id)
    else this.#feedback.choose(null)
  }

  /** Looks where the marks stand by now. */
  #look(): void {
    const { pane, revision = -1, view } = this.#shown ?? {}
    // Until it is known of a newer text, the cards stay, with the keyboard in one of them.
    if (!pane || !view || !this.#placed.knows(revision)) return
    const marks = new Map<string, MarkPlace>()
    const first = onPage(pane.element)
    for (const [at, mark] of this.#marks.toSorted((a, b) => first(a.from, b.from)).entries()) {
      const range = pane.rangeOf(mark)
      if (range) marks.set(mark.id, { at, top: topOf(range) + view.scrollY })
    }
    this.#tell(marks)
    this.#instead?.lay(this.#boxes())
  }

  /** What the marks cover of the page, with what is drawn of them. */
  #boxes(): DOMRect[] {
    const { drawn, pane, view } = this.#shown!
    return this.#marks.flatMap((mark) => {
      const placed = [pane.rangeOf(mark), ...(drawn.parts.get(mark.id)?.put ?? [])]
      return placed.flatMap((one) =>
        [...(one?.getClientRects() ?? [])].map(
          ({ left, top, width, height }) => new DOMRect(left, top + view.scrollY, width, height),
        ),
      )
    })
  }

  #tell(marks: MarkPlaces['marks'] = this.#places.marks): void {
    const { view } = this.#shown ?? {}
    if (!view) return
    this.#places = { marks, view: { top: view.scrollY, bottom: view.scrollY + view.innerHeight } }
    for (const listener of this.#listeners) listener(this.#places)
  }

  /** Whether it can be seen in the text that is shown. */
  has(id: string): boolean {
    return this.#marks.some((mark) => mark.id === id)
  }

  get hasFocus(): boolean {
    return document.activeElement === this.#frame() || document.activeElement === this.scroller
  }

  focus(): void {
    // What scrolls the page has the keyboard where keys in the page aren’t heard.
    const reading = this.#instead ? this.scroller : this.#frame()
    reading.focus({ preventScroll: true })
  }

  followMarks(listener: (places: MarkPlaces) => void): () => void {
    this.#listeners.add(listener)
    listener(this.#places)
    return () => this.#listeners.delete(listener)
  }

  revealMark(id: string): void {
    const { drawn, pane, view } = this.#shown ?? {}
    const mark = this.#marks.find((one) => one.id === id)
    const range = mark && pane?.rangeOf(mark)
    if (!range || !view) return
    openAround(range)
    const end = (toastsTop() ?? Infinity) - this.#frame().getBoundingClientRect().top
    bringIntoView(view, boxOf([range, ...(drawn?.parts.get(id)?.put ?? [])]), end)
  }

  // Nothing is begun here, and all that is seen has its mark.
  placeOf(): null {
    return null
  }
  selectedPlace(): null {
    return null
  }

  makeRoomBelow(): () => void {
    const { page, view } = this.#shown ?? {}
    if (!page || !view) return () => undefined
    const usual = parseFloat(view.getComputedStyle(page.body).paddingBottom)
    const scroller = page.documentElement
    return roomBelow(page.body, '--below-text', { scroller, usual, room: 0.8 * innerHeight })
  }
}
