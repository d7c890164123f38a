import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import type { EditedText } from '../edited-text.svelte.ts'
import type { DueSuggestions } from './due-suggestions.ts'
import { isOneOf, linesOf, nothingSent, wordsOf, type Known } from './known-suggestion.ts'
import type { ListedSuggestions } from './listed-suggestions.ts'
import { isSent } from './own-suggestions.ts'
import {
  changeSuggestion,
  createSuggestion,
  isChangedSince,
  withdrawSuggestion,
  type Sending,
} from './sending.ts'
import { isTooLong, TooLong } from './too-long.ts'
import type { Desk } from './unseen.ts'
import { nameOfUnsent, type UnsentSuggestion } from './unsent-suggestions.ts'

export interface SenderOptions extends Sending {
  /** Resolves once the server has what was typed in the text itself, before suggesting began. */
  saved: () => Promise<void>
}

/** Among what is suggested here. */
interface Here {
  /** By the keys that the editor has for them. */
  known: Map<number, Known>
  due: DueSuggestions
  listed: ListedSuggestions
  text: () => EditedText | null
  desk: () => Desk | null
  /** One is being made, and may be made from now on without being known to be. */
  onAsked: () => void
  /** The server has it. */
  onSent: (key: number) => void
}

/** While somebody writes without a pause, a suggestion goes after so many savings at the latest. */
const mostSaves = 5

/** Makes of each of the server’s suggestions what it is here by now, and knows what the server has of it then. */
export class SuggestionSender {
  readonly #options: SenderOptions
  readonly #here: Here

  constructor(options: SenderOptions, here: Here) {
    this.#options = options
    this.#here = here
  }

  /** All that are due, one after the other. */
  async sendDue(): Promise<void> {
    for (const { key } of this.#here.due.all) {
      await this.#textSaved()
      await this.send(key)
    }
  }

  /** Makes of the server’s suggestion what it is here by now. */
  async send(key: number, keepalive = false): Promise<void> {
    const { known: all, due: allDue, listed, desk, onAsked } = this.#here
    const due = allDue.all.find((one) => one.key === key)
    if (!due) return
    const { known } = due
    // What more there is of it can be told once its words have come.
    if (known.id !== null && listed.isToArrive(known.id)) return
    if (known.unsure && known.id === null) {
      this.#sent(key, known.unsure, await createSuggestion(this.#options, known.unsure, keepalive))
      if (keepalive) return
      await this.#textSaved()
      return this.send(key)
    }
    if (!due.written) {
      return this.#withdraw(key, known, keepalive)
    }
    const message = allDue.message(due.written, known)
    if (isTooLong(message)) throw new TooLong()
    const asked = wordsOf(message)
    desk()?.dispatch(isSent(key, asked))
    if (known.id === null) {
      const unsure = { ...message, signature: this.#options.signature() }
      all.set(key, { ...known, unsure })
      onAsked()
      this.#sent(key, message, await createSuggestion(this.#options, unsure, keepalive))
      return
    }
    all.set(key, { ...known, asked })
    let record: Suggestion | null
    try {
      record = await this.#change(message, keepalive, known)
    } catch (error) {
      if (keepalive || !isChangedSince(error)) throw error
      return this.#meet(key, message, known)
    }
    if (record) this.#sent(key, message, record)
    else if (all.get(key)?.id === known.id && !listed.isToArrive(known.id))
      all.set(key, { ...nothingSent, note: known.note })
  }

  async #withdraw(key: number, known: Known, keepalive: boolean): Promise<void> {
    const { id, edited, asked } = known
    // As with a change, what is on its way as the page goes may be done by then.
    const base = keepalive && asked ? {} : { edited }
    try {
      if (id !== null) await withdrawSuggestion(this.#options, { id, ...base }, keepalive)
    } catch (error) {
      if (keepalive || !isChangedSince(error)) throw error
      return this.#meet(key, null, known)
    }
    this.#here.known.delete(key)
  }

  /** So that the server knows the text that a suggestion is about, also where that is written in meanwhile. */
  async #textSaved(): Promise<void> {
    for (let tries = 0; this.#here.text()?.isDirty && tries < mostSaves; tries++) await this.#options.saved()
  }

  #sent(key: number, message: UnsentSuggestion, record: Suggestion): void {
    const { known, due, onSent } = this.#here
    const { id = null, note } = known.get(key) ?? nothingSent
    // Another may have been given meanwhile.
    const untold = note === message.note ? undefined : note
    const { id: made, edited_at: edited } = record
    known.set(key, { id: made, sent: wordsOf(message), unsure: null, note: untold, edited })
    due.isMade(key)
    onSent(key)
    // It keeps its place among others, which is by when they were made.
    this.#options.list.confirm((items) =>
      items.some((item) => item.id === record.id)
        ? items.map((item) => (item.id === record.id ? record : item))
        : [...items, record],
    )
    if (id === null) this.#options.onMade?.(nameOfUnsent(message), record.id)
  }

  /**
   * Another window of its author’s has changed it meanwhile, or one’s own call has, of which no answer came. Without a
   * message it was to be withdrawn: what the other has made of it stays.
   */
  async #meet(key: number, message: UnsentSuggestion | null, before: Known): Promise<void> {
    const { known: all, listed } = this.#here
    await this.#options.load()
    const item = this.#options.list.items.find(({ id }) => id === before.id)
    const now = all.get(key)
    // What has become of it is told by then; what is known no better is tried again with the next round.
    if (item?.status !== 'pending' || now?.id !== before.id || item.edited_at === before.edited) return
    if (message && isOneOf(item, [wordsOf(message)])) return this.#sent(key, message, item)
    if (isOneOf(item, [before.sent, before.asked]))
      all.set(key, { ...now, sent: linesOf(item), edited: item.edited_at })
    else if (!listed.meet(item, key)) return
    return this.send(key)
  }

  /** Null where it is none any more that can be changed, and the list says why. */
  async #change(
    { edited, ...message }: UnsentSuggestion,
    keepalive: boolean,
    { asked, sent }: Known,
  ): Promise<Suggestion | null> {
    // As the page goes, what is on its way from here may be done by then: nobody is here to try it again on that.
    const base = edited === undefined || (keepalive && asked) ? {} : { edited }
    const all = { ...message, ...base }
    const changed = await changeSuggestion(this.#options, all, keepalive, sent?.original)
    if (!changed) this.#here.listed.take()
    return changed
  }
}
