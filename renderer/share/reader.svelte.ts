import { tick } from 'svelte'
import { MediaQuery } from 'svelte/reactivity'
import type { Anchor, Comment, Mark, RenderedDocument, Suggestion } from '../../server/contract/records.ts'
import { ApiError, createCaller, type ApiClient } from '../api/caller.ts'
import { Drafts } from '../review/drafts.ts'
import { threadsOf, type Thread } from '../review/threads.ts'
import { explain } from './explain.ts'
import type { SharePage } from './share-page.ts'
import { shareRoutes, type ShareRoute } from './share-routes.ts'
import type { Chosen, TextPane } from './text-pane.ts'

/** What is being written about: a passage, or the whole document. */
export interface Subject {
  chosen: Chosen | null
  /** The anchor, once it is known. */
  anchor: Anchor | null
  /** The words as they are shown, or were when the draft was begun. */
  words: string
}

const nameKey = 'galley.guest-name'

/** The share page as its reader has it: the comments, what is being written, and whether the link still works. */
export class Reader {
  readonly page: SharePage
  readonly pane: TextPane
  readonly api: ApiClient<ShareRoute>
  readonly drafts: Drafts
  readonly canComment: boolean
  readonly canEdit: boolean
  /**
   * Whether threads stand beside the text. A page that can’t be commented on mostly has none, and keeps its text in the
   * middle until there is room on both sides. `viewer.css` has the same numbers.
   */
  readonly withMargin: MediaQuery

  /** `lost`: the server can’t be reached. `dead`: the link no longer opens anything. */
  link = $state<'works' | 'lost' | 'dead'>('works')
  revision = $state(0)
  latest = $state(0)
  comments = $state.raw<readonly Comment[]>([])
  suggestions = $state.raw<readonly Suggestion[]>([])
  marks = $state.raw<readonly Mark[]>([])
  loaded = $state(false)
  activeId = $state<string | null>(null)
  chosen = $state.raw<Chosen | null>(null)
  composing = $state.raw<Subject | null>(null)
  suggesting = $state.raw<Subject | null>(null)
  listOpen = $state(false)
  editing = $state(false)
  /** The source offset that was at the top of the window when editing began. */
  place = 0
  #scrolledTo = 0
  name = $state('')
  /** Said aloud, and shown for a while. */
  notice = $state.raw<{ text: string; error: boolean } | null>(null)

  readonly threads = $derived<Thread[]>(threadsOf(this.comments))
  readonly openThreads = $derived(this.threads.filter((thread) => !thread.resolved))
  readonly pending = $derived(this.suggestions.filter(({ status }) => status === 'pending'))
  readonly changed = $derived(this.latest > this.revision && !this.editing)
  /** The marks to draw: those of open threads and pending suggestions. */
  readonly shownMarks = $derived.by(() => {
    const shown = new Set([...this.openThreads, ...this.pending].map(({ id }) => id))
    return this.marks.filter(({ id }) => shown.has(id) || id === this.activeId)
  })

  constructor(
    page: SharePage,
    pane: TextPane,
    api = createCaller(shareRoutes, { base: '..', shareToken: page.token }),
  ) {
    this.page = page
    this.pane = pane
    this.api = api
    this.drafts = new Drafts(page.documentId)
    this.canComment = page.permission !== 'view'
    this.canEdit = page.permission === 'edit'
    this.withMargin = new MediaQuery(this.canComment ? 'min-width: 64rem' : 'min-width: 82rem')
    this.revision = this.latest = page.revision
    this.name = recall(nameKey)
    const begun = this.canComment ? this.drafts.find('new') : null
    if (begun) {
      this.composing = { chosen: null, anchor: begun.anchor ?? null, words: begun.anchor?.exact ?? '' }
    }
  }

  get #params() {
    return { id: this.page.documentId }
  }

  /** Asks what has changed. Rejects when no answer comes. */
  async look(): Promise<void> {
    if (this.link === 'dead') return
    await this.#attempt(async () => {
      const params = this.#params
      const [{ revision, marks }, comments, suggestions] = await Promise.all([
        this.api.call('listMarks', { params }),
        this.api.call('listComments', { params }),
        this.canComment ? this.api.call('listSuggestions', { params }) : [],
      ])
      this.latest = Math.max(this.latest, revision)
      // Marks count in the text of their own revision; those of another would stand on the wrong words.
      if (revision === this.revision) this.marks = marks
      this.comments = comments
      this.suggestions = suggestions
      this.loaded = true
    })
  }

  /** Shows the text as it is now, with the reader’s place kept. */
  async show(): Promise<void> {
    try {
      const rendered = await this.#attempt(() => this.api.call('renderDocument', { params: this.#params }))
      this.take(rendered)
      await this.look()
    } catch (error) {
      this.fail(error, 'show the new text')
    }
  }

  take(rendered: RenderedDocument): void {
    this.pane.replace(rendered.html, rendered.revision)
    this.revision = rendered.revision
    this.latest = Math.max(this.latest, rendered.revision)
    this.marks = []
    this.chosen = null
    showFacts(rendered)
  }

  edit(): void {
    this.place = this.pane.topOffset()
    this.#scrolledTo = scrollY
    this.chosen = null
    this.composing = null
    this.editing = true
  }

  /** Goes back to reading, at a source offset of the text as it is now; null for where reading was left. */
  async endEditing(offset: number | null): Promise<void> {
    try {
      this.take(await this.#attempt(() => this.api.call('renderDocument', { params: this.#params })))
    } catch (error) {
      this.fail(error, 'show the new text')
    }
    this.editing = false
    // The text has no place on the page before it is shown again.
    await tick()
    if (offset === null) scrollTo({ top: this.#scrolledTo, behavior: 'instant' })
    else this.pane.showOffset(offset)
    await this.look().catch(() => undefined)
  }

  /** Starts a comment on what is selected, or else on the whole document. Words begun before are kept. */
  compose(): void {
    this.composing = this.#subject(this.#selected())
    this.activeId = null
    this.listOpen = false
    this.#locateAhead(this.composing)
  }

  suggest(): void {
    const chosen = this.#selected()
    if (!chosen) return
    this.suggesting = this.#subject(chosen)
  }

  /** What is selected at this moment; `chosen` follows a little later, and is what is left where a tap unselects. */
  #selected(): Chosen | null {
    return this.pane.chosen() ?? this.chosen
  }

  #subject(chosen: Chosen | null): Subject {
    return { chosen, anchor: null, words: chosen?.words ?? '' }
  }

  /** The anchor is found at once, so that it holds however long the writing takes; if that fails it is found on sending. */
  #locateAhead(subject: Subject): void {
    this.anchorOf(subject).catch((error: unknown) => {
      if (error instanceof WordsGone && this.composing === subject) this.#loseWords(subject)
    })
  }

  #loseWords(subject: Subject): void {
    this.composing = { ...subject, chosen: null, anchor: null }
    this.say('The text has changed, and the words you chose are gone. What you wrote is kept.', true)
  }

  /**
   * The anchor of what is written about; null for the whole document. When the text has changed since, the new text is
   * shown and the same words are looked for in it. Rejects with `WordsGone` if they aren’t there.
   */
  async anchorOf(subject: Subject): Promise<Anchor | null> {
    if (subject.anchor || !subject.chosen) return subject.anchor
    for (let attempt = 0; ; attempt++) {
      if (subject.chosen.revision !== this.revision) {
        const again = this.pane.findAgain(subject.chosen)
        if (!again) throw new WordsGone()
        subject.chosen = again
      }
      const { revision, from, to }: Chosen = subject.chosen
      try {
        const body = { revision, from, to }
        const located = await this.#attempt(() => this.api.call('locate', { params: this.#params, body }))
        return (subject.anchor = located.anchor)
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'PRECONDITION_FAILED' || attempt === 3) throw error
        this.take(await this.#attempt(() => this.api.call('renderDocument', { params: this.#params })))
      }
    }
  }

  /** Sends a new comment. False when it couldn’t be sent; its words are kept. */
  async send(body: string, subject: Subject): Promise<boolean> {
    try {
      const anchor = await this.anchorOf(subject)
      const sent = await this.#create({ body: body.trim(), anchor })
      this.drafts.drop('new')
      this.composing = null
      this.activeId = sent.id
      this.say('Comment sent.')
      await this.look().catch(() => undefined)
      return true
    } catch (error) {
      if (error instanceof WordsGone) this.#loseWords(subject)
      else this.fail(error, 'send the comment')
      return false
    }
  }

  async reply(thread: Thread, body: string): Promise<boolean> {
    try {
      await this.#create({ body: body.trim(), parent_id: thread.id })
      this.drafts.drop(`reply:${thread.id}`)
      this.say('Reply sent.')
      return true
    } catch (error) {
      this.fail(error, 'send the reply')
      return false
    }
  }

  async #create(body: { body: string; anchor?: Anchor | null; parent_id?: string }): Promise<Comment> {
    const name = this.name.trim()
    const sent = await this.#attempt(() =>
      this.api.call('createComment', {
        params: this.#params,
        body: { ...body, ...(name ? { author_name: name } : {}) },
      }),
    )
    this.comments = [...this.comments.filter(({ id }) => id !== sent.id), sent]
    return sent
  }

  async change(
    comment: Comment,
    body: { body?: string; resolved?: boolean },
    doing: string,
  ): Promise<boolean> {
    try {
      const params = { ...this.#params, comment_id: comment.id }
      const changed = await this.#attempt(() => this.api.call('updateComment', { params, body }))
      this.comments = this.comments.map((other) => (other.id === changed.id ? changed : other))
      if (body.body !== undefined) this.drafts.drop(`edit:${comment.id}`)
      return true
    } catch (error) {
      this.fail(error, doing)
      return false
    }
  }

  async remove(comment: Comment): Promise<boolean> {
    try {
      const params = { ...this.#params, comment_id: comment.id }
      await this.#attempt(() => this.api.call('deleteComment', { params }))
      this.comments = this.comments.filter(
        ({ id, parent_id }) => id !== comment.id && parent_id !== comment.id,
      )
      this.say(comment.parent_id ? 'Reply deleted.' : 'Comment deleted.')
      return true
    } catch (error) {
      this.fail(error, 'delete it')
      return false
    }
  }

  /** Sends a suggestion on the subject’s source. False when it couldn’t be sent. */
  async propose(anchor: Anchor, suggested: string, note: string): Promise<boolean> {
    try {
      const name = this.name.trim()
      const made = await this.#attempt(() =>
        this.api.call('createSuggestion', {
          params: this.#params,
          body: {
            original_text: anchor.exact,
            suggested_text: suggested,
            anchor,
            note: note.trim() || null,
            ...(name ? { author_name: name } : {}),
          },
        }),
      )
      this.suggestions = [...this.suggestions.filter(({ id }) => id !== made.id), made]
      this.suggesting = null
      this.activeId = made.id
      this.say('Suggestion sent.')
      await this.look().catch(() => undefined)
      return true
    } catch (error) {
      this.fail(error, 'send the suggestion')
      return false
    }
  }

  async withdraw(suggestion: Suggestion): Promise<boolean> {
    try {
      const params = { ...this.#params, suggestion_id: suggestion.id }
      await this.#attempt(() => this.api.call('withdrawSuggestion', { params }))
      this.suggestions = this.suggestions.filter(({ id }) => id !== suggestion.id)
      this.say('Suggestion withdrawn.')
      return true
    } catch (error) {
      this.fail(error, 'withdraw the suggestion')
      return false
    }
  }

  /** Makes a thread or suggestion the one looked at; `reveal` brings its words into view. */
  activate(id: string | null, { reveal = false } = {}): void {
    this.activeId = id
    const mark = reveal && this.marks.find((candidate) => candidate.id === id)
    if (!mark) return
    const range = this.pane.rangeOf(mark)
    if (!range) return
    const { top, bottom } = range.getBoundingClientRect()
    if (top < 72 || bottom > innerHeight * 0.6) {
      const calm = !matchMedia('(prefers-reduced-motion: reduce)').matches
      window.scrollBy({ top: top - innerHeight * 0.3, behavior: calm ? 'smooth' : 'instant' })
    }
  }

  rename(name: string): void {
    this.name = name
    try {
      localStorage.setItem(nameKey, name.trim())
    } catch {
      // Without storage the name lasts as long as the page.
    }
  }

  say(text: string, error = false): void {
    this.notice = { text, error }
  }

  fail(error: unknown, doing: string): void {
    this.say(explain(error, doing), true)
  }

  /** Makes a call, and learns from how it ends whether the link still works. */
  async #attempt<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await call()
      if (this.link === 'lost') this.link = 'works'
      return answer
    } catch (error) {
      this.learnFrom(error)
      throw error
    }
  }

  /** What a failed call says about the link. */
  learnFrom(error: unknown): void {
    if (!(error instanceof ApiError)) return
    const { code } = error
    if (code === 'UNAUTHORIZED' || code === 'NOT_FOUND') void this.#verify()
    else if (code === 'OFFLINE' || code === 'BAD_ANSWER') this.link = 'lost'
  }

  /** A comment that is gone isn’t a link that is gone. */
  async #verify(): Promise<void> {
    try {
      await this.api.call('listMarks', { params: this.#params })
    } catch (error) {
      if (error instanceof ApiError && (error.code === 'UNAUTHORIZED' || error.code === 'NOT_FOUND'))
        this.link = 'dead'
    }
  }
}

/** The words that were chosen are no longer in the text. */
export class WordsGone extends Error {}

function recall(key: string): string {
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

function showFacts({ title, words }: RenderedDocument): void {
  document.title = title.trim() || 'Untitled'
  const count = document.querySelector('.facts span')
  if (count) count.textContent = words === 1 ? '1 word' : `${words.toLocaleString('en-GB')} words`
}
