import { tick, untrack } from 'svelte'
import {
  closeSession,
  openSession,
  savingOf,
  savingOfSuggestions,
  suggesterOf,
  takeUpAside,
} from './editing.svelte.ts'
import { explain } from './explain.ts'
import { waitingInEditor } from './left-suggestions.ts'
import type { Reader } from './reader.svelte.ts'

type Session = Awaited<ReturnType<typeof openSession>>

/** The text that is edited: it is opened, may be written in as the link stands, and says what of it waits to be sent. */
export class OpenText {
  /** Null before it is open, and once it is closed. */
  session = $state.raw<Session | null>(null)
  /** Why it couldn’t be opened. */
  problem = $state<string | null>(null)
  /** While one suggests, or what was suggested before can’t be sent. */
  readonly suggester = $derived.by(() => this.session?.sender ?? null)
  readonly saving = $derived.by(() => {
    const { session, suggester } = this
    if (!session) return null
    return suggester ? savingOfSuggestions(suggester, session, this.#reader) : savingOf(session, this.#reader)
  })
  readonly title = $derived.by(() => (this.session?.title ?? document.title).trim() || 'Untitled')
  readonly #reader: Reader
  #isGone = false

  /** To be made while a component is, for as long as it is shown. */
  constructor(reader: Reader) {
    this.#reader = reader
    // What waits has a card, too, on which one says why.
    $effect(() => {
      const suggests = this.session?.suggests
      const waiting = suggests ? waitingInEditor(suggests, reader.page.documentId) : []
      untrack(() => (reader.editing.waiting = waiting))
      return () => (reader.editing.waiting = [])
    })
    // Its owner may rename it meanwhile.
    $effect(() => {
      document.title = this.title
    })
    this.#followLink()
    $effect(() => () => void (this.#isGone = true))
  }

  #followLink(): void {
    const { link, editing, connection } = this.#reader
    $effect(() => {
      const { session } = this
      const mayWrite = editing.way === 'suggesting' ? link.maySuggestNow : link.mayEditNow
      untrack(() => session?.setReadOnly(!mayWrite))
    })
    // What was typed by a way goes by that way as soon as the link permits it again, whichever way is chosen by then.
    $effect(() => {
      const { session } = this
      if (link.maySuggestNow) untrack(() => session?.suggests?.retry())
    })
    $effect(() => {
      const { session } = this
      if (session && link.mayEditNow) untrack(() => void takeUpAside(this.#reader, session))
    })
    $effect(() => {
      const { session } = this
      if (session && connection.answers.isSilent) untrack(() => session.heardNothing())
    })
  }

  async open(): Promise<void> {
    this.problem = null
    try {
      const opened = await openSession(this.#reader)
      if (this.#isGone) await opened.close()
      else this.session = opened
    } catch (error) {
      this.problem = explain(error, 'open the text')
    }
  }

  /** Shows it in `parent`, to be written in by the way that is chosen. */
  attach(parent: HTMLElement, session: Session) {
    return session.attach(parent, {
      suggests: this.#reader.editing.way === 'suggesting',
      suggester: () => suggesterOf(this.#reader, session),
    })
  }

  /** What is typed from now on isn’t taken any more; what was typed waits, or is sent. */
  async close(): Promise<void> {
    const { session } = this
    this.session = null
    await tick()
    if (session) await closeSession(this.#reader, session)
  }
}
