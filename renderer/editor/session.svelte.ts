import { ApiError, newIdempotencyKey, type ClientOf } from '../api/client-of.ts'
import { newsAbout, type DocumentNews, type HearNews } from '../api/document-news.ts'
import { watch } from '../api/watch.ts'
import type { DocumentSession, SelectedText, TextMark, TextRange } from './document-session.ts'
import type { EditorMark } from './marks.ts'
import type { Document } from '../../server/contract/records/documents.ts'
import type { Updates } from '../../server/contract/records/changes.ts'
import { changesToJson } from '../../server/domain/change-set.ts'
import { toLf } from '../../server/domain/line-endings.ts'
import { mergeTexts } from '../../server/domain/merge.ts'
import { Diverged, SharedText } from '../../server/domain/shared-text.ts'
import { Conflicts, type OpenConflict } from './conflicts.svelte.ts'
import { DraftKeeper } from './draft-keeper.svelte.ts'
import { abandonedDrafts, claimWriter, type Base, type Draft, type DraftStore } from './drafts.ts'
import { EditedText } from './edited-text.svelte.ts'
import { createEditor, type Editor } from './editor.ts'
import { isByOthers, Saver } from './saver.svelte.ts'
import { watchPage } from './watch-page.ts'

export type SessionNotice =
  | { kind: 'restored'; at: number; undo: () => void }
  | { kind: 'renamed'; title: string }
  /** Undo was pressed after something done beside the text. */
  | { kind: 'undo-stops' }
  /** The text here wasn’t the server’s with what was typed any more; the server’s is shown, and this was here. */
  | { kind: 'diverged'; text: string }

/** What a session asks of the API. */
type SessionApi = ClientOf<'getDocument' | 'updateDocument' | 'pushChange' | 'listChanges'>

interface Options<Api extends SessionApi> {
  api: Api
  document: Document
  drafts: DraftStore
  /** How a guest wants to be named as the author of what is written. */
  authorName?: () => string
  /** Of the page's style policy, where it lets in no style element without one. */
  styleNonce?: string | undefined
  onNotice: (notice: SessionNotice) => void
  /** Has its listener called when another window has changed the document; returns what stops that. */
  onNews?: HearNews
  /** Between two looks for others’ changes, in ms. */
  pollEvery?: () => number
}

/** A text that has come to rest is compared after so long, in milliseconds. */
const checkedAfter = 2_000

const authoredBy = (name: string | undefined) => (name === undefined ? {} : { author_name: name })

/** An open document: the editor’s text, the server’s, and what is between them. */
export class EditingSession<Api extends SessionApi> implements Omit<DocumentSession, 'api'> {
  readonly api: Api
  readonly saver: Saver
  readonly keeper: DraftKeeper
  readonly onNews: Options<Api>['onNews']
  readonly pollEvery: () => number
  document = $state.raw<Omit<Document, 'content'>>()!
  title = $state('')
  unsaved = $state(false)
  #selected = $state.raw<{ from: number; to: number }>({ from: 0, to: 0 })

  readonly #text: EditedText
  readonly #conflicts = new Conflicts()
  #drafts: DraftStore
  #writer = claimWriter()
  #onNotice: (notice: SessionNotice) => void
  #styleNonce: string | undefined
  #markListeners = new Set<(mark: TextMark) => void>()
  #marks: TextMark[] = []
  #disposed = false
  #checking: ReturnType<typeof setTimeout> | undefined
  /** This copy’s name for itself. */
  readonly #client = newIdempotencyKey()

  constructor({
    api,
    document,
    drafts,
    onNotice,
    onNews,
    authorName,
    styleNonce,
    pollEvery = () => 4000,
  }: Options<Api>) {
    const { content: _, ...rest } = document
    this.onNews = onNews
    this.api = api
    this.document = rest
    this.title = document.title
    this.#text = new EditedText(document)
    this.#drafts = drafts
    this.#onNotice = onNotice
    this.#styleNonce = styleNonce
    this.pollEvery = pollEvery
    this.keeper = new DraftKeeper(drafts, document.id, this.#writer.writer)
    const { id } = document
    const name = () => authorName?.().trim() || undefined
    this.saver = new Saver({
      title: document.title,
      readTitle: () => this.title,
      text: this.#text,
      push: async ({ base, hash, number, changes }, { keepalive }) => {
        const change = { base, ...(hash === null ? {} : { hash }), client: this.#client, number }
        const body = { ...change, changes: changesToJson(changes), ...authoredBy(name()) }
        try {
          return await api.call('pushChange', { params: { id }, body, keepalive })
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== 'VALIDATION_ERROR') throw error
          // It can't be made of what the server has: then the two texts are merged.
          const theirs = await api.call('getDocument', { params: { id } })
          throw new ApiError('PRECONDITION_FAILED', 412, error.message, theirs)
        }
      },
      rename: async (title, { keepalive }) => {
        const { content: _, ...renamed } = await api.call('updateDocument', {
          params: { id },
          body: { title },
          keepalive,
        })
        this.document = renamed
        return { ...renamed, content: _ }
      },
      missed: () => this.#changes(),
      receive: (updates) => this.#receive(updates),
      rejoin: (updates) => this.#rejoin(updates),
      merge: (theirs) => this.#merge(theirs),
      onDirty: (dirty) => this.#keepDraft(dirty),
    })
  }

  /** Draws the editor in an element; the text outlives it. Returns what takes it away. */
  attach(parent: HTMLElement): { editor: Editor; detach: () => void } {
    const editor = createEditor({
      parent,
      doc: this.#text.current,
      label: 'Text',
      placeholder: 'Write…',
      styleNonce: this.#styleNonce,
      onChange: ({ own, changes, text }) => {
        this.#conflicts.move(changes, text)
        if (!own) return
        this.#text.typed(changes)
        this.saver.changed()
      },
      onUndoStop: () => this.#onNotice({ kind: 'undo-stops' }),
      onSelect: () => (this.#selected = editor.selection()),
      onMarkClick: ({ id, kind, from, to, active }) => {
        const { offsets } = this.#text
        const range = { start: offsets.toStored(from), end: offsets.toStored(to) }
        for (const listener of this.#markListeners) listener({ id, kind, range, active })
      },
    })
    this.#text.attach(editor)
    this.#drawMarks()
    return { editor, detach: () => this.#text.detach() }
  }

  get content(): string {
    return this.#text.stored
  }

  /** What the server last had, as far as is known here. */
  get base(): Base {
    return { ...this.#text.base, title: this.saver.title }
  }

  get selection(): SelectedText | null {
    const { from, to } = this.#selected
    if (from === to) return null
    const { stored, offsets } = this.#text
    const start = offsets.toStored(from)
    const end = offsets.toStored(to)
    return { start, end, text: stored.slice(start, end) }
  }

  /** Counts the text’s changes: reading it follows them without reading the text. */
  get version(): number {
    return this.#text.version
  }

  rename(title: string): void {
    this.title = title
    this.saver.changed()
  }

  saveNow(): Promise<void> {
    return this.saver.flush()
  }

  /** Resolves once everything typed, until then too, is on the server or, where that can’t be, in the browser. */
  async settle(): Promise<void> {
    try {
      while (this.saver.dirty) await this.saver.flush()
    } catch {
      // It is tried again later; the draft stays.
    }
    await this.keeper.settled()
  }

  async refresh(): Promise<void> {
    await this.saver.flush().catch((error: unknown) => {
      // What can’t be saved just now is merged with what comes; it isn’t lost.
      if (error instanceof ApiError && error.code === 'OFFLINE') throw error
    })
    await this.#catchUp()
    this.#text.editor?.stopUndo()
  }

  reveal(range: TextRange): void {
    const { editor, offsets } = this.#text
    editor?.reveal(offsets.toEditor(range.start), offsets.toEditor(range.end))
  }

  setMarks(marks: TextMark[]): void {
    this.#marks = marks
    this.#drawMarks()
    // They may be about a newer text than the one here; then they are drawn again once it has come.
    const { revision } = this.#text
    void this.#look()
      .then(() => {
        if (this.#marks === marks && this.#text.revision !== revision) this.#drawMarks()
      })
      .catch(() => {})
  }

  onMarkClick(callback: (mark: TextMark) => void): () => void {
    this.#markListeners.add(callback)
    return () => this.#markListeners.delete(callback)
  }

  get conflicts(): readonly OpenConflict[] {
    return this.#conflicts.open
  }

  /** Settles a conflict: the words chosen stay, and can be undone like anything typed. */
  choose(conflict: OpenConflict, choice: 'mine' | 'theirs' | 'both'): void {
    this.#conflicts.choose(conflict, choice, this.#text.editor)
  }

  /** Shows where a conflict stands. */
  revealConflict(conflict: OpenConflict): void {
    this.#text.editor?.reveal(conflict.from, conflict.to)
  }

  /** Takes in text that an earlier window left unsaved, merged with what has become of the document since. */
  async restoreDrafts(): Promise<void> {
    const left = await abandonedDrafts(this.#drafts, this.document.id).catch((): Draft[] => [])
    for (const draft of left) {
      const before = this.content
      const { base } = this
      const mine = await this.#undelivered(draft)
      const isNew = mine.content !== base.content || draft.title !== base.title
      if (isNew && !this.#disposed) {
        const isSame = mine.base === mine.content || before === mine.content
        if (!isSame) this.#mergeText(toLf(mine.base), toLf(mine.content), toLf(before))
        if (draft.title !== draft.base.title) this.title = draft.title
        if (this.saver.dirty) {
          this.saver.changed()
          this.#onNotice({ kind: 'restored', at: draft.at, undo: () => this.#setText(toLf(before)) })
        }
      }
      await this.keeper.settled()
      // The old draft goes only when its text is safe in this window's own.
      if (this.saver.dirty && !this.keeper.kept) continue
      await this.#drafts.delete(draft.documentId, draft.writer).catch(() => {})
    }
  }

  /** A draft without what of it had reached the server when its window went. */
  async #undelivered({ base, content, waiting }: Draft): Promise<{ base: string; content: string }> {
    if (!waiting?.sending) return { base: base.content, content }
    try {
      const { updates } = await this.#changes(base.revision, waiting.client)
      const text = SharedText.restored(base, waiting)
      text.receiveOwn(updates)
      return { base: text.confirmed.toString(), content: text.current.toString() }
    } catch {
      // Nothing leads from there to here: then the texts are all that can be told.
      return { base: base.content, content }
    }
  }

  /** Looks for others’ changes now, and from now on every few seconds while the page is seen. */
  watch(): () => void {
    const look = async (news: readonly DocumentNews[] | null) => {
      const heard = newsAbout(news, 'content', 'permission', 'deleted')
      if (heard?.length === 0) return
      await this.saver.rest()
      // It was this window’s own.
      const isKnown = ({ revision = Infinity }) => revision <= this.#text.revision
      if (!heard?.every(isKnown)) await this.#look()
    }
    // In a window that isn't seen, too: it may stand beside the one that is written in, just covered.
    const stopLooking = watch(look, {
      every: this.pollEvery,
      news: this.onNews,
      unseen: true,
      later: true,
    })
    const stopWatching = watchPage({
      leave: () => this.saver.leave(),
      online: () => this.saver.retry(),
      wouldLose: () => this.unsaved && !this.keeper.kept,
    })
    return () => {
      stopLooking()
      stopWatching()
    }
  }

  /** Ends the session; what is unsaved is sent once more and otherwise stays in the browser. */
  async close(): Promise<void> {
    await this.saver.flush().catch(() => {})
    this.#disposed = true
    this.saver.dispose()
    clearTimeout(this.#checking)
    await this.keeper.settled()
    this.#writer.release()
  }

  async #look(): Promise<void> {
    try {
      await this.#catchUp()
      this.saver.isThere()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // Anything else but this is told when there is something to save.
      if (error.code === 'NOT_FOUND') this.saver.fail(error)
    }
  }

  #changes(since = this.#text.revision, client = this.#client): Promise<Updates> {
    return this.api.call('listChanges', { params: { id: this.document.id }, query: { since, client } })
  }

  /** Takes in what others have changed since. */
  async #catchUp(): Promise<void> {
    try {
      this.saver.receive(await this.#changes())
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error
      this.#merge(error.data as Document)
      if (this.saver.dirty) this.saver.changed()
    }
  }

  #receive({ revision, title, updated_at, permission, updates }: Updates): void {
    // What was asked for later may have come earlier.
    if (revision < this.#text.revision) return
    const bring = () => {
      this.#text.receive(updates)
      this.#takeTitle(title)
    }
    try {
      if (isByOthers(updates) || title !== this.saver.title) this.arrive(bring)
      else bring()
    } catch (error) {
      if (!(error instanceof Diverged)) throw error
      void this.#startOver()
      return
    }
    const now = { ...this.document, revision, updated_at, title }
    this.document = permission === undefined ? now : { ...now, permission }
    this.#checkLater()
  }

  #takeTitle(theirs: string): void {
    const base = this.saver.title
    this.saver.renamed(theirs)
    if (this.title === base) this.title = theirs
    else if (theirs !== base && theirs !== this.title) this.#onNotice({ kind: 'renamed', title: theirs })
  }

  /** Brings what has come from elsewhere into what is here. */
  protected arrive(bring: () => void): void {
    bring()
  }

  /**
   * After a long absence: what was typed here is merged with the text as it has become, so that both stand where the
   * same words were changed, and a person can choose.
   */
  #rejoin({ updates: all, ...rest }: Updates): void {
    // Some may have come by another way meanwhile.
    const updates = all.filter(({ revision }) => revision > this.#text.revision)
    const ownAt = updates.findLastIndex(({ changes }) => changes === null)
    const [arrived, others] = [updates.slice(0, ownAt + 1), updates.slice(ownAt + 1)]
    if (ownAt >= 0) this.#receive({ ...rest, revision: arrived[ownAt]!.revision, updates: arrived })
    const content = this.#text.isDirty ? this.#text.withUpdates(others) : null
    if (content === null) this.#receive({ ...rest, updates: others })
    else this.#merge({ ...this.document, ...rest, content })
  }

  /** Goes on from a document that no changes lead to, with what was typed here merged into it. */
  #merge(theirs: Document): void {
    this.arrive(() => {
      const { base } = this
      const mine = this.#text.current
      const isChanged = this.#text.isDirty
      const merged = isChanged ? mergeTexts(toLf(base.content), mine, toLf(theirs.content)) : null
      this.#text.startAnew(theirs, merged?.text ?? toLf(theirs.content), merged?.changes)
      if (merged) this.#conflicts.add(merged.conflicts)
      this.#takeTitle(theirs.title)
    })
    const { content: _, ...rest } = theirs
    this.document = rest
    this.#drawMarks()
  }

  /** Where the text here can’t be what it should be: the server’s takes its place, and what was here is handed out. */
  async #startOver(): Promise<void> {
    const text = this.content
    const theirs = await this.api.call('getDocument', { params: { id: this.document.id } })
    if (this.#disposed) return
    this.arrive(() => this.#text.startAnew(theirs, toLf(theirs.content)))
    if (text !== theirs.content) this.#onNotice({ kind: 'diverged', text })
    this.#drawMarks()
  }

  /** Compares the text here with what the server has told of it, when there is time for that. */
  #checkLater(): void {
    clearTimeout(this.#checking)
    this.#checking = setTimeout(() => {
      if (!this.#disposed && !this.#text.isIntact()) void this.#startOver().catch(() => {})
    }, checkedAfter)
  }

  #setText(text: string): void {
    this.#text.set(text)
    this.saver.changed()
  }

  #mergeText(base: string, mine: string, theirs: string): void {
    const merged = mine === base ? null : mergeTexts(base, mine, theirs)
    const isShown = mine === this.#text.current
    this.#text.set(merged?.text ?? theirs, isShown ? merged?.changes : undefined)
    if (merged) this.#conflicts.add(merged.conflicts)
  }

  #keepDraft(dirty: boolean): void {
    this.unsaved = dirty
    if (!dirty) return this.keeper.drop()
    this.keeper.keep(() => ({
      base: this.base,
      title: this.title,
      content: this.#text.stored,
      waiting: { ...this.#text.waiting, client: this.#client },
      at: Date.now(),
    }))
  }

  #drawMarks(): void {
    const { editor } = this.#text
    if (!editor) return
    const now = this.#text.placesNow(this.#marks.map(({ range }) => range))
    editor.setMarks(
      this.#marks.map(({ id, kind, active }, i): EditorMark => ({ id, kind, active, ...now[i]! })),
    )
  }
}
