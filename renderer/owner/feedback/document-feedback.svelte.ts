import { placeless } from '../../feedback/placeless.ts'
import { untrack } from 'svelte'
import type { DocumentSession } from '../../editor/document-session.ts'
import { Suggester } from '../../editor/suggesting/suggester.svelte.ts'
import { AtOnce } from '../../feedback/at-once.ts'
import { FeedbackDrafts } from '../../feedback/feedback-drafts.ts'
import { Feedback } from '../../feedback/feedback.svelte.ts'
import { LeftWords } from '../../feedback/left-words.svelte.ts'
import { repliesTo } from '../../feedback/replies.ts'
import { explain } from '../explain.ts'
import { Comments, newComment } from './comments.svelte.ts'
import { Guests } from './guests.svelte.ts'
import { quoteOf } from '../../feedback/threads.ts'
import { copyText } from '../../ui/copy-text.ts'
import type { Notify } from '../../ui/notice.ts'
import { showNotice } from '../notice-toast.ts'
import { sayingSilence } from '../say-silence.svelte.ts'
import { Suggestions } from './suggestions.svelte.ts'
import { Versions } from '../versions/versions.svelte.ts'
import type { DocumentNews } from '../../api/document-news.ts'
import { watch, type Page } from '../../api/watch.ts'

export type FeedbackTab = 'comments' | 'suggestions' | 'versions'

/** Shows a thread or suggestion in its tab; `focus` says that the keyboard goes there, too. */
type Opener = (tab: 'comments' | 'suggestions', id: string, focus: boolean) => void

const started = new WeakMap<DocumentSession, DocumentFeedback>()

/** Everything that is said about one open document, kept as long as the document is open. */
export class DocumentFeedback {
  readonly session: DocumentSession
  readonly guests: Guests
  readonly comments: Comments
  readonly suggestions: Suggestions
  readonly versions: Versions
  /** What was begun on cards that are gone. */
  readonly left: LeftWords
  readonly #openers = new Set<Opener>()
  readonly #feedback: Feedback
  readonly #page: Page | undefined
  readonly #seen = { comments: '', suggestions: '' }
  #users = 0
  #stop = () => {}

  constructor(session: DocumentSession, notify: Notify, page?: Page) {
    this.session = session
    this.#page = page
    const feedback: Feedback = feedbackAtOnce(session, notify, undefined, (id) => this.open(id, true))
    this.#feedback = feedback
    this.left = new LeftWords(feedback)
    this.guests = new Guests(session, feedback, () =>
      Promise.all([this.comments.load(), this.suggestions.load()]),
    )
    this.comments = new Comments(session, feedback, this.guests)
    this.suggestions = new Suggestions(session, feedback, this.guests)
    this.versions = new Versions(session, notify)
  }

  /**
   * Keeps comments and suggestions up to date and marked in the text, as long as somebody who called this hasn’t
   * called the returned function. `onOpen` is told which tab shows a mark that was clicked.
   */
  start(onOpen?: Opener): () => void {
    if (onOpen) this.#openers.add(onOpen)
    // Whoever starts this in an effect doesn't mean to start anew with each change of the document.
    if (this.#users++ === 0) this.#stop = untrack(() => this.#run())
    return () => {
      if (onOpen) this.#openers.delete(onOpen)
      if (--this.#users === 0) this.#stop()
    }
  }

  /** Has the server remember that what a tab shows was seen, as far as it is others’ and new. */
  see(tab: FeedbackTab): void {
    if (tab === 'versions') return
    const shown =
      tab === 'comments'
        ? this.comments.shown.flatMap(({ root, replies }) => [root, ...replies])
        : this.suggestions.shown.flatMap((suggestion) => [suggestion, ...repliesTo(suggestion)])
    const newest = shown
      .filter(({ mine }) => !mine)
      .reduce((last, { created_at }) => (created_at > last ? created_at : last), this.#seen[tab])
    const before = this.#seen[tab]
    if (newest === before) return
    this.#seen[tab] = newest
    const { api, document } = this.session
    api
      .call('markFeedbackSeen', { params: { id: document.id }, body: { [tab]: newest } })
      // Said again with whatever comes next; until then it stands there as new.
      .catch(() => (this.#seen[tab] = before))
  }

  /** What makes suggestions of what the owner types in the text. */
  suggester(): Suggester {
    const { suggestionList, notify } = this.#feedback
    return (this.suggestions.suggester = new Suggester({
      saved: () => this.session.saveNow(),
      api: this.session.api,
      documentId: this.session.document.id,
      list: suggestionList,
      signature: () => ({}),
      load: () => this.suggestions.load(),
      onMade: (name, id) => this.suggestions.isMade(name, id),
      onRefused: (words, reason) =>
        notify({
          kind: 'error',
          text: `A suggestion from before couldn’t be made: ${reason}.`,
          action: { label: 'Copy its words', run: () => void copyText(words) },
        }),
      onRejected: (words) =>
        notify({ kind: 'info', text: `“${quoteOf(words, 60)}” was rejected. What you typed since stays.` }),
    }))
  }

  /** What can be gone through in the text, in its order: open threads and what can be decided. */
  readonly walk = $derived.by(() => {
    const threads = this.comments.threads.filter(({ place, resolved }) => place === 'words' && !resolved)
    return [
      ...threads.map(({ id, root }) => ({ id, range: root.range! })),
      ...this.suggestions.groups.map(([one]) => ({ id: one!.id, range: one!.range! })),
    ].sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end)
  })

  /** The tab to open instead of one that has nothing open while the other has. */
  openTab(tab: FeedbackTab): FeedbackTab {
    const [comments, suggestions] = [this.comments.open > 0, this.suggestions.pending.length > 0]
    if (tab === 'comments' && !comments && suggestions) return 'suggestions'
    return tab === 'suggestions' && !suggestions && comments ? 'comments' : tab
  }

  /** Whether a thread or suggestion that is yet to be settled, or made, stands on words of the text. */
  isPlaced(id: string): boolean {
    const isOpen = this.comments.threads.some(
      (thread) => thread.id === id && thread.place === 'words' && !thread.resolved,
    )
    const { applicable, waiting } = this.suggestions
    return isOpen || applicable.some((one) => one.id === id) || waiting.some(({ name }) => name === id)
  }

  /** The one looked at. */
  get activeId(): string | null {
    return this.comments.activeId ?? this.suggestions.activeId
  }

  /** Begins a comment on the whole document with these words, in the list; false where another is begun. */
  composeWith(body: string): boolean {
    if (!this.comments.composeWith(body)) return false
    for (const open of this.#openers) open('comments', newComment, false)
    return true
  }

  /** Makes a thread or suggestion the one looked at, and no other. */
  choose(id: string | null): void {
    const isThread = this.comments.threads.some((thread) => thread.id === id)
    this.comments.activate(isThread ? id : null)
    this.suggestions.activate(isThread ? null : id)
  }

  /** Goes to the next or the one before, round and round, in the text and with the keyboard. */
  step(by: 1 | -1): void {
    const { walk } = this
    const group = this.suggestions.groups.find((all) => all.some(({ id }) => id === this.activeId))
    const at = walk.findIndex(({ id }) => id === (group?.[0]?.id ?? this.activeId))
    const next = walk[at < 0 ? (by > 0 ? 0 : walk.length - 1) : (at + by + walk.length) % walk.length]
    const left = this.comments.open + this.suggestions.pending.length
    if (next) this.open(next.id, true)
    else if (left > 0) this.#feedback.notify({ kind: 'info', text: placeless(left) })
  }

  /** Shows a thread or suggestion where what is said shows; `focus` says that the keyboard goes there, too. */
  open(id: string, focus = false): void {
    const isThread = this.comments.threads.some((thread) => thread.id === id)
    this.#show(isThread ? 'comments' : 'suggestions', id, focus)
  }

  #show(tab: 'comments' | 'suggestions', id: string, focus: boolean): void {
    this.comments.activate(tab === 'comments' ? id : null)
    this.suggestions.activate(tab === 'suggestions' ? id : null)
    for (const open of this.#openers) open(tab, id, focus)
  }

  #run(): () => void {
    const { session, comments, suggestions } = this
    const look = (news: readonly DocumentNews[] | null) => {
      const wanted = this.#feedback.wanted(news)
      return Promise.all([comments.load(wanted.comments), suggestions.load(wanted.suggestions)])
    }
    const stopWatching = watch(look, {
      page: this.#page,
      news: session.onNews,
      // Where many write, places change without end.
      rest: 1_000,
      ...(session.pollEvery ? { every: session.pollEvery } : {}),
    })
    const stopMarks = $effect.root(() => {
      let shown = ''
      $effect(() => {
        const marks = [...comments.marks, ...suggestions.marks]
        // Each look at the server makes new lists; the same marks again would only cost the editor work.
        const described = JSON.stringify(marks)
        if (described === shown) return
        shown = described
        untrack(() => session.setMarks(marks))
      })
    })
    const stopClicks = session.onMarkClick(({ id, kind }) => {
      if (id === newComment) return
      this.#show(kind === 'comment' ? 'comments' : 'suggestions', id, false)
    })
    return () => {
      stopWatching()
      stopMarks()
      stopClicks()
    }
  }
}

/** What is said of an open document, sent as it is said. */
export const feedbackAtOnce = (
  { api, document, answers }: DocumentSession,
  notify: Notify,
  drafts = new FeedbackDrafts(document.id),
  onShow: (id: string) => void = () => undefined,
): Feedback =>
  new Feedback({
    ...{ delivery: new AtOnce(api, document.id), drafts, notify, explain, onShow },
    ...(answers && { whileSilent: (ask, ...words) => sayingSilence(answers, ask, ...words) }),
  })

/** The feedback of an open document: the same one each time, so that closing the pane forgets nothing. */
export function feedbackOf(session: DocumentSession, notify: Notify = showNotice): DocumentFeedback {
  const known = started.get(session)
  if (known) return known
  const feedback = new DocumentFeedback(session, notify)
  started.set(session, feedback)
  return feedback
}
