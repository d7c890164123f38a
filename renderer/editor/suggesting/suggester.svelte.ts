import { EditorState, Transaction } from '@codemirror/state'
import { untrack } from 'svelte'
import { limits } from '../../../server/contract/limits.ts'
import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import { backOff } from '../../../server/platform/back-off.ts'
import { ApiError } from '../../api/client-of.ts'
import type { EditedText } from '../edited-text.svelte.ts'
import type { Editor } from '../editor.ts'
import { fromElsewhere } from '../own-undo.ts'
import { failureOf, type SaveState } from '../saver.svelte.ts'
import { changeSuggestion, createSuggestion, withdrawSuggestion, type Sending } from './sending.ts'
import { DueSuggestions, type Unmade } from './due-suggestions.ts'
import { AbandonedSuggestions } from './abandoned-suggestions.ts'
import { arriving } from './arriving-changes.ts'
import { nothingSent, wordsOf, type Known } from './known-suggestion.ts'
import { keepingHere } from './undo-keeping-here.ts'
import { ListedSuggestions, type Listing } from './listed-suggestions.ts'
import { goingOn, Unseen, type Desk } from './unseen.ts'
import { suggestedPieces, type Piece } from './suggested-pieces.ts'
import { detachedOf, isSent, ownSuggestions } from './own-suggestions.ts'
import { nameOfUnsent, UnsentSuggestions, type UnsentSuggestion } from './unsent-suggestions.ts'

interface Options extends Sending, Pick<Listing, 'onRejected'> {
  list: Sending['list'] & Listing['list']
  /** Resolves once the server has what was typed in the text itself, before suggesting began. */
  saved: () => Promise<void>
}

/** After the last letter, and so long at the most while one goes on typing, in milliseconds. */
const typingPause = 1_200
const longestWait = 6_000
const slowAfter = 2_000
const pauses = { first: 1_000, longest: 30_000 }
/** While somebody writes without a pause, a suggestion goes after so many savings at the latest. */
const mostSaves = 5
/** Of what browsers let outlive a page, in characters, which may be three bytes each. */
const outlives = 20_000

/**
 * What one suggests by typing in an open text: made, changed while one goes on, and withdrawn, through the same calls as
 * every suggestion. What isn’t sent yet is kept in the browser.
 */
export class Suggester {
  state = $state.raw<SaveState>({ kind: 'saved' })
  /** Whether sending takes long, or has: then nothing is called saved before all of it is. */
  slow = $state(false)
  /** Whether the browser keeps what isn’t sent. */
  kept = $state(true)
  /** Whether what closed windows have left is being looked for and sent. */
  catchesUp = $state(false)
  /** What the server isn’t known to have, as it is kept. */
  #unmade = $state.raw<readonly Unmade[]>([])
  /** The server has made others of what goes on unseen. */
  onUnseen = () => {}
  readonly #options: Options
  readonly #unsent: UnsentSuggestions
  /** By the keys that the editor has for them. */
  readonly #known = new Map<number, Known>()
  #text: EditedText | null = null
  /** Where they stand: in the editor, or after it. */
  #desk: Desk | null = null
  #stop = () => {}
  #timer: ReturnType<typeof setTimeout> | undefined
  #slowTimer: ReturnType<typeof setTimeout> | undefined
  #waitingSince: number | null = null
  #running: Promise<void> | null = null
  /** What is being sent as the page goes. */
  #leaving: Promise<unknown> | null = null
  #failures = 0
  /** Why nobody can be reached, where that is known before anything is sent. */
  #lost: ApiError | null = null
  #nextKey = 1
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
      onShown: () => this.#isShown(),
    }
    this.#due = new DueSuggestions(here)
    this.#abandoned = new AbandonedSuggestions(options, this.#unsent, here)
    this.#listed = new ListedSuggestions(options, {
      ...here,
      withdraws: (item) => this.#abandoned.withdraws(item),
      changed: () => this.changed(),
    })
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
    if (this.#isDue) void this.#run()
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
    return this.#isTriedAgain ? this.#unmade : []
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
    if (this.state.kind === 'failed' && this.#failures > 0) return
    this.#waitingSince ??= Date.now()
    if (this.#lost) this.#say(this.#lost, Date.now())
    else if (this.state.kind !== 'saving' && !this.#isTriedAgain) this.state = { kind: 'waiting' }
    const left = Math.max(0, this.#waitingSince + longestWait - Date.now())
    this.#later(Math.min(typingPause, left))
  }

  /** Sends what isn’t sent yet. Rejects where that can’t be now; then it is kept, and tried again. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#running
    await this.#run()
    if (this.state.kind === 'failed') throw new Error(this.state.reason)
  }

  /** The server has just answered something else. */
  isThere(): void {
    this.#lost = null
    if (this.state.kind === 'failed' && this.state.cause === 'unreachable') this.retry()
  }

  /** Nobody can be reached, as was found out without sending: what waits or is on its way is said not to arrive. */
  lose(error: ApiError): void {
    this.#lost = error
    if (this.state.kind === 'waiting' || this.state.kind === 'saving') this.#say(error, Date.now())
  }

  retry(): void {
    this.#failures = 0
    void this.#run()
  }

  /**
   * The page is going away, or out of sight: what isn’t sent is kept, and sent so that it outlives the page. All of it
   * may be sent once more by whoever comes back, which does no harm.
   */
  leave(): void {
    const text = this.#text
    if (!text || text.isDirty || this.#leaving || this.state.kind === 'failed') return this.#keep()
    let room = outlives
    const sent = this.#due.all.flatMap(({ key, known, written }) => {
      if (!written) return known.id !== null && !known.unsure ? [this.#send(key, true)] : []
      const message = known.id === null && known.unsure ? known.unsure : this.#due.message(written, known)
      room -= message.original.length * 2 + message.suggested.length + 500
      return room < 0 || isTooLong(message) ? [] : [this.#send(key, true)]
    })
    this.#keep()
    if (sent.length === 0) return
    clearTimeout(this.#timer)
    this.#leaving = Promise.allSettled(sent).then(() => {
      this.#leaving = null
      // Of a page that is still here, what came of it is seen, and what is left tried again.
      this.retry()
    })
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
    clearTimeout(this.#timer)
    clearTimeout(this.#slowTimer)
    this.#text?.follow(null)
    this.#desk = null
    this.#text = null
    this.#unsent.release()
  }

  #isShown(): void {
    if (this.#desk instanceof Unseen) this.onUnseen()
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
    if (areSome) await this.#run()
    else this.catchesUp &&= this.#isDue
  }

  #keep(): void {
    // What was kept as this ended is whoever’s who goes on with it.
    if (!this.#desk) return
    const { unsent, unmade } = this.#due.kept
    this.#unmade = unmade
    this.kept = this.#unsent.keep([...this.#abandoned.waiting, ...unsent])
  }

  #later(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#run(), ms)
  }

  #run(): Promise<void> {
    clearTimeout(this.#timer)
    this.#running ??= Promise.resolve(this.#leaving)
      .then(() => this.#round())
      .finally(() => (this.#running = null))
    return this.#running
  }

  async #round(): Promise<void> {
    this.#waitingSince = null
    if (!this.#isDue) {
      this.catchesUp = this.slow = false
      return void (this.state = { kind: 'saved' })
    }
    // What was said to have failed stays so until it hasn’t: a try that may fail as well is no news.
    if (this.#lost && !this.#isTriedAgain) this.#say(this.#lost, Date.now())
    if (!this.#isTriedAgain) this.state = { kind: 'saving' }
    this.#slowTimer = setTimeout(() => (this.slow = true), slowAfter)
    try {
      await this.#abandoned.send()
      for (const { key } of this.#due.all) {
        await this.#textSaved()
        await this.#send(key)
      }
      // What was sent before may have been answered by now otherwise than it was then.
      if (this.catchesUp) await this.#options.load().catch(() => {})
      this.catchesUp = false
      this.#failures = 0
      this.#lost = null
      const isAll = !this.#isDue
      this.state = { kind: isAll ? 'saved' : 'waiting' }
      if (!isAll) this.#later(typingPause)
    } catch (error) {
      const { retries } = failureOfSuggestion(error)
      const wait = backOff(this.#failures++, { ...pauses, random: Math.random })
      const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0
      const retryAt = retries ? Date.now() + Math.max(wait, asked) : null
      this.#say(error, retryAt)
      if (retryAt !== null) this.#later(retryAt - Date.now())
    } finally {
      clearTimeout(this.#slowTimer)
      if (this.state.kind === 'saved') this.slow = false
      this.#keep()
    }
  }

  /** So that the server knows the text that a suggestion is about, also where that is written in meanwhile. */
  async #textSaved(): Promise<void> {
    for (let tries = 0; this.#text?.isDirty && tries < mostSaves; tries++) await this.#options.saved()
  }

  #say(error: unknown, retryAt: number | null): void {
    const { cause, reason } = failureOfSuggestion(error)
    this.state = { kind: 'failed', cause, reason, retryAt }
  }

  /** Whether it has failed, and is tried again by itself. */
  get #isTriedAgain(): boolean {
    return this.state.kind === 'failed' && this.state.retryAt !== null
  }

  get #isDue(): boolean {
    return this.#abandoned.waiting.length > 0 || this.#due.all.length > 0
  }

  /** Makes of the server’s suggestion what it is here by now. */
  async #send(key: number, keepalive = false): Promise<void> {
    const due = this.#due.all.find((one) => one.key === key)
    if (!due) return
    const { known } = due
    // What more there is of it can be told once its words have come.
    if (known.id !== null && this.#listed.isToArrive(known.id)) return
    if (known.unsure && known.id === null) {
      this.#sent(key, known.unsure, await this.#create(known.unsure, keepalive))
      if (keepalive) return
      await this.#textSaved()
      return this.#send(key)
    }
    if (!due.written) {
      if (known.id !== null) await withdrawSuggestion(this.#options, known.id, keepalive)
      this.#known.delete(key)
      return
    }
    const message = this.#due.message(due.written, known)
    if (isTooLong(message)) throw new TooLong()
    const asked = wordsOf(message)
    this.#desk?.dispatch(isSent(key, asked))
    if (known.id === null) {
      const unsure = { ...message, signature: this.#options.signature() }
      this.#known.set(key, { ...known, unsure })
      this.#keep()
      this.#sent(key, message, await this.#create(unsure, keepalive))
      return
    }
    this.#known.set(key, { ...known, asked })
    const record = await this.#change(message, keepalive, known.sent?.original)
    if (record) this.#sent(key, message, record)
    else if (this.#known.get(key)?.id === known.id && !this.#listed.isToArrive(known.id))
      this.#known.set(key, { ...nothingSent, note: known.note })
  }

  #sent(key: number, message: UnsentSuggestion, record: Suggestion): void {
    const { id = null, note } = this.#known.get(key) ?? nothingSent
    // Another may have been given meanwhile.
    const untold = note === message.note ? undefined : note
    this.#known.set(key, { id: record.id, sent: wordsOf(message), unsure: null, note: untold })
    this.#due.isMade(key)
    this.#unmade = this.#unmade.filter((one) => one.key !== key)
    this.#options.list.confirm((items) => [...items.filter(({ id }) => id !== record.id), record])
    if (id === null) this.#options.onMade?.(nameOfUnsent(message), record.id)
  }

  #create(message: UnsentSuggestion, keepalive = false): Promise<Suggestion> {
    return createSuggestion(this.#options, message, keepalive)
  }

  /** Null where it is none any more that can be changed, and the list says why. */
  async #change(message: UnsentSuggestion, keepalive = false, known?: string): Promise<Suggestion | null> {
    const changed = await changeSuggestion(this.#options, message, keepalive, known)
    if (!changed) this.#listed.take()
    return changed
  }
}

/** More is suggested at once than a suggestion may be. */
class TooLong extends Error {}

const isTooLong = ({ original, suggested }: UnsentSuggestion) =>
  original.length > limits.anchorLength || suggested.length > limits.suggestionLength

function failureOfSuggestion(error: unknown): ReturnType<typeof failureOf> {
  if (!(error instanceof TooLong)) return failureOf(error)
  const most = limits.anchorLength.toLocaleString('en')
  const reason = `One of your suggestions is about more text than can be suggested at once (${most} characters)`
  return { cause: 'refused', reason, retries: false }
}
