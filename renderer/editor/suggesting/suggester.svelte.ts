import { untrack } from 'svelte'
import { limits } from '../../../server/contract/limits.ts'
import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import { anchorAt } from '../../../server/domain/anchors/anchor.ts'
import { toLf } from '../../../server/domain/line-endings.ts'
import { backOff } from '../../../server/platform/back-off.ts'
import { ApiError, newIdempotencyKey, type ClientOf } from '../../api/client-of.ts'
import type { EditedText } from '../edited-text.svelte.ts'
import type { Editor } from '../editor.ts'
import { failureOf, type SaveState } from '../saver.svelte.ts'
import { suggestedPieces } from './suggested-pieces.ts'
import { showing, writtenSuggestions, type KnownSuggestion } from './suggesting-mode.ts'
import type { WrittenSuggestion } from './stretches.ts'
import { UnsentSuggestions, type UnsentSuggestion } from './unsent-suggestions.ts'

export type SuggestingApi = ClientOf<'createSuggestion' | 'updateSuggestion' | 'withdrawSuggestion'>

/** Suggestions as the page has them, and in which revision of the text each has its place. */
interface SuggestionList {
  readonly items: readonly Suggestion[]
  placedIn(id: string): number | undefined
  confirm(apply: (items: readonly Suggestion[]) => readonly Suggestion[]): void
}

interface Options {
  api: SuggestingApi
  documentId: string
  list: SuggestionList
  /** How a guest wants to be named. */
  signature: () => { author_name?: string }
  /** Brings what the server has of suggestions here. */
  load: () => Promise<void>
  /** Resolves once the server has what was typed in the text itself, before suggesting began. */
  saved: () => Promise<void>
  /** What earlier windows left was refused; these were its words. */
  onRefused: (words: string, reason: string) => void
}

/** What of a suggestion the server has, or may have. */
interface Known {
  id: string | null
  /** As the server has it; null for nothing. */
  sent: { original: string; suggested: string } | null
  /** What was sent and not answered: it is sent again as it was, under its key, until it is. */
  unsure: UnsentSuggestion | null
  /** What it was to become when that was last asked for. */
  asked?: { original: string; suggested: string }
}

/** After the last letter, and so long at the most while one goes on typing, in milliseconds. */
const typingPause = 1_200
const longestWait = 6_000
const slowAfter = 2_000
const pauses = { first: 1_000, longest: 30_000 }

/**
 * What one suggests by typing in an open text: made, changed while one goes on, and withdrawn, through the same calls as
 * every suggestion. What isn’t sent yet is kept in the browser.
 */
export class Suggester {
  state = $state.raw<SaveState>({ kind: 'saved' })
  slow = $state(false)
  /** Whether the browser keeps what isn’t sent. */
  kept = $state(true)
  readonly #options: Options
  readonly #unsent: UnsentSuggestions
  /** By the keys that the editor has for them. */
  readonly #known = new Map<number, Known>()
  #text: EditedText | null = null
  #editor: Editor | null = null
  #stop = () => {}
  #timer: ReturnType<typeof setTimeout> | undefined
  #slowTimer: ReturnType<typeof setTimeout> | undefined
  #waitingSince: number | null = null
  #running: Promise<void> | null = null
  #failures = 0
  #nextKey = 1
  /** What earlier windows had no time to send. */
  #left: UnsentSuggestion[] = []

  constructor(options: Options) {
    this.#options = options
    this.#unsent = new UnsentSuggestions(options.documentId)
  }

  /** Shows in an editor, which suggests, what is pending of one’s own, and keeps both in step. */
  begin(text: EditedText, editor: Editor): void {
    this.#text = text
    this.#editor = editor
    this.#known.clear()
    this.#nextKey = 1
    untrack(() => this.#take(this.#options.list.items))
    this.#stop = $effect.root(() => {
      $effect(() => {
        const { items } = this.#options.list
        // Some may be about a newer text than the one here.
        void text.version
        untrack(() => this.#take(items))
      })
    })
    void this.#takeLeft()
  }

  /** By what id the server has what the editor has by a key; null if it doesn’t yet. */
  idOf(key: number): string | null {
    return this.#known.get(key)?.id ?? null
  }

  /** Something was typed. */
  changed(): void {
    this.#keep()
    if (this.state.kind === 'failed' && this.#failures > 0) return
    this.#waitingSince ??= Date.now()
    if (this.state.kind !== 'saving') this.state = { kind: 'waiting' }
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
    if (this.state.kind === 'failed' && this.state.cause === 'unreachable') this.retry()
  }

  retry(): void {
    this.#failures = 0
    void this.#run()
  }

  /** The page is going away: what isn’t sent is kept. */
  leave(): void {
    this.#keep()
  }

  /** What the server has, or may have, of the suggestion of a key. */
  sentWords(key: number): { original: string; suggested: string }[] {
    const { sent, asked } = this.#known.get(key) ?? {}
    return [sent, asked].flatMap((words) => words ?? [])
  }

  /** The words that aren’t sent yet, to be copied. */
  get words(): string {
    return this.#due()
      .flatMap(({ written }) => written?.suggested ?? [])
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
    this.#editor = null
    this.#text = null
    this.#unsent.release()
  }

  #written(): Map<number, WrittenSuggestion> {
    return this.#editor ? writtenSuggestions(this.#editor.view.state) : new Map<number, WrittenSuggestion>()
  }

  /** Shows what the server has of one’s own suggestions, but where more was typed meanwhile. */
  #take(items: readonly Suggestion[]): void {
    const [text, editor] = [this.#text, this.#editor]
    if (!text || !editor) return
    const written = this.#written()
    const pending = new Map(items.filter(isOwnPending).map((item) => [item.id, item]))
    const known: KnownSuggestion[] = []
    const gone: number[] = []
    for (const [key, one] of this.#known) {
      if (one.id === null) continue
      const item = pending.get(one.id)
      const isTyped = !isSame(written.get(key) ?? null, one.sent)
      if (item) {
        pending.delete(one.id)
        if (isTyped || one.unsure || isSame(linesOf(item), one.sent)) continue
        const shown = this.#shownAs(text, item, key)
        if (shown) known.push(shown)
      } else if (isTyped && written.has(key)) {
        // It was decided or withdrawn meanwhile: what was typed since is one of its own.
        this.#known.set(key, { id: null, sent: null, unsure: null })
      } else {
        this.#known.delete(key)
        gone.push(key)
      }
    }
    for (const item of pending.values()) {
      const shown = this.#shownAs(text, item, this.#newKey())
      if (shown) known.push(shown)
    }
    if (known.length > 0 || gone.length > 0) editor.view.dispatch(showing(editor.view.state, known, gone))
  }

  #newKey(): number {
    const used = Math.max(0, ...this.#written().keys(), ...this.#known.keys())
    return (this.#nextKey = Math.max(this.#nextKey, used + 1) + 1) - 1
  }

  /** How a suggestion is shown under a key; null where the text that it is about isn’t here. */
  #shownAs(text: EditedText, item: Suggestion, key: number): KnownSuggestion | null {
    const revision = this.#options.list.placedIn(item.id)
    if (!item.range || revision === undefined) return null
    const place = text.lineFedPlaceNow(item.range, revision)
    const { original, suggested } = linesOf(item)
    if (!place || text.current.slice(place.from, place.to) !== original) return null
    const pieces = suggestedPieces(original, suggested).map(({ from, to, insert }) => ({
      ...{ from: place.from + from, to: place.from + to, insert },
    }))
    this.#known.set(key, { id: item.id, sent: { original, suggested }, unsure: null })
    return { key, pieces }
  }

  /** What the server may not have. */
  #due(): { key: number; known: Known; written: WrittenSuggestion | null }[] {
    const written = this.#written()
    const keys = new Set([...this.#known.keys(), ...written.keys()])
    return [...keys].flatMap((key) => {
      const known = this.#known.get(key) ?? { id: null, sent: null, unsure: null }
      const now = written.get(key) ?? null
      const isDue = known.unsure !== null || !isSame(now, known.sent)
      return isDue ? [{ key, known, written: now }] : []
    })
  }

  #keep(): void {
    const unsent = this.#due().flatMap(({ known, written }) =>
      written ? [this.#message(written, known)] : known.unsure ? [known.unsure] : [],
    )
    this.kept = this.#unsent.keep([...this.#left, ...unsent])
  }

  /** As it is sent, in the stored text’s own line ends. */
  #message(written: WrittenSuggestion, { id, unsure }: Known): UnsentSuggestion {
    const text = this.#text!
    const { stored, lines, revision } = text
    const start = lines.toStored(written.start)
    const end = lines.toStored(written.start + written.original.length)
    const lineEnd = stored.includes('\r\n') ? '\r\n' : '\n'
    return {
      id,
      idempotencyKey: unsure?.idempotencyKey ?? newIdempotencyKey(),
      original: stored.slice(start, end),
      suggested: written.suggested.replaceAll('\n', lineEnd),
      // Of a text that the server hasn’t got yet nothing can be followed from there.
      anchor: { ...anchorAt(stored, start, end), ...(text.isDirty ? {} : { revision }) },
    }
  }

  #later(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#run(), ms)
  }

  #run(): Promise<void> {
    clearTimeout(this.#timer)
    this.#running ??= this.#round().finally(() => (this.#running = null))
    return this.#running
  }

  async #round(): Promise<void> {
    this.#waitingSince = null
    if (!this.#isDue) return void (this.state = { kind: 'saved' })
    this.state = { kind: 'saving' }
    this.#slowTimer = setTimeout(() => (this.slow = true), slowAfter)
    try {
      await this.#sendLeft()
      if (this.#text?.isDirty) await this.#options.saved()
      // What goes on under another goes last, so that no words are gone where that is refused.
      const due = this.#due()
      for (const { key } of due.filter(({ written }) => written)) await this.#send(key)
      for (const { key } of due.filter(({ written }) => !written)) await this.#send(key)
      this.#failures = 0
      const isAll = !this.#isDue
      this.state = { kind: isAll ? 'saved' : 'waiting' }
      if (!isAll) this.#later(typingPause)
    } catch (error) {
      const { cause, reason, retries } = failureOfSuggestion(error)
      const wait = backOff(this.#failures++, { ...pauses, random: Math.random })
      const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0
      const retryAt = retries ? Date.now() + Math.max(wait, asked) : null
      this.state = { kind: 'failed', cause, reason, retryAt }
      if (retryAt !== null) this.#later(retryAt - Date.now())
    } finally {
      clearTimeout(this.#slowTimer)
      this.slow = false
      this.#keep()
    }
  }

  get #isDue(): boolean {
    return this.#left.length > 0 || this.#due().length > 0
  }

  /** Makes of the server’s suggestion what it is here by now. */
  async #send(key: number): Promise<void> {
    const due = this.#due().find((one) => one.key === key)
    if (!due) return
    const { known } = due
    if (known.unsure && known.id === null) {
      this.#sent(key, known.unsure, await this.#create(known.unsure))
      return this.#send(key)
    }
    if (!due.written) {
      if (known.id !== null) await this.#withdraw(known.id)
      this.#known.delete(key)
      return
    }
    const message = this.#message(due.written, known)
    if (isTooLong(message)) throw new TooLong()
    if (known.id === null) {
      this.#known.set(key, { ...known, unsure: message })
      this.#keep()
      this.#sent(key, message, await this.#create(message))
      return
    }
    const asked = { original: toLf(message.original), suggested: toLf(message.suggested) }
    this.#known.set(key, { ...known, asked })
    const record = await this.#change(message)
    if (record) this.#sent(key, message, record)
    else this.#known.set(key, { id: null, sent: null, unsure: null })
  }

  #sent(key: number, { original, suggested }: UnsentSuggestion, record: Suggestion): void {
    const sent = { original: toLf(original), suggested: toLf(suggested) }
    this.#known.set(key, { id: record.id, sent, unsure: null })
    this.#options.list.confirm((items) => [...items.filter(({ id }) => id !== record.id), record])
  }

  #create({ idempotencyKey, original, suggested, anchor }: UnsentSuggestion): Promise<Suggestion> {
    const { api, documentId, signature } = this.#options
    const words = { original_text: original, suggested_text: suggested, anchor, note: null }
    const body = { ...words, ...signature() }
    return api.call('createSuggestion', { params: { id: documentId }, body, idempotencyKey })
  }

  /** Null where it is none any more that can be changed. */
  async #change({ id, original, suggested, anchor }: UnsentSuggestion): Promise<Suggestion | null> {
    const { api, documentId, load } = this.#options
    const params = { id: documentId, suggestion_id: id! }
    const body = { original_text: original, suggested_text: suggested, anchor }
    try {
      return await api.call('updateSuggestion', { params, body })
    } catch (error) {
      if (!isOver(error)) throw error
      await load().catch(() => {})
      return null
    }
  }

  async #withdraw(id: string): Promise<void> {
    const { api, documentId, list } = this.#options
    try {
      await api.call('withdrawSuggestion', { params: { id: documentId, suggestion_id: id } })
    } catch (error) {
      if (!isOver(error)) throw error
    }
    list.confirm((items) => items.filter((item) => item.id !== id))
  }

  async #takeLeft(): Promise<void> {
    this.#left = await this.#unsent.takeLeft()
    this.#keep()
    if (this.#left.length > 0) await this.#run()
  }

  async #sendLeft(): Promise<void> {
    for (const left of [...this.#left]) {
      try {
        const changed = left.id === null ? null : await this.#change(left)
        if (!changed) await this.#create(left)
      } catch (error) {
        const { reason, retries } = failureOf(error)
        if (retries) throw error
        this.#options.onRefused(left.suggested, reason)
      }
      this.#left = this.#left.filter((one) => one !== left)
      if (this.#left.length === 0) await this.#options.load().catch(() => {})
    }
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

/** Whether what is asked about is no pending suggestion any more. */
const isOver = (error: unknown) =>
  error instanceof ApiError && (error.code === 'NOT_FOUND' || error.code === 'ALREADY_RESOLVED')

const isOwnPending = ({ mine, range, status }: Suggestion) => mine && status === 'pending' && range !== null

const linesOf = ({ original_text, suggested_text }: Suggestion) => ({
  original: toLf(original_text),
  suggested: toLf(suggested_text),
})

type Words = { original: string; suggested: string } | null
const isSame = (one: Words, other: Words) =>
  one?.original === other?.original && one?.suggested === other?.suggested
