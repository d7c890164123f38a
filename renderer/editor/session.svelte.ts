import { ChangeSet } from '@codemirror/state'
import { ApiError, newIdempotencyKey, type ClientOf } from '../api/client-of.ts'
import type { HearNews } from '../api/document-news.ts'
import type { TextLine } from '../api/live.ts'
import { AbandonedDrafts } from './abandoned-drafts.svelte.ts'
import { CatchingUp } from './catching-up.ts'
import { Company, type Polling } from './company.svelte.ts'
import type { ClickedMark, DocumentSession, SelectedText, TextMark, TextRange } from './document-session.ts'
import { writesAtInsertion } from './marks.ts'
import type { Document } from '../../server/contract/records/documents.ts'
import type { ListedChanges, Updates } from '../../server/contract/records/changes.ts'
import { toLf } from '../../server/domain/line-endings.ts'
import { pushedBy, type OutgoingChange } from '../../server/domain/outgoing-change.ts'
import type { OpenConflict } from './conflicts.svelte.ts'
import { DraftKeeper, type DraftContent } from './draft-keeper.svelte.ts'
import { claimWriter, type Base, type DraftStore, type TakenOver, type WriterClaim } from './drafts.ts'
import { createEditor, type Editor } from './editor.ts'
import type { FileRefused } from './files/attachments.ts'
import { DocumentFiles, type FilesApi } from './files/document-files.svelte.ts'
import type { Delivered } from './files/waiting/deliver-waiting.ts'
import { isByOthers, OpenDocument, type DocumentNotice } from './open-document.svelte.ts'
import { Saver, Unmade } from './saver.svelte.ts'
import { SessionSuggester } from './session-suggester.svelte.ts'
import type { Suggester } from './suggesting/suggester.svelte.ts'
import { TextMarks } from './text-marks.ts'
import { watchPage } from './watch-page.ts'

export type SessionNotice =
  | { kind: 'restored'; at: number; undo: () => void }
  /** A file may not be added, and why. */
  | ({ kind: 'file-refused' } & FileRefused)
  /** Undo was pressed after something done beside the text. */
  | { kind: 'undo-stops' }
  | DocumentNotice

/** What a session asks of the API. */
type SessionApi = ClientOf<'getDocument' | 'updateDocument' | 'pushChange' | 'listChanges'> & FilesApi

interface Options<Api extends SessionApi> {
  api: Api
  document: Document
  /** What a window that is gone has left, where this one goes on in its place: whatever the document says is older. */
  goOnWith?: TakenOver | null
  drafts: DraftStore
  /** How a guest wants to be named as the author of what is written. */
  authorName?: () => string
  /** Of the page's style policy, where it lets in no style element without one. */
  styleNonce?: string | undefined
  onNotice: (notice: SessionNotice) => void
  /** The address of the page that draws diagrams. */
  diagrams?: string
  /** Why no files may be added, where they may not. */
  refuseFiles?: () => string | null
  /** By which link the document is open, if by one. */
  linkToken?: string
  /** A file waits in this browser for the server. */
  onFileKept?: () => void
  /** Has the browser keep what the server last had, by which waiting files find their places. */
  keepDocument?: (document: Document) => void
  /** Has its listener called when another window has changed the document; returns what stops that. */
  onNews?: HearNews
  /** Over which the text is followed, if it can be: without, others’ changes are asked for. */
  line?: TextLine | undefined
  /** Over the line others’ changes have come, of which whoever follows the text isn’t told in any other way. */
  onOthers?: (revision: number) => void
  /** Between two looks for others’ changes, in ms. */
  pollEvery?: () => number
}

const nothing = { from: 0, to: 0 }

const namedAs = (name: string | undefined) => (name === undefined ? {} : { name })
const authoredBy = (name: string | undefined) => (name === undefined ? {} : { author_name: name })

/** An open document: the editor’s text, the server’s, and what is between them. */
export class EditingSession<Api extends SessionApi> implements Omit<DocumentSession, 'api'> {
  readonly api: Api
  readonly saver: Saver
  readonly keeper: DraftKeeper
  readonly onNews: Options<Api>['onNews']
  readonly pollEvery: () => number
  /** Who else has the text open to write in it. */
  readonly company: Company
  readonly files: DocumentFiles
  /** What earlier windows left unsaved. */
  readonly abandoned: AbandonedDrafts
  /** The newest revision that the writer has brought about beside the text, as by accepting a suggestion. */
  changedHere = $state(0)
  unsaved = $state(false)
  /** Whether what is here may only be read for now: what the server hasn’t got of it is kept. */
  readOnly = $state(false)
  #selected = $state.raw<{ from: number; to: number }>(nothing)

  readonly #open: OpenDocument
  readonly #writer: WriterClaim
  readonly #authored: () => { author_name?: string }
  readonly #keepDocument: (document: Document) => void
  /** Of the text that was kept last for the sake of files. */
  #keptRevision = 0
  #onNotice: (notice: SessionNotice) => void
  #styleNonce: string | undefined
  #diagrams: string | undefined
  readonly #marks: TextMarks
  readonly #suggester: SessionSuggester
  readonly #catchingUp: CatchingUp
  /** This copy’s name for itself. */
  readonly #client: string

  constructor({
    api,
    document,
    goOnWith = null,
    drafts,
    onNotice,
    onNews,
    line,
    onOthers,
    authorName,
    styleNonce,
    refuseFiles,
    linkToken,
    onFileKept,
    keepDocument = () => {},
    diagrams,
    pollEvery = () => 4000,
  }: Options<Api>) {
    this.onNews = onNews
    this.api = api
    const { id } = document
    this.#keepDocument = keepDocument
    this.#writer = goOnWith ?? claimWriter()
    const { writer } = this.#writer
    // The server knows by it what of the draft it has already.
    this.#client = goOnWith?.draft.client || newIdempotencyKey()
    this.#open = new OpenDocument({
      document,
      goOnWith: goOnWith?.draft,
      load: () => api.call('getDocument', { params: { id } }),
      arrive: (bring) => this.arrive(bring),
      onAnew: () => {
        this.#marks.draw()
        this.company.again()
      },
      onApart: () => this.saver.setApart(true),
      onTogether: () => this.saver.setApart(false),
      onNotice,
    })
    this.#onNotice = onNotice
    this.#styleNonce = styleNonce
    this.#diagrams = diagrams
    this.files = new DocumentFiles({
      ...{ api, documentId: id, linkToken, writer, text: this.#open.text },
      settle: () => this.settle(),
      refusal: refuseFiles ?? (() => null),
      onRefused: (refused) => onNotice({ kind: 'file-refused', ...refused }),
      onKept: () => {
        onFileKept?.()
        this.#keepForFiles()
      },
    })
    this.#marks = new TextMarks({
      text: this.#open.text,
      isSuggesting: () => this.#suggester.inUse !== null,
      own: () => this.#suggester.made,
      look: () => this.#catchingUp.look(),
    })
    this.pollEvery = pollEvery
    this.keeper = new DraftKeeper(drafts, id, writer, () => this.#draft(), goOnWith !== null)
    this.company = new Company({
      text: this.#open.text,
      client: this.#client,
      line: line ?? null,
      receive: (updates, isAll) => {
        const isTaken = this.saver.receive(updates, isAll)
        this.company.changed()
        if (isTaken && isByOthers(updates.updates)) onOthers?.(updates.revision)
        return isTaken
      },
      onTurn: (connected) => {
        this.#catchingUp.doubt(!connected)
        if (!connected) this.#catchingUp.deafened()
      },
      onUnheard: () => this.#catchingUp.deafened(),
      catchUp: () => this.#catchingUp.catchUp(),
      tellPlace: () => this.#catchingUp.catchUp(0, true),
    })
    const name = () => authorName?.().trim() || undefined
    this.#authored = () => authoredBy(name())
    this.saver = new Saver({
      text: this.#open.text,
      isRenamed: () => this.#open.isRenamed,
      push: (change, how) => this.#push(change, how),
      rename: (how) => this.#rename(how),
      missed: () => this.#changes(),
      receive: (updates) => this.#open.receive(updates),
      rejoin: (updates) => this.#open.rejoin(updates),
      merge: (theirs) => this.#open.merge(theirs),
      isInCompany: () => this.company.people.length > 0,
      awaySince: goOnWith?.draft.at,
      onDirty: (dirty) => {
        this.#keepDraft(dirty)
        if (!dirty) this.company.place(false)
      },
    })
    this.#suggester = new SessionSuggester({
      ...{ documentId: id, text: this.#open.text, saver: this.saver },
      isReadOnly: () => this.readOnly,
      onShown: () => this.#marks.draw(),
    })
    this.#catchingUp = new CatchingUp({
      ...{ text: this.#open.text, saver: this.saver, company: this.company, onNews, pollEvery },
      changes: (wait, polling) =>
        this.#changes(this.#text.revision, this.#client, {
          ...(wait > 0 ? { wait } : {}),
          ...(polling && { ...polling, ...namedAs(name()) }),
        }),
      merge: (theirs) => this.#open.merge(theirs),
      isDue: () => this.files.areDue,
      onThere: () => this.#goOn(),
      onLost: (error) => this.#lose(error),
    })
    this.abandoned = new AbandonedDrafts({
      ...{ document: this.#open, saver: this.saver, keeper: this.keeper, drafts, goOnWith },
      changesOf: (client, since) => this.#changes(since, client),
      push: (client, change) =>
        api.call('pushChange', { params: { id }, body: this.#pushedAs(client, change) }),
      catchUp: () => this.#catchingUp.catchUp(),
      onRestored: (at, undo) => onNotice({ kind: 'restored', at, undo }),
    })
  }

  /**
   * Draws the editor in an element; the text outlives it. `suggester` makes what makes suggestions of what is typed, once
   * for all editors: where this one is for that, or where closed windows have left some. Returns what takes it away.
   */
  attach(
    parent: HTMLElement,
    { suggests = false, suggester: make }: { suggests?: boolean; suggester?: () => Suggester } = {},
  ): { editor: Editor; detach: () => void } {
    const suggester = this.#suggester.forEditor(suggests, make ?? null)
    const editor = createEditor({
      parent,
      doc: this.#text.current,
      label: 'Text',
      readOnly: this.readOnly,
      placeholder: 'Write…',
      styleNonce: this.#styleNonce,
      attachments: { ...this.files.attachments, way: suggester ? 'suggesting' : 'editing' },
      diagrams: this.#diagrams,
      onChange: ({ own, step, changes, text, beside }) => {
        this.#open.conflicts.move(changes, text)
        if (!own) return
        this.#text.typed(changes, step)
        this.#text.writtenBeside(beside)
        this.saver.changed()
        if (writesAtInsertion(editor.view.state, changes)) this.#marks.draw()
      },
      onUndoStop: () => this.#onNotice({ kind: 'undo-stops' }),
      onPlain: () => this.#onNotice({ kind: 'plain' }),
      // Once all that follows the same change has.
      onTrouble: () => queueMicrotask(() => this.#open.compareShown()),
      onSelect: () => {
        const { from, to } = editor.selection()
        // With each key there is nothing selected anew.
        this.#selected = from === to ? nothing : { from, to }
        this.company.place()
      },
      onMarkClick: ({ id, kind }) => this.#marks.clicked({ id, kind }),
      ...(suggester && {
        onSuggest: (placed) => suggester.changed(placed),
        atServer: suggester,
        onKeepHere: (key) => suggester.keepHere(key),
        onSuggestedClick: (key) => {
          const waits = suggester.waiting.some((one) => one.key === key)
          if (waits || suggester.idOf(key) !== null)
            this.#marks.clicked({ id: suggester.nameOf(key), kind: 'suggestion' })
        },
      }),
    })
    this.#text.attach(editor)
    this.#suggester.begin(suggester, editor)
    this.#marks.draw()
    this.company.drawn()
    const detach = () => {
      this.#suggester.goOnUnseen(suggester)
      this.#text.detach()
    }
    return { editor, detach }
  }

  /** What makes suggestions of what is typed, also while that changes the text: what it has is sent, and shown there. */
  get suggests(): Suggester | null {
    return this.#suggester.made
  }

  /** What says how sending goes, where that isn’t the text’s saver. */
  get sender(): Suggester | null {
    return this.#suggester.sender
  }

  /** What was suggested by typing in windows that are closed by now goes on here, also where nobody suggests. */
  goOnWithLeft(): void {
    this.#suggester.goOnWithLeft()
  }

  get document(): Omit<Document, 'content'> {
    return this.#open.facts
  }

  /** As it stands here. */
  get title(): string {
    return this.#open.title
  }

  get #text() {
    return this.#open.text
  }

  get content(): string {
    return this.#text.stored
  }

  /** How the text begins. */
  beginning(length: number): string {
    return this.#text.head(length)
  }

  /** What the server last had, as far as is known here. */
  get base(): Base {
    return this.#open.base
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

  setReadOnly(readOnly: boolean): void {
    if (readOnly === this.readOnly) return
    this.readOnly = readOnly
    this.#text.editor?.setReadOnly(readOnly)
    if (readOnly) return this.company.pause()
    this.company.resume()
    this.saver.retry()
  }

  /** @param isOfText whether the text says so, and nobody has written it */
  rename(title: string, isOfText = false): void {
    this.#open.rename(title, isOfText)
    this.saver.changed()
  }

  /** Tries again now what failed. */
  retry(): void {
    this.saver.retry()
    this.suggests?.retry()
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
    await this.sendSuggestions().catch(() => {})
    await this.keeper.settled()
  }

  /** Resolves once the server has all that was suggested by typing; rejects where that can’t be now. */
  async sendSuggestions(): Promise<void> {
    await this.suggests?.flush()
  }

  async refresh(): Promise<void> {
    await this.saver.flush().catch((error: unknown) => {
      // What can’t be saved just now is merged with what comes; it isn’t lost.
      if (error instanceof ApiError && error.code === 'OFFLINE') throw error
    })
    await this.#catchingUp.catchUp()
    this.#text.editor?.stopUndo()
    this.changedHere = this.#text.revision
  }

  write(replacements: readonly (TextRange & { text: string })[]): void {
    const { editor, offsets, lines, stored } = this.#text
    const typed = this.#suggester.inUse ? null : editor
    const places = typed ? offsets : lines
    const changes = replacements.map(({ start, end, text }) => ({
      from: places.toEditor(start),
      to: start === end ? places.toEditor(start) : places.toEditor(end, -1),
      insert: toLf(text.toWellFormed()),
    }))
    if (typed) return typed.write(changes)
    this.#text.replace(ChangeSet.of(changes, toLf(stored).length))
    this.saver.changed()
  }

  /** Where a stretch of the server’s text at some revision is in the editor; null where that isn’t known. */
  placeNow(range: TextRange, revision: number): { from: number; to: number } | null {
    return this.#text.placeNow(range, revision)
  }

  reveal(range: TextRange): void {
    const { editor, offsets } = this.#text
    editor?.reveal(offsets.toEditor(range.start), offsets.toEditor(range.end))
  }

  setMarks(marks: TextMark[]): void {
    this.#marks.set(marks)
  }

  onMarkClick(callback: (mark: ClickedMark) => void): () => void {
    return this.#marks.onClick(callback)
  }

  get conflicts(): readonly OpenConflict[] {
    return this.#open.conflicts.open
  }

  /** Settles a conflict: the words chosen stay, and can be undone like anything typed. */
  choose(conflict: OpenConflict, choice: 'mine' | 'theirs' | 'both'): void {
    this.#open.conflicts.choose(conflict, choice, this.#text.editor)
  }

  /** Shows where a conflict stands. */
  revealConflict(conflict: OpenConflict): void {
    this.#text.editor?.reveal(conflict.from, conflict.to)
  }

  /** Without an editor: brings the files that wait into the text. */
  deliverFiles(): Promise<Delivered> {
    return this.files.deliver(() => this.saver.changed())
  }

  /** Looks for others’ changes now, and from now on every few seconds while the page is seen. */
  watch(): () => void {
    const stopFollowing = this.company.start()
    const stopLooking = this.#catchingUp.start()
    const stopWatching = watchPage({
      leave: () => {
        this.saver.leave()
        this.keeper.leave()
        this.suggests?.leave()
      },
      online: () => {
        this.#catchingUp.doubt(false)
        this.retry()
      },
      // Which says nothing of a server on the same machine.
      offline: () => this.#catchingUp.doubt(),
      wouldLose: () => {
        this.keeper.leave()
        return this.#suggester.wouldLose || this.files.wouldLose || (this.unsaved && !this.keeper.kept)
      },
    })
    return () => {
      stopLooking()
      stopFollowing()
      stopWatching()
    }
  }

  /** Ends the session; what is unsaved is sent once more and otherwise stays in the browser. */
  async close(): Promise<void> {
    const suggested = this.suggests?.end()
    await this.saver.flush().catch(() => {})
    await suggested
    this.abandoned.close()
    this.saver.dispose()
    this.#open.close()
    await this.files.close()
    await this.keeper.close()
    this.#writer.release()
  }

  /** The server answers: what waited for that goes on. */
  #goOn(): void {
    if (!this.readOnly) {
      this.saver.isThere()
      this.files.isThere()
      // What was suggested may be about text that an earlier window has left.
      void this.abandoned.isThere().finally(() => this.suggests?.isThere())
      this.goOnWithLeft()
    }
    this.company.resume()
  }

  /** Whoever asks the server has found that it says nothing: what waits is said to, and what is on its way isn’t given up. */
  heardNothing(): void {
    this.#lose(new ApiError('OFFLINE', 0, 'Galley isn’t answering.'))
  }

  /** It has said something since. */
  heardAgain(): void {
    void this.#catchingUp.look()
  }

  /** The server can’t be reached: nothing will come of what waits for an answer there. */
  #lose(error: ApiError): void {
    this.saver.lose(error)
    this.#suggester.lose(error)
    this.company.pause()
  }

  #changes(
    since = this.#text.revision,
    client = this.#client,
    more: Partial<Polling> & { wait?: number; name?: string } = {},
  ): Promise<ListedChanges> {
    const query = { since, ...(client === '' ? {} : { client }), ...more }
    return this.api.call('listChanges', { params: { id: this.document.id }, query })
  }

  #pushedAs(client: string, change: OutgoingChange) {
    return { ...pushedBy(client, change), ...this.#authored() }
  }

  /** @throws ApiError PRECONDITION_FAILED with the server’s document, where the change can’t be made of what that has */
  async #push(change: OutgoingChange, { keepalive }: { keepalive: boolean }): Promise<Updates> {
    // Whoever goes on after this window has to know that this may have arrived.
    this.keeper.keep()
    const params = { id: this.document.id }
    const body = this.#pushedAs(this.#client, change)
    const answer = keepalive ? null : await this.company.push(body)
    if (answer) return answer
    try {
      const updates = await this.api.call('pushChange', { params, body, keepalive })
      this.company.pushedElsewhere()
      return updates
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'VALIDATION_ERROR') throw error
      // It can't be made of what the server has: then the two texts are merged.
      const theirs = await this.api.call('getDocument', { params })
      throw new Unmade(error, theirs)
    }
  }

  async #rename({ keepalive }: { keepalive: boolean }): Promise<boolean> {
    const params = { id: this.document.id }
    const sending = this.#open.sendTitle()
    // Whoever goes on after this window has to know that it may have arrived.
    this.keeper.keep()
    try {
      const { body } = sending
      const answer = await this.api.call('updateDocument', { params, body, keepalive })
      this.arrive(() => sending.taken(answer))
      return true
    } catch (error) {
      const theirs =
        error instanceof ApiError && error.status === 412 ? (error.data as Document | null) : null
      this.arrive(() => (theirs ? sending.refused(theirs) : sending.lost()))
      if (!theirs) throw error
      return false
    }
  }

  /** Brings what has come from elsewhere into what is here. */
  protected arrive(bring: () => void): void {
    bring()
  }

  #keepDraft(dirty: boolean): void {
    this.unsaved = dirty
    if (dirty) return this.keeper.keep()
    this.keeper.drop()
    this.#keepForFiles()
  }

  /** Files wait at places in this text, which without a draft nothing else here has. */
  #keepForFiles(): void {
    const { revision } = this.#text
    // All of the text is put together only where it is needed.
    if (!this.files.areSome || revision === this.#keptRevision) return
    this.#keptRevision = revision
    this.#keepDocument({ ...this.document, ...this.base })
  }

  #draft(): DraftContent {
    const { text } = this.#open
    const { takenIn } = this.abandoned
    return { ...text.draft, client: this.#client, ...this.#open.titles, ...takenIn, at: Date.now() }
  }
}
