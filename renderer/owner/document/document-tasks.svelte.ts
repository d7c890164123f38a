import { tick } from 'svelte'
import type { Editor } from '../../editor/editor.ts'
import type { Way } from '../../editor/ways.ts'
import type { EditorHeading } from '../../editor/headings.ts'
import { Offsets } from '../../editor/offsets.ts'
import type { DocumentFeedback } from '../feedback/document-feedback.svelte.ts'
import { toast } from '../../ui/toast.ts'
import type { OwnerApp } from '../app.ts'
import { sayFailure } from '../say-failure.ts'
import { exportDocument, printDocument } from '../export/export-document.ts'
import type { OfferedFormat } from '../export/export-formats.ts'
import { deleteWithUndo, duplicate, openInNewWindow } from '../library/document-actions.ts'
import { documentPath } from '../router.svelte.ts'
import { copyFormatted } from './document-copy.ts'
import type { Panes } from './panes.svelte.ts'
import { showWritten, writtenPlace } from './reading-place.ts'
import type { OwnerSession } from './session.svelte.ts'

/** What can be done with an open document, however it is asked for. */
export class DocumentTasks {
  /** Null before the text is drawn. */
  editor = $state.raw<Editor | null>(null)
  /** Takes the editor away. */
  detach = () => {}
  /** Where the title is typed. */
  titleField: HTMLInputElement | null = null
  /** How the text was scrolled when it was last left for reading. */
  #written: ReturnType<Editor['view']['scrollSnapshot']> | null = null
  readonly #app: OwnerApp
  readonly #session: OwnerSession
  readonly #feedback: DocumentFeedback
  readonly #panes: Panes

  constructor(app: OwnerApp, session: OwnerSession, feedback: DocumentFeedback, panes: Panes) {
    this.#app = app
    this.#session = session
    this.#feedback = feedback
    this.#panes = panes
  }

  comment(): void {
    const { comments } = this.#feedback
    comments.compose()
    const panes = this.#panes
    // What is read can’t be selected to be commented on: that is written in the list.
    if (panes.reading || !comments.composing?.anchor || !panes.showPassage()) panes.show('comments')
  }

  /** Opens or closes the panel on a tab, or beside it where only there something is open. */
  togglePanel(tab = this.#panes.tab): void {
    const panes = this.#panes
    if (panes.panelOpen && panes.tab === tab) void this.closePanel()
    else panes.show(tab === 'share' ? tab : this.#feedback.openTab(tab))
  }

  /** Closes the panel; the keyboard goes back to the text, if it went with it. */
  async closePanel(): Promise<void> {
    this.#panes.panelOpen = false
    await tick()
    const { activeElement } = document
    if (!activeElement?.isConnected || activeElement === document.body) this.editor?.focus()
  }

  /** Goes to the next thread or suggestion in the text, or the one before. */
  step(by: 1 | -1): void {
    this.#feedback.step(by)
  }

  /** Goes on by suggesting, with what is selected still selected: what is typed then is suggested for it. */
  async suggestHere(): Promise<void> {
    const places = this.editor?.places
    const { from, to } = this.editor?.selection() ?? { from: 0, to: 0 }
    const [start, end] = [places?.toText(from) ?? from, places?.toText(to) ?? to]
    await this.choose('suggesting')
    const { editor } = this
    if (!editor) return
    const { toShown } = editor.places
    editor.view.dispatch({ selection: { anchor: toShown(start), head: toShown(end) } })
    editor.focus()
  }

  playHistory(): void {
    this.#panes.focus.on = false
    this.#feedback.versions.play()
  }

  jump({ from }: EditorHeading): void {
    const panes = this.#panes
    panes.outline.leave('sheet')
    if (panes.reading) {
      const offset = new Offsets(this.#session.content).toStored(from)
      return panes.readingView.show({ offset, top: 120 })
    }
    requestAnimationFrame(() => this.editor?.reveal(from, from, { focus: true }))
  }

  /** Finds words in what is shown: in the text, or in the text as it reads. */
  find(): void {
    if (this.#panes.reading) this.#panes.readingView.find()
    else this.editor?.openSearch()
  }

  /** Between writing and reading; each begins where the other was. */
  async toggleReading(): Promise<void> {
    const panes = this.#panes
    panes.focus.on = false
    if (panes.reading) return this.#writeOn()
    const { editor } = this
    // At once: what is typed from now on isn’t meant for the text.
    editor?.setReadOnly(true)
    try {
      await this.#session.saveNow()
    } catch (error) {
      return sayFailure('The reading view shows what is saved, and this isn’t yet', error)
    } finally {
      editor?.setReadOnly(this.#session.readOnly)
    }
    if (editor) {
      this.#written = editor.view.scrollSnapshot()
      panes.readingView.begin(writtenPlace(editor, this.#session.content))
    }
    panes.reading = true
  }

  /** Goes to another way of being in the text, where the writer is in it. */
  async choose(way: Way): Promise<void> {
    const panes = this.#panes
    if (way === panes.way) return
    if (way === 'viewing') return this.toggleReading()
    const suggests = way === 'suggesting'
    if (suggests !== panes.suggesting) {
      // At once: what is typed from now on goes by this way. What was typed before is sent behind it.
      panes.suggesting = suggests
      await tick()
    }
    if (panes.reading) return this.#writeOn()
    this.editor?.focus()
  }

  async #writeOn(): Promise<void> {
    const { editor } = this
    const { readingView } = this.#panes
    const { isWhereItBegan, place } = readingView
    this.#panes.reading = false
    await tick()
    if (!editor) return
    editor.focus()
    if (isWhereItBegan && this.#written) editor.view.dispatch({ effects: this.#written })
    else if (place) showWritten(editor, this.#session.content, place)
  }

  async toggleFocus(): Promise<void> {
    if (this.#panes.focus.on) this.#panes.focus.on = false
    else this.#panes.enterFocus()
    await tick()
    this.editor?.focus()
  }

  async rename(): Promise<void> {
    this.#panes.focus.on = false
    await tick()
    this.titleField?.select()
  }

  async save(): Promise<void> {
    try {
      await this.#session.saveNow()
      toast.success('Saved', {
        description: 'Galley saves by itself, a moment after you pause.',
        duration: 2500,
      })
    } catch {
      // The bar above the text says why.
    }
  }

  async saveAsNew(): Promise<void> {
    const { account, router } = this.#app
    try {
      const { title, content } = this.#session
      const made = await account.api.call('createDocument', { body: { title, content } })
      this.#session.keeper.drop()
      router.go(documentPath(made.id), { replace: true })
    } catch (error) {
      sayFailure('The new document wasn’t made', error)
    }
  }

  openInNewWindow(): void {
    openInNewWindow(this.#session.document.id)
  }

  async duplicate(): Promise<void> {
    await this.#session.saveNow().catch(() => {})
    await duplicate(this.#app, this.#session.document)
    toast.success('Duplicated', { description: 'The copy is among your documents.' })
  }

  async delete(): Promise<void> {
    // What was typed a moment ago belongs to what may be restored.
    await this.#session.saveNow().catch(() => {})
    if (await deleteWithUndo(this.#app, this.#contents)) this.#app.router.go('/')
  }

  async export(format: OfferedFormat): Promise<void> {
    if (format === 'md' || (await this.#savedForPage()))
      await exportDocument(this.#app, this.#contents, format)
  }

  async print(): Promise<void> {
    if (await this.#savedForPage()) await printDocument(this.#app, this.#contents)
  }

  copy(): Promise<void> {
    return copyFormatted({ api: this.#app.account.api, session: this.#session })
  }

  get #contents() {
    const { document, title, content } = this.#session
    return { id: document.id, title, content }
  }

  /** What leaves Galley as a page is made by the server, of what it has. */
  async #savedForPage(): Promise<boolean> {
    try {
      await this.#session.saveNow()
      return true
    } catch (error) {
      sayFailure('Only what is saved can be put on a page, and this isn’t yet', error)
      return false
    }
  }
}
