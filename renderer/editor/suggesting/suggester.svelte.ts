import { EditorState, Transaction } from '@codemirror/state'
import { untrack } from 'svelte'
import type { ApiError } from '../../api/client-of.ts'
import type { EditedText } from '../edited-text.svelte.ts'
import type { Editor } from '../editor.ts'
import { fromElsewhere } from '../own-undo.ts'
import type { SaveState } from '../saver.svelte.ts'
import type { Sending } from './sending.ts'
import { DueSuggestions, type Unmade } from './due-suggestions.ts'
import { AbandonedSuggestions } from './abandoned-suggestions.ts'
import { arriving } from './arriving-changes.ts'
import { besideOwn } from './beside-own.ts'
import { nothingSent, wordsOf, type Known } from './known-suggestion.ts'
import { OrderHere } from './order-here.ts'
import { keepingHere } from './undo-keeping-here.ts'
import { ListedSuggestions, type Listing } from './listed-suggestions.ts'
import { goingOn, Unseen, type Desk } from './unseen.ts'
import { SendingRounds } from './sending-rounds.svelte.ts'
import { SuggestionSender, type SenderOptions } from './suggestion-sender.ts'
import { isTooLong } from './too-long.ts'
import { suggestedPieces, type Piece } from './suggested-pieces.ts'
import { detachedOf, ownSuggestions } from './own-suggestions.ts'
import { UnsentSuggestions } from './unsent-suggestions.ts'

interface Options extends SenderOptions, Pick<Listing, 'onRejected'> {
  list: Sending['list'] & Listing['list']
}

/** Of what browsers let outlive a page, in characters, which may be three bytes each. */
const outlives = 20_000

/**
 * What one suggests by typing in an open text: made, changed while one goes on, and withdrawn, through the same calls as
 * every suggestion. What isn’t sent yet is kept in the browser.
 */
export class Suggester {
  /** Whether the browser keeps what isn’t sent. */
  kept = $state(true)
  /** Whether what closed windows have left is being looked for and sent. */
  catchesUp = $state(false)
  /** What the server isn’t known to have, as it is kept. */
  #unmade = $state.raw<readonly Unmade[]>([])
  /** Others’ suggestions may stand elsewhere among one’s own, or one’s own that go on unseen are others. */
  onShown = () => {}
  /** In which order others’ suggestions and one’s own stand. */
  readonly order: OrderHere
  readonly #options: Options
  readonly #unsent: UnsentSuggestions
  /** By the keys that the editor has for them. */
  readonly #known = new Map<number, Known>()
  #text: EditedText | null = null
  /** Where they stand: in the editor, or after it. */
  #desk: Desk | null = null
  #stop = () => {}
  #nextKey = 1
  readonly #sender: SuggestionSender
  readonly #rounds: SendingRounds
  readonly #due: DueSuggestions
  readonly #abandoned: AbandonedSuggestions
  readonly #listed: ListedSuggestions

  constructor(options: Options) {
    this.#options = options
    this.#unsent = new UnsentSuggestions(options.documentId)
    const here = {
      known: this.#known,
      text: () => this.#text,
      desk: () => this.#desk,
      newKey: () => this.#newKey(),
      onShown: () => this.onShown(),
    }
    this.order = new OrderHere({ list: options.list, known: this.#known, text: here.text })
    this.#due = new DueSuggestions(here)
    this.#abandoned = new AbandonedSuggestions(options, this.#unsent, here)
    this.#listed = new ListedSuggestions(options, {
      ...here,
      order: this.order,
      withdraws: (item) => this.#abandoned.withdraws(item),
      changed: () => this.changed(),
    })
    this.#sender = new SuggestionSender(options, {
      ...{ ...here, due: this.#due, listed: this.#listed },
      onAsked: () => this.#keep(),
      onSent: (key) => {
        this.#unmade = this.#unmade.filter((one) => one.key !== key)
        this.onShown()
      },
    })
    this.#rounds = new SendingRounds({
      isDue: () => this.#isDue,
      send: () => this.#sendDue(),
      onSent: () => (this.catchesUp = false),
      onEnd: () => this.#keep(),
    })
  }

  get state(): SaveState {
    return this.#rounds.state
  }

  /** Whether sending takes long, or has: then nothing is called saved before all of it is. */
  get slow(): boolean {
    return this.#rounds.slow
  }

  /**
   * Shows in an editor, which suggests, what is pending of one’s own, and keeps both in step. Where one has suggested
   * before, what stood there goes on, answered or not.
   */
  begin(text: EditedText, { view }: Editor): void {
    const shown = this.#desk && goingOn(view.state, this.#desk.state)
    text.follow(null)
    this.#text = text
    this.#desk = view
    if (shown) view.dispatch(shown)
    else this.#start(text)
  }

  /** Has a text in which nobody suggests go on with what closed windows have left. */
  beginUnseen(text: EditedText): void {
    this.#text = text
    this.#goOnIn(text, new Unseen(EditorState.create({ doc: text.current, extensions: ownSuggestions })))
    this.#start(text)
  }

  #start(text: EditedText): void {
    this.#stop()
    this.#known.clear()
    this.#due.clear()
    untrack(() => this.#listed.take())
    this.#stop = $effect.root(() => {
      $effect(() => {
        void this.#options.list.items
        // The same may have their places in a newer text.
        void this.#options.list.places
        // Some may be about a newer text than the one here.
        void text.version
        untrack(() => this.#listed.takeNew())
      })
    })
    void this.takeLeft()
  }

  /** The editor goes away: what was suggested there is sent, and moves with the text until one suggests again. */
  goOnUnseen(): void {
    const [text, desk] = [this.#text, this.#desk]
    if (!text || !desk) return
    this.#goOnIn(text, new Unseen(desk.state))
    if (this.#isDue) void this.#rounds.run()
  }

  #goOnIn(text: EditedText, unseen: Unseen): void {
    this.#desk = unseen
    text.follow((changes, isTyped) =>
      unseen.dispatch({
        ...arriving(unseen.state, changes, this, isTyped),
        annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false)],
      }),
    )
  }

  /** What waits here to be made, as nobody can be reached. */
  get waiting(): readonly Unmade[] {
    return this.#rounds.isTriedAgain ? this.#unmade : []
  }

  /** Says why something is suggested that waits here; it goes with it, or after it. */
  giveReason(key: number, note: string | null): boolean {
    const known = this.#known.get(key) ?? nothingSent
    if (known.id !== null || !this.#due.written.has(key)) return false
    this.#known.set(key, { ...known, note })
    this.changed()
    return true
  }

  /** By what id the server has what the editor has by a key; null if it doesn’t yet. */
  idOf(key: number): string | null {
    return this.#known.get(key)?.id ?? null
  }

  /** By what it is known on this page: that id, or else one of its own. */
  nameOf(key: number): string {
    return this.#due.nameOf(key)
  }

  /** Something was typed, or some are wanted elsewhere by their author. */
  changed(placed: readonly number[] = []): void {
    for (const key of placed) {
      const known = this.#known.get(key)
      // Its words may be the same; its place isn’t.
      if (known?.sent) this.#known.set(key, { ...known, sent: null, asked: known.sent })
    }
    this.#keep()
    this.#rounds.changed()
  }

  /** Sends what isn’t sent yet. Rejects where that can’t be now; then it is kept, and tried again. */
  flush(): Promise<void> {
    return this.#rounds.flush()
  }

  /** The server has just answered something else, to who may suggest. */
  isThere(): void {
    this.#rounds.isThere()
  }

  /** Nobody can be reached, as was found out without sending: what waits or is on its way is said not to arrive. */
  lose(error: ApiError): void {
    this.#rounds.lose(error)
  }

  retry(): void {
    this.#rounds.retry()
  }

  /**
   * The page is going away, or out of sight: what isn’t sent is kept, and sent so that it outlives the page. All of it
   * may be sent once more by whoever comes back, which does no harm.
   */
  leave(): void {
    const text = this.#text
    if (!text || text.isDirty || this.#rounds.isLeaving || this.state.kind === 'failed') return this.#keep()
    let room = outlives
    const sent = this.#due.all.flatMap(({ key, known, written }) => {
      if (!written) return known.id !== null && !known.unsure ? [this.#sender.send(key, true)] : []
      const message = known.id === null && known.unsure ? known.unsure : this.#due.message(written, known)
      room -= message.original.length * 2 + message.suggested.length + 500
      return room < 0 || isTooLong(message) ? [] : [this.#sender.send(key, true)]
    })
    this.#keep()
    if (sent.length > 0) this.#rounds.leave(sent)
  }

  /** Suggests what has lost its place for where it stands by now. */
  keepHere(key: number): void {
    this.#desk?.dispatch(keepingHere(this.#desk.state, key))
  }

  /** Of the text that is here. */
  revision(): number {
    return this.#text?.revision ?? 0
  }

  /** What the server has, or may have, of the suggestion of a key. */
  sentWords(key: number): { original: string; suggested: string }[] {
    const { sent, asked, unsure } = this.#known.get(key) ?? {}
    return [sent, asked, unsure && wordsOf(unsure)].flatMap((words) => words ?? [])
  }

  /** How one’s own stand in the text with line feeds by now, answered or not. Those whose place is gone have none. */
  get placed(): { name: string; id: string | null; start: number; end: number; pieces: Piece[] }[] {
    if (!this.#desk) return []
    const detached = detachedOf(this.#desk.state)
    return [...this.#due.written.values()].flatMap(({ key, start, original, suggested }) =>
      detached.has(key)
        ? []
        : {
            ...{ name: this.#due.nameOf(key), id: this.idOf(key), start, end: start + original.length },
            pieces: suggestedPieces(original, suggested),
          },
    )
  }

  /**
   * Where in the editor something of another’s suggestion stands that it puts in at a place of the text with line feeds.
   * @param words those that it is for
   */
  beside(
    id: string,
    place: number,
    words: { from: number; to: number },
  ): { at: number; side: -1 | 1 } | null {
    if (!this.#desk) return null
    const { state } = this.#desk
    const turn = { start: words.from, end: words.to, turn: this.order.turnOfId(id) }
    return besideOwn(state.doc, state.field(ownSuggestions), place, turn, this.order.turnOf)
  }

  /** Whether a suggestion of the server’s is known here, and is none any more. */
  isGone(id: string): boolean {
    const { written } = this.#due
    const item = this.#options.list.items.find((item) => item.id === id)
    if (item && this.#abandoned.withdraws(item)) return true
    return [...this.#known].some(([key, known]) => known.id === id && !written.has(key))
  }

  /** The words that aren’t sent yet, to be copied. */
  get words(): string {
    return this.#due.all
      .flatMap(({ written, known }) => [written?.suggested, known.note].flatMap((words) => words ?? []))
      .join('\n\n')
  }

  get isUnsent(): boolean {
    return this.state.kind !== 'saved'
  }

  /** Ends it; what isn’t sent is sent once more and otherwise stays in the browser. */
  async end(): Promise<void> {
    await this.flush().catch(() => {})
    this.#stop()
    this.#rounds.end()
    this.#text?.follow(null)
    this.#desk = null
    this.#text = null
    this.#unsent.release()
  }

  #newKey(): number {
    const used = Math.max(0, ...this.#due.written.keys(), ...this.#known.keys())
    return (this.#nextKey = Math.max(this.#nextKey, used + 1) + 1) - 1
  }

  /** Goes on with what closed windows have left: shows it in the text, where it has its place there, and sends it. */
  async takeLeft(): Promise<void> {
    if (!this.#unsent.areOthers) return
    this.catchesUp = true
    const areSome = await this.#abandoned.take()
    this.#keep()
    if (areSome) await this.#rounds.run()
    else this.catchesUp &&= this.#isDue
  }

  #keep(): void {
    // What was kept as this ended is whoever’s who goes on with it.
    if (!this.#desk) return
    const { unsent, unmade } = this.#due.kept
    this.#unmade = unmade
    this.kept = this.#unsent.keep([...this.#abandoned.waiting, ...unsent])
  }

  async #sendDue(): Promise<void> {
    await this.#abandoned.send()
    await this.#sender.sendDue()
    // What was sent before may have been answered by now otherwise than it was then.
    if (this.catchesUp) await this.#options.load().catch(() => {})
  }

  get #isDue(): boolean {
    return this.#abandoned.waiting.length > 0 || this.#due.all.length > 0
  }
}
