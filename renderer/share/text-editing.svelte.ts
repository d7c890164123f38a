import { tick } from 'svelte'
import type { LinkAccess } from '../../server/domain/access.ts'
import { unsentKeys } from '../editor/suggesting/suggested-here.ts'
import { loadPart } from '../ui/load-part.ts'
import { bringIntoView, underBars } from './bring-into-view.ts'
import type { Link } from './link.svelte.ts'
import type { Entry } from './outbox/entry.ts'
import type { Notices } from './notices.svelte.ts'
import type { ShownText } from './shown-text.svelte.ts'
import type { Subject } from './subject.ts'
import type { WaitingSuggestion } from './left-suggestions.ts'
import type { TextPane } from './text-pane.ts'

/** What is to stand at the top of the window after editing, and how far below the bars; null for the text’s beginning. */
export type ReturnTo = { where: () => DOMRect | null; down: number } | null

/** What is said of a text that is being edited, and where it stands in it. */
export interface EditedFeedback {
  /** What has marks, in the order of the text. */
  readonly ids: readonly string[]
  /** Brings a mark into view. */
  reveal(id: string): void
  /** Moves what is looked at above a notice that covers it. */
  keepAboveNotice(): void
  /** Something stands at the foot of the text. Returns what says that it is gone. */
  makeRoomBelow(): () => void
  /** What a comment on the selected words is about, or on the whole document; null where they are too many. */
  subject(): Subject | null
  /** Resolves once the server has what was typed, as far as it can be reached. */
  save(): Promise<void>
}

/**
 * The text with what one window typed into it. It stays a change of the text, and waits until the link lets one make it;
 * `kept` in the browser, or else nowhere but here.
 */
export interface SetAside {
  text: string
  kept: boolean
  /** Milliseconds since 1970. */
  at: number
}

/** Whether the text is being edited on the page, where its reader was when that began, and what of it isn’t sent yet. */
export class TextEditing {
  open = $state(false)
  /** Whether what is typed changes the text, or becomes suggestions. */
  way = $state<'suggesting' | 'editing'>('editing')
  /** How often the editor was left, and all of it that waits is where the page looks for it. */
  closed = $state(0)
  /** Null before the editor stands there. */
  feedback = $state.raw<EditedFeedback | null>(null)
  /** Whether the text was changed here and the server hasn’t got that yet. */
  unsent = $state(false)
  /** What was typed into the text and wasn’t taken before the link allowed less, by each window that did so. */
  setAside = $state.raw<readonly SetAside[]>([])
  /** Whether somebody else has changed the same words meanwhile. */
  collides = $state(false)
  /** What was suggested by typing and left behind. In the editor it stands in the text. */
  left = $state.raw<readonly WaitingSuggestion[]>([])
  /** What is suggested in the editor and waits. */
  waiting = $state.raw<readonly WaitingSuggestion[]>([])
  /** Sends changes of the text that were left behind; what does so is loaded when there are some. */
  send: () => Promise<void> = () => Promise.resolve()
  /** While what was left behind is being sent. */
  delivering = $state.raw<Promise<void> | null>(null)
  /** The line that stood at the top of the window when editing began; null for the beginning of the text. */
  place: ReturnType<TextPane['lineBelow']> = null
  /** How far below the bars that was. */
  down = 0
  #scrolledTo = 0
  readonly #text: ShownText
  readonly #link: Link
  readonly #notices: Notices

  constructor(text: ShownText, link: Link, notices: Notices) {
    this.#text = text
    this.#link = link
    this.#notices = notices
  }

  /** Looks for what an earlier visit left unsent. */
  async resume(documentId: string, access: LinkAccess): Promise<void> {
    if (access !== 'edit' && (access !== 'suggest' || unsentKeys(documentId).length === 0)) return
    const { hasAbandonedDrafts } = await loadPart(() => import('./abandoned-drafts.ts'))
    this.unsent = await hasAbandonedDrafts(documentId, access)
    await this.lookForLeft(documentId)
  }

  /** Looks for what was suggested by typing and left behind, to be shown as waiting. */
  async lookForLeft(documentId: string): Promise<void> {
    if (this.left.length === 0 && unsentKeys(documentId).length === 0) return
    const { waitingSuggestions } = await loadPart(() => import('./abandoned-drafts.ts'))
    this.left = await waitingSuggestions(documentId, this.#text.pane)
  }

  /** That it was taken back by typing, where that waits. */
  withdrawalsOf(id: string): (WaitingSuggestion['entry'] & { kind: 'withdraw' })[] {
    const entries = this.open ? [] : this.left.map(({ entry }) => entry)
    return entries.filter((entry) => entry.kind === 'withdraw').filter(({ target }) => target === id)
  }

  /** What was suggested by typing and is shown as this. */
  typedOf(entry: Entry): WaitingSuggestion | undefined {
    return [...this.left, ...this.waiting].find((one) => one.entry === entry)
  }

  /** Forgets one of these; answers what brings it back, or null where it isn’t for that. */
  discard(one: WaitingSuggestion): (() => void) | null {
    if (!one.discarding) return null
    one.discarding.discard()
    this.left = this.left.filter((other) => other !== one)
    return () => {
      one.discarding?.restore()
      this.left = [...this.left, one]
      this.unsent = true
    }
  }

  begin(way: 'suggesting' | 'editing'): void {
    this.way = way
    const edge = underBars()
    this.place = scrollY < 8 ? null : this.#text.pane.lineBelow(edge)
    this.down = this.place ? this.place.top - edge : 0
    this.#scrolledTo = scrollY
    this.open = true
  }

  /**
   * Goes back to reading: `find` answers what is to stand at the top then, in the text as it is shown by then, and how
   * far below the bars. Without it reading goes on where it was left.
   */
  async end(find: (() => ReturnTo) | null): Promise<void> {
    try {
      if (this.#link.state !== 'lost') await this.#text.renew()
    } catch (error) {
      if (!this.unsent) this.#notices.fail(error, 'show the new text')
    }
    const there = find ? find() : this.#whereItWas()
    this.open = false
    // The text has no place on the page before it is shown again.
    await tick()
    scrollTo({ top: find && !there ? 0 : this.#scrolledTo, behavior: 'instant' })
    if (there) void bringIntoView(there.where, () => underBars() + there.down)
  }

  #whereItWas(): ReturnTo {
    const { place } = this
    const { pane, revision } = this.#text
    if (!place) return null
    const passage = place.revision === revision ? place : pane.findWords(place.words, place.part)
    return passage && { where: () => pane.rectOf(passage), down: this.down }
  }

  /** Sends what was typed into the text and left behind, unless it is being gone on with. */
  async deliver(documentId: string): Promise<void> {
    const { state, access } = this.#link
    // Also where the page was made before the link allowed it again.
    const mayWrite = access === 'edit' || access === 'suggest'
    if (!this.unsent || this.open || this.delivering || state !== 'works' || !mayWrite) return
    // What can’t be sent stays where it is, and is tried again with the next look.
    const sending = this.send()
      .catch(() => {})
      .then(() => this.lookForLeft(documentId))
      .catch(() => {})
    this.delivering = sending
    await sending
    this.delivering = null
  }
}
