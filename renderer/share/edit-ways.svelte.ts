import { tick, untrack } from 'svelte'
import type { Way } from '../editor/ways.ts'
import type { OpenText } from './open-text.svelte.ts'
import type { Reader } from './reader.svelte.ts'
import type { ShownEditor } from './shown-editor.svelte.ts'

/** By which way one is in the text that is edited, how one goes on by another, and back to reading. */
export class EditWays {
  /** Whether what was typed is being sent, to go back to reading then. */
  leaving = $state(false)
  readonly #reader: Reader
  readonly #text: OpenText
  readonly #shown: ShownEditor

  /** To be made while a component is, for as long as it is shown. */
  constructor(reader: Reader, text: OpenText, shown: ShownEditor) {
    this.#reader = reader
    this.#text = text
    this.#shown = shown
    // What can’t be suggested is about a text that the server hasn’t, and won’t have while the link is as it is.
    $effect(() => {
      const { mayEditNow, maySuggestNow } = reader.link
      const isSuggesting = reader.editing.way === 'suggesting' && maySuggestNow
      if (isSuggesting && !mayEditNow && text.session?.unsaved && !this.leaving)
        untrack(() => void this.#suggestInStoredText())
    })
  }

  async #suggestInStoredText(): Promise<void> {
    this.#shown.handOnPlace()
    await this.#text.close()
    await this.#text.open()
  }

  choose(way: Way): void {
    if (way === 'viewing') return void this.done()
    const { editing } = this.#reader
    if (way === editing.way || !this.#text.session || !this.#shown.editor || this.leaving) return
    // At once: what is typed from now on goes by this way. What was typed before is sent behind it.
    this.#shown.handOnPlace()
    editing.way = way
  }

  /** Goes back to reading once what was typed is sent, or kept to be sent later. */
  async done(): Promise<void> {
    const { session, suggester } = this.#text
    if (!session || this.leaving) return
    if (session.readOnly) return this.leave()
    const there = this.#shown.whereNow()
    this.leaving = true
    // At once: what is typed from now on would be sent for a text that is only read.
    this.#shown.editor?.setReadOnly(true)
    try {
      await session.sendSuggestions()
    } catch {
      // It is kept, and sent once that can be.
      if (!suggester?.kept) return this.#stay()
    }
    try {
      await session.saveNow()
    } catch {
      // What can't be delivered now is, later: nobody has to wait for it here.
      const waits = session.saver.state.kind === 'failed' && session.saver.state.cause === 'unreachable'
      if (!waits || !session.keeper.kept) return this.#stay()
      this.#reader.editing.unsent = true
    }
    await this.leave(there)
  }

  #stay(): void {
    this.leaving = false
    this.#shown.editor?.setReadOnly(this.#text.session?.readOnly ?? false)
    void tick().then(() => this.#shown.editor?.focus())
  }

  /** Goes back to reading as things stand. */
  async leave(there = this.#shown.whereNow()): Promise<void> {
    const { editing, link, page } = this.#reader
    editing.collides = false
    await this.#reader.endEditing(there)
    await this.#text.close()
    // Suggestions, too: what can’t be sent from here goes from the page that is read.
    if (editing.unsent && link.canSuggest) await editing.lookForLeft(page.documentId)
    else await editing.resume(page.documentId, link.access)
    editing.closed++
  }
}
