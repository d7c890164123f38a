import { EditorView } from '@codemirror/view'
import { untrack } from 'svelte'
import type { TextMark } from '../editor/document-session.ts'
import type { Editor } from '../editor/editor.ts'
import { SuggestionMarks } from '../feedback/suggestion-marks.ts'
import { revisionNow, selectionAnchor, tooMuchSelected } from '../editor/selection-anchor.ts'
import type { openSession } from './editing.svelte.ts'
import type { Reader } from './reader.svelte.ts'
import type { Subject } from './subject.ts'
import type { EditedFeedback } from './text-editing.svelte.ts'

/** Marks what is said in the text that is edited, and finds what is to be said there. */
export class EditedMarks implements EditedFeedback {
  readonly #reader: Reader
  readonly #session: Awaited<ReturnType<typeof openSession>>
  readonly #editor: Editor
  readonly #suggestionMarks = new SuggestionMarks()

  /** Those that stand on words of the text. */
  readonly threads = $derived.by(() => this.#reader.feedback.openThreads.filter(({ root }) => root.range))
  readonly suggestions = $derived.by(() => this.#reader.feedback.pending.filter(({ range }) => range))
  readonly #marks = $derived.by((): TextMark[] => {
    const { feedback, cards, editing } = this.#reader
    const comments = this.threads.flatMap(({ id, root: { range } }): TextMark[] => {
      const revision = feedback.commentList.placedIn(id)
      return range ? [{ id, kind: 'comment', range, revision, active: id === cards.activeId }] : []
    })
    const placedIn = (id: string) => feedback.suggestionList.placedIn(id)
    // Whoever suggests in the text sees there what they suggest themselves.
    const others = this.suggestions.filter(({ mine }) => !mine || editing.way !== 'suggesting')
    const hidden = new Set(others.flatMap(({ id }) => (this.#isShown(id) ? [] : id)))
    const suggestions = this.#suggestionMarks.of(others, { placedIn, activeId: cards.activeId, hidden })
    return [...comments, ...suggestions]
  })
  readonly #colours = $derived(
    new Map(this.#marks.flatMap(({ id, suggestion }) => (suggestion ? [[id, suggestion.colour]] : []))),
  )
  readonly ids = $derived(
    [...this.threads.map(({ id, root: { range } }) => ({ id, range })), ...this.suggestions]
      .sort((a, b) => a.range!.start - b.range!.start)
      .map(({ id }) => id),
  )

  constructor(reader: Reader, session: Awaited<ReturnType<typeof openSession>>, editor: Editor) {
    this.#reader = reader
    this.#session = session
    this.#editor = editor
  }

  /** Of several for the same words the text shows one: that which is looked at, what one types oneself, or the first. */
  #isShown(id: string): boolean {
    const { cards, editing } = this.#reader
    const group = cards.groupOf(id)
    if (group.length === 0) return true
    const isLookedAt = group.some((one) => one.id === cards.activeId)
    if (!isLookedAt && editing.way === 'suggesting' && group.some(({ mine }) => mine)) return false
    return cards.shownOn(cards.cardOf(id)) === id
  }

  /** In which a suggestion is drawn in the text. */
  colourOf(id: string): number | undefined {
    return this.#colours.get(id)
  }

  /** Whether what is said stands beside words of the text. */
  isPlaced(id: string): boolean {
    const isWaiting = this.#reader.editing.waiting.some(({ entry }) => entry.key === id)
    return isWaiting || [...this.threads, ...this.suggestions].some((one) => one.id === id)
  }

  /** Keeps the marks as they are by now, and looks at one that was clicked. Returns what stops it. */
  start(): () => void {
    const stopMarks = $effect.root(() => {
      $effect(() => {
        const marks = this.#marks
        untrack(() => this.#session.setMarks(marks))
      })
    })
    const stopClicks = this.#session.onMarkClick(({ id }) => {
      const { cards } = this.#reader
      cards.opened = true
      cards.activate(id)
    })
    return () => {
      stopMarks()
      stopClicks()
    }
  }

  reveal(id: string): void {
    const own =
      this.#reader.editing.way === 'suggesting' ? this.suggestions.find((one) => one.id === id) : null
    if (!own?.mine) return this.#editor.revealMark(id)
    // It is drawn as it was typed, and has no mark.
    const { places, view } = this.#editor
    const at = Math.min(places.toShown(own.range!.start), view.state.doc.length)
    view.dispatch({ effects: EditorView.scrollIntoView(at, { y: 'nearest', yMargin: 96 }) })
  }

  keepAboveNotice(): void {
    this.#editor.keepAboveToasts()
  }

  makeRoomBelow(): () => void {
    return this.#editor.makeRoomBelow()
  }

  subject(): Subject | null {
    const anchor = selectionAnchor(this.#session)
    if (anchor === 'too much') {
      this.#reader.notices.say(tooMuchSelected, true)
      return null
    }
    const subject: Subject = { chosen: null, anchor, words: anchor?.exact ?? '' }
    if (anchor)
      void revisionNow(this.#session).then((revision) => {
        if (revision !== null) subject.anchor = { ...anchor, revision }
      })
    return subject
  }

  save(): Promise<void> {
    return this.#session.saveNow().catch(() => undefined)
  }
}
