import { tick, untrack } from 'svelte'
import { MediaQuery } from 'svelte/reactivity'
import { alternativesOf } from '../feedback/alternatives.ts'
import type { Mark } from '../../server/contract/records/rendering.ts'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { besideText, onBothSides } from '../ui/widths.ts'
import { isMutation } from '../feedback/message.ts'
import { bringIntoView, keepAboveNotice } from './bring-into-view.ts'
import { hasWords } from './outbox/entry.ts'
import type { Outbox } from './outbox/outbox.svelte.ts'
import type { PlacedFeedback } from './placed-feedback.svelte.ts'
import { onPage, type Passage } from '../reading/points.ts'
import type { ShownText } from './shown-text.svelte.ts'
import type { TextEditing } from './text-editing.svelte.ts'
import type { Chosen } from './text-pane.ts'

/** The card in which a new comment is written, in the margin. */
export const newCard = 'new'
/** The card in which a suggestion is written, in the margin. */
export const newSuggestion = 'suggest'

interface CardsOptions {
  /** Whether the page has been one to comment on. Others mostly have no cards. */
  commentable: () => boolean
  text: ShownText
  outbox: Outbox
  feedback: () => PlacedFeedback
  editing: TextEditing
}

/** The cards beside the text or over it: which there are, which one is looked at, and where it stands. */
export class Cards {
  /** The thread or suggestion looked at. */
  activeId = $state<string | null>(null)
  listOpen = $state(false)
  /** What in the list it was opened for; null once that is shown. */
  sought = $state<string | null>(null)
  /** Whether the one that is looked at stands over the page, where there is no margin for it. */
  opened = $state(false)
  /** Which suggestion is being given a reason. */
  reasoned = $state<string | null>(null)
  #covers = $state(0)
  /**
   * Whether threads stand beside the text. A page that can’t be commented on keeps its text in the middle until there
   * is room on both sides.
   */
  readonly withMargin: { readonly current: boolean }
  readonly #text: ShownText
  readonly #outbox: Outbox
  readonly #feedbackNow: () => PlacedFeedback
  readonly #editing: TextEditing

  /**
   * What arrived from this page and has no mark in the text that is shown, since the server has another: with its words,
   * where they stand here.
   */
  readonly #unmarked = $derived.by(() => {
    const { arrivals, marks, openThreads, pending } = this.#feedback
    const marked = new Set(marks.map(({ id }) => id))
    void this.#text.revision
    const placed = openThreads.filter(({ place }) => place !== 'document')
    return [...placed, ...pending].flatMap(({ id }) => {
      const place = marked.has(id) ? undefined : arrivals.get(id)
      return place === undefined ? [] : { id, standing: place && this.#text.pane.standing(place) }
    })
  })
  /** Those of them whose words aren’t in the text that is shown. */
  readonly unplaced = $derived(this.#unmarked.flatMap(({ id, standing }) => (standing ? [] : id)))

  /** What has a card beside the text, where it has a place in it: open threads, pending suggestions, and decided ones of which there is to tell. */
  readonly #carded = $derived.by(() => {
    const { decided, openThreads, pending } = this.#feedback
    return new Set([...openThreads, ...pending, ...decided].map(({ id }) => id))
  })

  /** The marks to draw: those of open threads, pending suggestions, and decided ones of which there is to tell. */
  readonly shownMarks = $derived.by((): readonly Mark[] => {
    const { marks, pending } = this.#feedback
    const suggestions = new Set(pending.map(({ id }) => id))
    return [
      ...marks.filter(({ id }) => this.#carded.has(id) || id === this.activeId),
      ...this.#unmarked.flatMap(({ id, standing }) =>
        standing
          ? {
              id,
              kind: suggestions.has(id) ? ('suggestion' as const) : ('comment' as const),
              from: standing.from,
              to: standing.to,
            }
          : [],
      ),
    ]
  })

  /** Open threads, then pending suggestions, whose words or place are gone: their cards stand behind all others. */
  readonly gone = $derived.by((): readonly string[] => {
    const { openThreads, pending } = this.#feedback
    const shown = new Set([...this.shownMarks.map(({ id }) => id), ...this.unplaced])
    const gone = [
      ...openThreads.filter(({ place }) => place === 'detached'),
      ...pending.filter(({ range }) => range === null),
    ]
    return gone.flatMap(({ id }) => (shown.has(id) ? [] : id))
  })

  /** Of several suggestions for the very same words those that stand on one card. */
  readonly #groups = $derived.by(() => {
    const groups = new Map<string, readonly Suggestion[]>()
    for (const group of alternativesOf(this.#feedback.pending))
      if (group.length > 1) for (const { id } of group) groups.set(id, group)
    return groups
  })

  /** What can be gone through in the text, one after the other: the marks as they stand. */
  readonly walk = $derived.by(() => {
    const edited = this.#editing.feedback
    const first = onPage(this.#text.pane.element)
    // What was settled just now may still be drawn, while it is looked at: it has no card beside the text any more.
    const marks = this.shownMarks
      .filter(({ id }) => this.#carded.has(id))
      .sort((a, b) => first(a.from, b.from))
    const placed = edited?.ids ?? marks.map(({ id }) => id)
    return placed.filter((id) => this.cardOf(id) === id)
  })
  readonly #whole = $derived(
    this.#feedback.openThreads.flatMap(({ id, place }) => (place === 'document' ? id : [])),
  )

  /** Whether it stands on the page by itself: in the text, or above it. */
  isOnPage(id: string): boolean {
    return this.walk.includes(this.cardOf(id)) || this.#whole.includes(id)
  }

  /**
   * What waits in the outbox, or was suggested by typing, and stands by itself: replies stand with what they answer, and changes with what they change,
   * where that is there.
   */
  readonly waiting = $derived.by(() => {
    const { said, suggestions, threads } = this.#feedback
    const comments = new Set(said.map(({ id }) => id))
    const answerable = new Set([...threads, ...suggestions].map(({ id }) => id))
    const alone = this.#outbox.entries.filter((entry) => {
      if (isMutation(entry))
        return hasWords(entry) && !comments.has(entry.target) && !answerable.has(entry.target)
      return entry.kind === 'suggestion' || !entry.body.parent_id || !answerable.has(entry.body.parent_id)
    })
    const { left, open, waiting } = this.#editing
    const typed = (open ? waiting : left).map(({ entry }) => entry).filter((entry) => !isMutation(entry))
    return [...alone, ...typed]
  })
  /** Their words, as they stand in the text that is shown. */
  readonly waitingPlaces = $derived.by(() => {
    const places = new Map<string, Chosen>()
    void this.#text.revision
    for (const entry of this.waiting) {
      if (isMutation(entry)) continue
      const { key, place } = entry
      const now = place && this.#text.pane.standing(place)
      if (now) places.set(key, now)
    }
    return places
  })

  constructor({ commentable, text, outbox, feedback, editing }: CardsOptions) {
    this.#text = text
    this.#outbox = outbox
    this.#feedbackNow = feedback
    this.#editing = editing
    const [beside, both] = [new MediaQuery(besideText), new MediaQuery(onBothSides)]
    this.withMargin = {
      get current() {
        return commentable() ? beside.current : both.current
      },
    }
  }

  get #feedback(): PlacedFeedback {
    return this.#feedbackNow()
  }

  /** Whether something covers the page. */
  get covered(): boolean {
    return this.#covers > 0
  }

  /** Says that something covers the page; answers what says that it no longer does. */
  cover(): () => void {
    untrack(() => this.#covers++)
    return () => void this.#covers--
  }

  /** Those for the very same words as a suggestion, it among them; none where it is the only one. */
  groupOf(id: string | null): readonly Suggestion[] {
    return this.#groups.get(id ?? '') ?? []
  }

  /** On whose card it stands: its own, or that of the first for the same words. */
  cardOf(id: string): string {
    return this.groupOf(id)[0]?.id ?? id
  }

  /** Whether it has a card behind all that have a place beside the text. */
  #isGone(id: string): boolean {
    return this.gone.includes(id)
  }

  /** Which of those on one card is shown: the one looked at, or the first. */
  shownOn(card: string): string {
    return this.activeId !== null && this.cardOf(this.activeId) === card ? this.activeId : card
  }

  /** Whether an id is that of a suggestion, sent or waiting. */
  isSuggestion(id: string): boolean {
    return (
      this.#feedback.suggestions.some((one) => one.id === id) ||
      this.waiting.some(({ key, kind }) => key === id && kind === 'suggestion')
    )
  }

  /** What the one that is looked at is called where it stands over the page; null once there is no such one. */
  readonly sheet = $derived.by(() => {
    const id = this.activeId
    if (!this.opened || id === null) return null
    if (this.isSuggestion(id)) return 'Suggestion'
    const ids = [...this.#feedback.threads.map((one) => one.id), ...this.waiting.map(({ key }) => key)]
    return ids.includes(id) ? 'Comment' : null
  })

  /** How many are open, or wait to be delivered. */
  readonly open = $derived.by(() => {
    const waiting = this.waiting.filter(({ kind }) => kind === 'suggestion').length
    return {
      comments: this.#feedback.openThreads.length + this.waiting.length - waiting,
      suggestions: this.#feedback.pending.length + waiting,
    }
  })

  /** Which of how many a card has, counting each suggestion for the same words; null where it isn’t gone through. */
  countOf(id: string): string | null {
    const sizes = this.walk.map((one) => this.groupOf(one).length || 1)
    const at = this.walk.indexOf(this.cardOf(id))
    if (at < 0) return null
    const sum = (some: readonly number[]) => some.reduce((all, one) => all + one, 0)
    const before = sum(sizes.slice(0, at))
    const [first, last] = [before + 1, before + sizes[at]!]
    const { openThreads, pending } = this.#feedback
    // Others have no place in it, and are in the list alone.
    const isPart = [...openThreads, ...pending].some((one) => !this.walk.includes(this.cardOf(one.id)))
    return `${first}${last > first ? `–${last}` : ''} of ${sum(sizes)}${isPart ? ' in the text' : ''}`
  }

  /** Puts away what is looked at, for something new. */
  putAway(): void {
    this.activeId = null
    this.opened = false
  }

  /** Makes a thread or suggestion the one looked at; `reveal` brings its words into view. */
  activate(id: string | null, { reveal = false } = {}): void {
    if (id === null) return this.putAway()
    this.activeId = id
    this.#feedback.decisions.see(id)
    if (reveal) void this.#revealCard(id)
  }

  /** Opens a thread or suggestion at its words, and goes there with the keyboard, too. */
  async goTo(id: string, focused = ''): Promise<void> {
    // What has no place in the text is shown in the list: a card behind all others may stand far below the text.
    this.listOpen = !this.#editing.open && this.withMargin.current && !this.isOnPage(id)
    this.sought = this.listOpen ? id : null
    this.opened = true
    this.activate(id)
    await tick()
    if (this.listOpen) return goToListed(id)
    const card = document.querySelector<HTMLElement>(`[data-item="${id}"]`)
    const part = focused ? card?.querySelector<HTMLElement>(focused) : null
    ;(part ?? card)?.focus({ preventScroll: true })
    await this.#revealCard(id)
  }

  /** The thread or suggestion after or before the one that is looked at; from none, the first or last. */
  step(by: 1 | -1): void {
    const { walk } = this
    if (walk.length === 0) return
    const at = walk.indexOf(this.cardOf(this.activeId ?? ''))
    const next = at < 0 ? (by > 0 ? 0 : walk.length - 1) : (at + by + walk.length) % walk.length
    void this.goTo(walk[next]!, `[data-step="${by}"]`)
  }

  /** Brings the words back into view of what is looked at, when something has come over them. */
  keepInView(): void {
    if (this.activeId !== null) void this.#revealCard(this.activeId)
  }

  /** Moves the words of what is looked at above a notice, where it would cover them. */
  keepAboveNotice(): void {
    const edited = this.#editing.feedback
    if (edited) return edited.keepAboveNotice()
    const id = this.activeId
    const passage = id === null ? null : this.#passageOf(id)
    const words = passage && this.#text.pane.boundsOf(passage)
    if (!words) return
    const put = [...this.#text.pane.element.querySelectorAll(`[data-suggestion="${id}"]`)]
    const bottoms = put.map((one) => one.getBoundingClientRect().bottom)
    keepAboveNotice({ top: words.top, bottom: Math.max(words.bottom, ...bottoms) })
  }

  #revealCard(id: string): Promise<void> {
    const edited = this.#editing.feedback
    if (edited) return Promise.resolve(edited.reveal(id))
    return this.reveal(this.#passageOf(id), this.cardOf(id))
  }

  #passageOf(id: string): Passage | null {
    return this.shownMarks.find((mark) => mark.id === id) ?? this.waitingPlaces.get(id) ?? null
  }

  /** Brings a passage of the text into view, and the card that stands beside it. */
  async reveal(passage: Passage | null, card: string): Promise<void> {
    const { pane } = this.#text
    const range = passage && pane.rangeOf(passage)
    for (let at = range?.startContainer.parentElement; at && at !== pane.element; at = at.parentElement)
      if (at instanceof HTMLDetailsElement) at.open = true
    // What opens for it has its place on the page only then.
    await tick()
    await bringIntoView(() => {
      const words = passage && pane.boundsOf(passage)
      const beside = cardRect(card, this.#isGone(card))
      if (!words || !beside) return words || beside
      const top = Math.min(words.top, beside.top)
      return new DOMRect(words.x, top, words.width, Math.max(words.bottom, beside.bottom) - top)
    })
  }
}

/** Goes to a card of the list once it is drawn: what draws suggestions may have to be loaded first. */
async function goToListed(id: string): Promise<void> {
  const find = () => document.querySelector<HTMLElement>(`dialog[open] [data-item="${id}"]`)
  for (let frame = 0; frame < 90 && !find(); frame++) await new Promise(requestAnimationFrame)
  find()?.focus({ preventScroll: true })
  find()?.scrollIntoView({ block: 'center' })
}

/** Where a card in the margin stands, or is on its way to if it has a place beside the text. */
function cardRect(id: string, isGone: boolean): DOMRect | null {
  const card = document.querySelector<HTMLElement>(`.margin [data-place="${id}"]`)
  if (!card) return null
  const now = card.getBoundingClientRect()
  if (isGone) return now
  const { left, width, height } = now
  const top = card.offsetParent!.getBoundingClientRect().top + parseFloat(card.style.top)
  return new DOMRect(left, top, width, height)
}
