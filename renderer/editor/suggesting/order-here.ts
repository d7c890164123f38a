import { toLf } from '../../../server/domain/line-endings.ts'
import { sideOfLine } from '../../../server/domain/line-edges.ts'
import { inTurn, standsBefore } from '../../../server/domain/order-at-place.ts'
import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import { inOrderOfMaking } from './order-of-making.ts'
import type { Accepted, Order } from './beside-own.ts'
import type { EditedText } from '../edited-text.svelte.ts'
import type { Known } from './known-suggestion.ts'
import { suggestedPieces } from './suggested-pieces.ts'

interface Here {
  list: { readonly items: readonly Suggestion[]; placedIn(id: string): number | undefined }
  /** By the keys that the editor has for them. */
  known: ReadonlyMap<number, Known>
  text: () => EditedText | null
}

interface Candidate extends Accepted {
  insert: string
}

/** The order in which suggestions were made, one’s own and others’, as the server has it. */
export class OrderHere implements Order {
  readonly #here: Here
  #turns: {
    items: readonly Suggestion[]
    all: readonly Suggestion[]
    byId: ReadonlyMap<string, number>
  } | null = null

  constructor(here: Here) {
    this.#here = here
  }

  turnOfId(id: string): number {
    return this.#inTurn.byId.get(id) ?? Infinity
  }

  readonly turnOf = (key: number, words: string): number => {
    const id = this.#here.known.get(key)?.id
    const turn = id == null ? undefined : this.#inTurn.byId.get(id)
    if (turn !== undefined) return turn
    // It is made last.
    const behind = this.#inTurn.all.findIndex((one) => sideOfLine(one.suggested_text) > sideOfLine(words))
    return behind < 0 ? Infinity : behind - 0.5
  }

  get #inTurn() {
    const { items } = this.#here.list
    if (this.#turns?.items === items) return this.#turns
    const all = inTurn(inOrderOfMaking(items))
    return (this.#turns = { items, all, byId: new Map(all.map(({ id }, turn) => [id, turn])) })
  }

  /**
   * Of which suggestions a change was, in order, that has put words in at a place, of which the text has heard just now;
   * none where it doesn’t read as any that are known.
   */
  acceptedAt(at: number, insert: string): readonly Accepted[] {
    const candidates = this.#here.list.items
      .flatMap((item) => this.#puttingIn(item, at, insert))
      .toSorted((one, other) => (standsBefore(one, other) ? -1 : Number(standsBefore(other, one))))
    const failed = new Set<string>()
    const from = (first: number, read: number): Accepted[] | null => {
      if (read === insert.length) return []
      if (failed.has(`${first} ${read}`)) return null
      for (let i = first; i < candidates.length; i++) {
        const one = candidates[i]!
        const rest = insert.startsWith(one.insert, read) ? from(i + 1, read + one.length) : null
        if (rest) return [one, ...rest]
      }
      failed.add(`${first} ${read}`)
      return null
    }
    return from(0, 0) ?? []
  }

  /** What a suggestion puts in at a place, if that is a part of what came there. */
  #puttingIn(item: Suggestion, at: number, insert: string): Candidate[] {
    const { id, status } = item
    const [original, suggested] = [item.original_text, item.accepted_text ?? item.suggested_text].map(toLf)
    if (original === undefined || !suggested || status === 'rejected') return []
    const turn = this.turnOfId(id)
    const key = [...this.#here.known].find(([, known]) => known.id === id)?.[0]
    const one = (offset: number, put: string): Candidate => {
      const start = at - offset
      return { start, end: start + original.length, turn, key, insert: put, length: put.length }
    }
    // The list may tell of it before the text does.
    if (original === '' && status === 'accepted') return this.#isNews(id) ? [one(0, suggested)] : []
    const start = status === 'pending' ? this.#startOf(item) : null
    if (start === null) return []
    const isThere = (offset: number) => [at, at + insert.length].includes(start + offset)
    return suggestedPieces(original, suggested).flatMap(({ from, to, insert: put }) =>
      from === to && isThere(from) && insert.includes(put) ? [one(from, put)] : [],
    )
  }

  #isNews(id: string): boolean {
    return (this.#here.list.placedIn(id) ?? 0) >= (this.#here.text()?.revision ?? 0)
  }

  #startOf({ id, range, suggested_text }: Suggestion): number | null {
    const revision = this.#here.list.placedIn(id)
    const place =
      range && revision !== undefined && this.#here.text()?.lineFedPlaceNow(range, revision, suggested_text)
    return place ? place.from : null
  }
}
