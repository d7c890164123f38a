import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import { toLf } from '../../../server/domain/line-endings.ts'
import type { EditedText } from '../edited-text.svelte.ts'
import { isChanged, isOneOf, isSame, linesOf, wordsOf, type Known } from './known-suggestion.ts'
import { writtenSuggestions, type Words } from './own-suggestions.ts'
import { placeOfLeft } from './place-of-left.ts'
import { sendLeft, type Sending } from './sending.ts'
import { showing } from './shown-suggestions.ts'
import { suggestedPieces } from './suggested-pieces.ts'
import type { Desk } from './unseen.ts'
import type { Unsent, UnsentSuggestion, UnsentSuggestions, UnsentWithdrawal } from './unsent-suggestions.ts'

/** Where what was left goes on: among what is suggested here. */
interface Here {
  /** By the keys that the editor has for them. */
  known: Map<number, Known>
  text: () => EditedText | null
  desk: () => Desk | null
  newKey: () => number
  /** Something shows that didn’t. */
  onShown: () => void
}

/**
 * What windows that are gone have suggested and not sent. It goes on among what is suggested here, where its place is
 * sure; else it only waits to be sent.
 */
export class AbandonedSuggestions {
  /** What has no place in the text that is here, and what is taken back. */
  waiting: readonly Unsent[] = []
  readonly #sending: Sending
  readonly #unsent: UnsentSuggestions
  readonly #here: Here

  constructor(sending: Sending, unsent: UnsentSuggestions, here: Here) {
    this.#sending = sending
    this.#unsent = unsent
    this.#here = here
  }

  /** Takes over what there is, which has to be kept from then on. Answers whether there is anything. */
  async take(): Promise<boolean> {
    const left = await this.#unsent.takeLeft()
    this.waiting = [
      ...this.waiting,
      ...left.filter((one) => !(one.isWithdrawn ? this.#isTakenUp(one) : this.#goOnWith(one))),
    ]
    return left.length > 0
  }

  /** Sends what waits. Rejects where it may be tried again. */
  async send(): Promise<void> {
    await sendLeft(this.#sending, this.waiting, (sent) => {
      this.waiting = this.waiting.filter((one) => one !== sent)
      return null
    })
  }

  /** Whether a suggestion that the server has is taken back by what waits, and so isn’t to be shown. */
  withdraws(item: Suggestion): boolean {
    return this.waiting.some((one) => one.isWithdrawn && isOf(one, item.id, linesOf(item)))
  }

  /** Takes what was taken back there out of the text here; true where somebody has gone on with it here, so that it stays. */
  #isTakenUp(one: UnsentWithdrawal): boolean {
    const { known: all, onShown } = this.#here
    const desk = this.#here.desk()
    const [key, known] = [...all].find(([, { id, sent }]) => isOf(one, id, sent)) ?? [null, null]
    if (!desk || key === null) return false
    if (isChanged(desk.state, key, writtenSuggestions(desk.state).get(key), known.sent)) return true
    all.delete(key)
    desk.dispatch(showing(desk.state, [], [key]))
    onShown()
    return false
  }

  /** Shows in the text what a closed window has left; false where it isn’t sure how. */
  #goOnWith(one: UnsentSuggestion): boolean {
    const { known: all, newKey, onShown } = this.#here
    const [text, desk] = [this.#here.text(), this.#here.desk()]
    const place = text && desk && placeOfLeft(text, one)
    if (!place) return false
    const { id, original, suggested, note, asked = one } = one
    const item = this.#sending.list.items.find((item) => item.id === id)
    // What has become of it decides.
    if (item && item.status !== 'pending') return false
    const written = writtenSuggestions(desk.state)
    const [shown, known] = [...all].find(([key, known]) =>
      id === null
        ? isSame(known.sent, wordsOf(asked)) && written.get(key)?.start === place.from
        : known.id === id,
    ) ?? [null, null]
    if (known && isChanged(desk.state, shown, written.get(shown), known.sent)) return false
    const isInTheWay = [...written.values()].some(
      ({ key, start, original }) => key !== shown && start < place.to && start + original.length > place.from,
    )
    if (isInTheWay) return false
    const key = shown ?? newKey()
    const unsure = id === null ? asked : null
    // What another window has changed meanwhile is met when this is sent on what was seen there.
    const isSeen =
      item && (one.edited === item.edited_at || isOneOf(item, [one.sent, one.mayHave, wordsOf(one)]))
    const base = isSeen || (item && one.edited === undefined) ? listedAs(item) : leftAs(one)
    all.set(key, { ...((id === null && known) || { id, ...base, unsure }), note, isLeft: true })
    const pieces = suggestedPieces(toLf(original), toLf(suggested)).map(({ from, to, insert }) => ({
      ...{ from: place.from + from, to: place.from + to, insert },
    }))
    desk.dispatch(showing(desk.state, [{ key, pieces }], []))
    onShown()
    return true
  }
}

const listedAs = (item: Suggestion) => ({ sent: linesOf(item), edited: item.edited_at })
const leftAs = ({ sent, edited, mayHave }: UnsentSuggestion) => ({
  ...{ sent: sent ?? null, ...(edited !== undefined && { edited }), ...(mayHave && { asked: mayHave }) },
})

/** Whether it is about the suggestion of this id or, where that was never heard of, in the words that were asked for. */
const isOf = ({ id, asked }: UnsentWithdrawal, knownAs: string | null, words: Words | null) =>
  id === null ? asked !== undefined && isSame(words, wordsOf(asked)) : id === knownAs
