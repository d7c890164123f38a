import { ApiError, type ApiClient } from '../api/caller.ts'
import { createEditor, type Editor } from './editor.ts'
import type { DocumentSession, SelectedText, TextMark, TextRange } from './document-session.ts'
import type { EditorMark } from './marks.ts'
import type { Document } from '../../server/contract/records.ts'
import { lineEndings, toLf, withLineEndings } from '../../server/domain/line-endings.ts'
import { mergeTexts } from '../../server/domain/merge.ts'
import { DraftKeeper } from './draft-keeper.svelte.ts'
import { abandonedDrafts, claimWriter, type Base, type Draft, type DraftStore } from './drafts.ts'
import { mapThroughDiff } from './map-through-diff.ts'
import { Offsets } from './offsets.ts'
import { Saver } from './saver.svelte.ts'

/** Words that the writer and someone else changed at once. Both stand in the text until one is chosen. */
export interface OpenConflict {
  id: number
  mine: string
  theirs: string
  /** Where both stand, in the editor’s offsets. */
  from: number
  to: number
}

export type Notice =
  | { kind: 'restored'; at: number; undo: () => void }
  | { kind: 'line-endings' }
  | { kind: 'renamed'; title: string }

/** What a session asks of the API. */
type SessionApi = ApiClient<'getDocument' | 'updateDocument'>

interface Options<Api extends SessionApi> {
  api: Api
  document: Document
  drafts: DraftStore
  /** How a guest wants to be named as the author of what is written. */
  authorName?: () => string
  /** Of the page's style policy, where it lets in no style element without one. */
  styleNonce?: string | undefined
  onNotice: (notice: Notice) => void
  pollEvery?: number
}

/** An open document: the editor’s text, the server’s, and what is between them. */
export class EditingSession<Api extends SessionApi> implements Omit<DocumentSession, 'api'> {
  readonly api: Api
  readonly saver: Saver
  readonly keeper: DraftKeeper
  document = $state.raw<Omit<Document, 'content'>>()!
  title = $state('')
  conflicts = $state.raw<OpenConflict[]>([])
  unsaved = $state(false)
  #version = $state(0)
  #selected = $state.raw<{ from: number; to: number }>({ from: 0, to: 0 })

  #editor: Editor | null = null
  #text: string
  #style: ReturnType<typeof lineEndings>
  #drafts: DraftStore
  #writer = claimWriter()
  #onNotice: (notice: Notice) => void
  #styleNonce: string | undefined
  #markListeners = new Set<(mark: TextMark) => void>()
  #marks: TextMark[] = []
  #cache: { version: number; stored: string; offsets: Offsets } | null = null
  #pollEvery: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #conflictCount = 0
  #toldLineEndings = false
  #disposed = false

  constructor({ api, document, drafts, onNotice, authorName, styleNonce, pollEvery = 4000 }: Options<Api>) {
    const { content, ...rest } = document
    this.api = api
    this.document = rest
    this.title = document.title
    this.#text = toLf(content)
    this.#style = lineEndings(content)
    this.#drafts = drafts
    this.#onNotice = onNotice
    this.#styleNonce = styleNonce
    this.#pollEvery = pollEvery
    this.keeper = new DraftKeeper(drafts, document.id, this.#writer.writer)
    this.saver = new Saver({
      base: { revision: document.revision, title: document.title, content },
      read: () => ({ title: this.title, content: this.#stored().stored }),
      send: (change, revision, { keepalive }) => {
        const name = authorName?.().trim()
        return api.call('updateDocument', {
          params: { id: document.id },
          body: {
            ...(change as { title?: string; content?: string }),
            ...(name ? { author_name: name } : {}),
          },
          ifMatch: revision,
          keepalive,
        })
      },
      merge: (base, theirs) => this.#merge(base, theirs),
      onDocument: ({ content: _, ...rest }) => (this.document = rest),
      onDirty: (dirty) => this.#keepDraft(dirty),
    })
  }

  /** Draws the editor in an element; the text outlives it. Returns what takes it away. */
  attach(parent: HTMLElement): { editor: Editor; detach: () => void } {
    const editor = createEditor({
      parent,
      doc: this.#text,
      label: 'Text',
      placeholder: 'Write…',
      styleNonce: this.#styleNonce,
      onChange: ({ own, changes }) => {
        this.#changed()
        this.conflicts = this.conflicts.map((conflict) => ({
          ...conflict,
          from: changes.mapPos(conflict.from, 1),
          to: changes.mapPos(conflict.to, -1),
        }))
        if (!own) return
        if (this.#style === 'mixed' && !this.#toldLineEndings) {
          this.#toldLineEndings = true
          this.#onNotice({ kind: 'line-endings' })
        }
        this.saver.changed()
      },
      onSelect: () => (this.#selected = editor.selection()),
      onMarkClick: ({ id, kind, from, to, active }) => {
        const { offsets } = this.#stored()
        const range = { start: offsets.toStored(from), end: offsets.toStored(to) }
        for (const listener of this.#markListeners) listener({ id, kind, range, active })
      },
    })
    this.#editor = editor
    this.#drawMarks()
    return {
      editor,
      detach: () => {
        this.#text = editor.text()
        this.#editor = null
        editor.destroy()
      },
    }
  }

  get content(): string {
    return this.#stored().stored
  }

  get selection(): SelectedText | null {
    const { from, to } = this.#selected
    if (from === to) return null
    const { stored, offsets } = this.#stored()
    const start = offsets.toStored(from)
    const end = offsets.toStored(to)
    return { start, end, text: stored.slice(start, end) }
  }

  /** Counts the text’s changes: reading it follows them without reading the text. */
  get version(): number {
    return this.#version
  }

  rename(title: string): void {
    this.title = title
    this.saver.changed()
  }

  saveNow(): Promise<void> {
    return this.saver.flush()
  }

  async refresh(): Promise<void> {
    await this.saver.flush().catch((error: unknown) => {
      // What can’t be saved just now is merged with what comes; it isn’t lost.
      if (error instanceof ApiError && error.code === 'OFFLINE') throw error
    })
    this.saver.receive(await this.api.call('getDocument', { params: { id: this.document.id } }))
  }

  reveal(range: TextRange): void {
    const { offsets } = this.#stored()
    this.#editor?.reveal(offsets.toEditor(range.start), offsets.toEditor(range.end))
  }

  setMarks(marks: TextMark[]): void {
    this.#marks = marks
    this.#drawMarks()
    // They may be about a newer text than the one here; then they are drawn again once it has come.
    const { revision } = this.saver.base
    void this.#look()
      .then(() => {
        if (this.#marks === marks && this.saver.base.revision !== revision) this.#drawMarks()
      })
      .catch(() => {})
  }

  onMarkClick(callback: (mark: TextMark) => void): () => void {
    this.#markListeners.add(callback)
    return () => this.#markListeners.delete(callback)
  }

  /** Settles a conflict: the words chosen stay, and can be undone like anything typed. */
  choose(conflict: OpenConflict, choice: 'mine' | 'theirs' | 'both'): void {
    this.conflicts = this.conflicts.filter((open) => open.id !== conflict.id)
    if (choice === 'both' || !this.#editor) return
    const { from, to } = conflict
    this.#editor.view.dispatch({
      changes: { from, to, insert: this.#editor.view.state.toText(conflict[choice]) },
      selection: { anchor: from, head: from + conflict[choice].length },
      userEvent: 'input.conflict',
    })
  }

  /** Shows where a conflict stands. */
  revealConflict(conflict: OpenConflict): void {
    this.#editor?.reveal(conflict.from, conflict.to)
  }

  /** Takes in text that an earlier window left unsaved, merged with what has become of the document since. */
  async restoreDrafts(): Promise<void> {
    const left = await abandonedDrafts(this.#drafts, this.document.id).catch((): Draft[] => [])
    for (const draft of left) {
      const before = this.content
      const { base } = this.saver
      const isNew = draft.content !== base.content || draft.title !== base.title
      if (isNew && !this.#disposed) {
        const isSame = draft.base.content === draft.content || before === draft.content
        if (!isSame) this.#mergeText(toLf(draft.base.content), toLf(draft.content), toLf(before))
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

  /** Looks for others’ changes now, and from now on every few seconds while the page is seen. */
  watch(): () => void {
    const look = async () => {
      clearTimeout(this.#timer)
      if (globalThis.document.visibilityState === 'visible' && !this.saver.busy) {
        await this.#look().catch(() => {})
      }
      if (!this.#disposed) this.#timer = setTimeout(() => void look(), this.#pollEvery)
    }
    const seen = () => {
      if (globalThis.document.visibilityState === 'visible') void look()
      else this.saver.leave()
    }
    const online = () => this.saver.retry()
    const leave = () => this.saver.leave()
    const warn = (event: BeforeUnloadEvent) => {
      if (this.unsaved && !this.keeper.kept) event.preventDefault()
    }
    globalThis.document.addEventListener('visibilitychange', seen)
    addEventListener('focus', seen)
    addEventListener('online', online)
    addEventListener('pagehide', leave)
    addEventListener('beforeunload', warn)
    this.#timer = setTimeout(() => void look(), this.#pollEvery)
    return () => {
      clearTimeout(this.#timer)
      globalThis.document.removeEventListener('visibilitychange', seen)
      removeEventListener('focus', seen)
      removeEventListener('online', online)
      removeEventListener('pagehide', leave)
      removeEventListener('beforeunload', warn)
    }
  }

  /** Ends the session; what is unsaved is sent once more and otherwise stays in the browser. */
  async close(): Promise<void> {
    await this.saver.flush().catch(() => {})
    this.#disposed = true
    this.saver.dispose()
    await this.keeper.settled()
    this.#writer.release()
  }

  async #look(): Promise<void> {
    try {
      const { revision } = this.saver.base
      const options = { params: { id: this.document.id }, ifNoneMatch: revision }
      this.saver.receive(await this.api.call('getDocument', options))
    } catch (error) {
      // 304: nothing new. Anything else is told when there is something to save.
      if (!(error instanceof ApiError)) throw error
    }
  }

  #changed(): void {
    this.#version++
  }

  #stored(): { stored: string; offsets: Offsets } {
    const version = this.#version
    if (this.#cache?.version !== version) {
      const text = this.#editor?.text() ?? this.#text
      const base = this.saver.base.content
      // A text with mixed line endings stays as it is until it is edited.
      const stored = toLf(base) === text ? base : withLineEndings(text, this.#style)
      this.#cache = { version, stored, offsets: new Offsets(stored) }
    }
    return this.#cache
  }

  #setText(text: string): void {
    if (this.#editor) this.#editor.setText(text)
    else {
      this.#text = text
      this.#changed()
    }
    this.saver.changed()
  }

  #merge(base: Base, theirs: Document): void {
    const mine = this.#editor?.text() ?? this.#text
    const style = lineEndings(theirs.content)
    if (style !== 'none') this.#style = style
    this.#mergeText(toLf(base.content), mine, toLf(theirs.content))
    this.#changed()
    if (this.title === base.title) this.title = theirs.title
    else if (theirs.title !== base.title && theirs.title !== this.title) {
      this.#onNotice({ kind: 'renamed', title: theirs.title })
    }
  }

  #mergeText(base: string, mine: string, theirs: string): void {
    const { text, conflicts } =
      mine === base ? { text: theirs, conflicts: [] } : mergeTexts(base, mine, theirs)
    if (this.#editor) this.#editor.setText(text)
    else {
      this.#text = text
      this.#changed()
    }
    if (conflicts.length === 0) return
    this.conflicts = [
      ...this.conflicts,
      ...conflicts.map(({ mine, theirs, at }) => ({
        id: ++this.#conflictCount,
        mine,
        theirs,
        from: at.start,
        to: at.end,
      })),
    ]
  }

  #keepDraft(dirty: boolean): void {
    this.unsaved = dirty
    if (!dirty) return this.keeper.drop()
    this.keeper.keep(() => ({
      base: this.saver.base,
      title: this.title,
      content: this.#stored().stored,
      at: Date.now(),
    }))
  }

  #drawMarks(): void {
    if (!this.#editor) return
    const base = this.saver.base.content
    const offsets = new Offsets(base)
    const places = this.#marks.map(({ range }) => ({
      from: offsets.toEditor(range.start),
      to: offsets.toEditor(range.end),
    }))
    const now = mapThroughDiff(toLf(base), this.#editor.text(), places)
    this.#editor.setMarks(
      this.#marks.map(({ id, kind, active }, i): EditorMark => ({ id, kind, active, ...now[i]! })),
    )
  }
}
