import type { EditorState } from '@codemirror/state'
import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import { toLf } from '../../../server/domain/line-endings.ts'
import type { EditedText } from '../edited-text.svelte.ts'
import { isChanged, isOneOf, isSame, linesOf, nothingSent, type Known } from './known-suggestion.ts'
import { detaching } from './detaching.ts'
import {
  broughtIn,
  detachedOf,
  isAsSent,
  areSent,
  standsAsSent,
  writtenSuggestions,
} from './own-suggestions.ts'
import type { OrderHere } from './order-here.ts'
import { otherPlace, placing } from './placing.ts'
import { isOtherwise, overMeanwhile } from './sending.ts'
import { joined } from './joined.ts'
import { rejecting, showing, showingJoined, type KnownSuggestion } from './shown-suggestions.ts'
import { suggestedPieces } from './suggested-pieces.ts'
import type { WrittenSuggestion } from './stretches.ts'
import type { Desk } from './unseen.ts'

/** What is taken in, and whom it is told. */
export interface Listing {
  /** As the page has them. */
  list: {
    readonly items: readonly Suggestion[]
    /** By their ids, in which revision of the text each has its place; another object once that may be another. */
    readonly places: ReadonlyMap<string, number>
    placedIn(id: string): number | undefined
  }
  /** What earlier windows left was refused; these were its words. */
  onRefused: (words: string, reason: string) => void
  /** One was rejected while its author went on with it; what was typed since stays. */
  onRejected: (words: string) => void
}

/** Where the list is taken in: among what is suggested here. */
interface Here {
  /** By the keys that the editor has for them. */
  known: Map<number, Known>
  text: () => EditedText | null
  desk: () => Desk | null
  newKey: () => number
  order: OrderHere
  /** Whether one is being taken back, and so isn’t to be shown. */
  withdraws: (item: Suggestion) => boolean
  /** What was typed in one that is over by now is to be made. */
  changed: () => void
  /** Something shows otherwise than it did. */
  onShown: () => void
}

/** What the server’s list tells of one’s own suggestions, taken in where they stand: where more was typed, that stays. */
export class ListedSuggestions {
  readonly #listing: Listing
  readonly #here: Here
  /** What was last taken in. */
  #last: { items: readonly Suggestion[]; places: ReadonlyMap<string, number>; revision: number } | null = null
  /** How all of one’s own read in a state of the editor. */
  #read: { state: EditorState; written: ReadonlyMap<number, WrittenSuggestion> } | null = null

  constructor(listing: Listing, here: Here) {
    this.#listing = listing
    this.#here = here
  }

  /** The same once for each list and revision: what is typed in the text itself brings nothing new from the server. */
  takeNew(): void {
    const { items, places } = this.#listing.list
    const revision = this.#here.text()?.revision ?? 0
    const last = this.#last
    if (last?.items === items && last.places === places && last.revision === revision) return
    this.#last = { items, places, revision }
    this.take()
  }

  /** Shows what the server has of one’s own suggestions, but where more was typed meanwhile. */
  take(): void {
    const { known: all, newKey, withdraws, onShown } = this.#here
    const { items } = this.#listing.list
    const [text, desk] = [this.#here.text(), this.#here.desk()]
    if (!text || !desk) return
    const listed = new Map(items.map((item) => [item.id, item]))
    const pending = new Map(items.filter(isOwnPending).map((item) => [item.id, item]))
    const shown: KnownSuggestion[] = []
    const gone: number[] = []
    for (const [key, one] of all) {
      if (one.id === null) continue
      const item = listed.get(one.id)
      pending.delete(one.id)
      if (item?.status === 'pending') {
        const changed = this.#changed(text, desk, item, key, one)
        if (changed === 'gone') gone.push(key)
        else if (changed) shown.push(changed)
      } else if (!this.isToArrive(one.id) && !this.#endsOne(desk, item, key, one)) gone.push(key)
    }
    for (const item of pending.values()) {
      if (this.#isAwaited(item) || withdraws(item)) continue
      const begun = this.#shownAs(text, item, newKey())
      if (begun) shown.push(begun)
    }
    if (shown.length === 0 && gone.length === 0) return
    for (const key of gone) all.delete(key)
    desk.dispatch(showing(desk.state, shown, gone, this.#here.order.turnOf))
    this.#stand(
      desk,
      shown.map(({ key }) => key),
    )
    onShown()
  }

  /** Whether it is accepted, in a text that isn’t here yet: with that its words come, and those put in here go. */
  isToArrive(id: string): boolean {
    const { list } = this.#listing
    const item = list.items.find((item) => item.id === id)
    return item?.status === 'accepted' && (list.placedIn(id) ?? 0) > (this.#here.text()?.revision ?? 0)
  }

  /**
   * Has what another window of its author’s has made of one meanwhile stand with what was typed here: both are one, or two
   * where it isn’t known how they meet. False where that can be told once a newer text is here.
   */
  meet(item: Suggestion, key: number): boolean {
    const { known: all, order, onShown } = this.#here
    const [text, desk, one] = [this.#here.text(), this.#here.desk(), all.get(key)]
    const revision = this.#listing.list.placedIn(item.id)
    if (!text || !desk || !one || revision === undefined || revision > text.revision) return false
    const written = this.#written(desk).get(key)
    const theirs = linesOf(item)
    const place = item.range && text.lineFedPlaceNow(item.range, revision, item.suggested_text)
    const isPlaced = place && text.current.slice(place.from, place.to) === theirs.original
    if (!written || !isPlaced || detachedOf(desk.state).has(key)) {
      if (written) all.set(key, { ...nothingSent, note: one.note })
      else all.delete(key)
      this.take()
      return true
    }
    const both = joined(text.current, one.sent, { ...theirs, start: place.from }, written)
    const { start, original, suggested, toRead } = both
    const pieces = suggestedPieces(original, suggested).map(({ from, to, insert }) => ({
      ...{ from: start + from, to: start + to, insert },
    }))
    const words = { start, end: start + original.length, turn: order.turnOfId(item.id) }
    all.set(key, { id: item.id, sent: theirs, unsure: null, note: one.note, edited: item.edited_at })
    desk.dispatch(
      showingJoined(
        desk.state,
        { key, pieces, words },
        { written, at: start, reads: suggested, toRead },
        order.turnOf,
      ),
    )
    if (isOneOf(item, [both])) this.#stand(desk, [key])
    onShown()
    return true
  }

  #written({ state }: Desk): ReadonlyMap<number, WrittenSuggestion> {
    if (this.#read?.state !== state) this.#read = { state, written: writtenSuggestions(state) }
    return this.#read.written
  }

  /** Whether it may be what was sent from here, of which the list tells before the answer does. */
  #isAwaited(item: Suggestion): boolean {
    const { original, suggested } = linesOf(item)
    return [...this.#here.known.values()].some(
      ({ id, unsure }) =>
        id === null && unsure && toLf(unsure.original) === original && toLf(unsure.suggested) === suggested,
    )
  }

  /** Takes in what the server has of one that is shown; what is to be shown instead, if anything. */
  #changed(
    text: EditedText,
    desk: Desk,
    item: Suggestion,
    key: number,
    one: Known,
  ): KnownSuggestion | 'gone' | null {
    const written = this.#written(desk).get(key)
    const placedIn = this.#listing.list.placedIn(item.id)
    const brought = broughtIn(desk.state, key)
    // Accepted and taken back again before a list said so: one of an earlier text says nothing of it.
    if (!written && brought !== undefined)
      return (placedIn ?? 0) >= brought ? (this.#shownAs(text, item, key) ?? 'gone') : null
    // The same words again, or at another place, are what is gone on from here.
    if (isOneOf(item, [one.sent]) && (item.edited_at ?? '') > (one.edited ?? ''))
      this.#here.known.set(key, (one = { ...one, edited: item.edited_at }))
    const isTyped = isChanged(desk.state, key, written, one.sent)
    const detached = detachedOf(desk.state).get(key)
    if (item.range === null) {
      // Words of others’ within it aren’t its author’s. What they typed since, or want here, stays where it is.
      const isGoneOn = isTyped && (one.sent === null || !isAsSent(desk.state, key, linesOf(item)))
      // Of another text than the one here, or one that isn’t known, it says nothing yet.
      if (detached || isGoneOn || one.unsure || placedIn === undefined || placedIn > text.revision)
        return null
      return this.#keepsApart(desk, item, key, one, placedIn) ? null : 'gone'
    }
    if (this.#standsElsewhere(text, desk, item, key, one))
      return isTyped ? null : this.#shownAs(text, item, key)
    if (isTyped || one.unsure) return null
    // A list of earlier places says nothing of it.
    const isBack = detached !== undefined && (placedIn ?? 0) >= detached.revision
    const isOther = detached === undefined && !isSame(linesOf(item), one.sent)
    return isBack || isOther ? this.#shownAs(text, item, key) : null
  }

  /**
   * Has what one puts in stand where the server has its place: of what others have written at that, and of what was accepted
   * there, the text alone doesn’t always tell on which side it was. Whether it has to be shown anew for that.
   */
  #standsElsewhere(text: EditedText, desk: Desk, item: Suggestion, key: number, one: Known): boolean {
    const { order } = this.#here
    const written = this.#written(desk).get(key)
    const isToldHere = this.#listing.list.placedIn(item.id) === text.revision && !text.isDirty && !one.unsure
    if (!isToldHere || written?.original !== '' || item.original_text !== '') return false
    if (!one.sent || !standsAsSent(desk.state, key, one.sent, written.start)) return false
    const place = text.lineFedPlaceNow(item.range!, text.revision, item.suggested_text)
    const at = place && otherPlace(desk.state, key, place.from, order.turnOf)
    if (at === null) return false
    const placed = placing(desk.state, key, at)
    if (!placed) return true
    desk.dispatch(placed)
    this.#here.onShown()
    return false
  }

  /** Has the words of one whose place is gone stand for themselves. Whether there are any; it is on its card, too. */
  #keepsApart(desk: Desk, item: Suggestion, key: number, one: Known, placedIn: number): boolean {
    const apart = detaching(desk.state, key, item, placedIn)
    if (!apart) return false
    this.#here.known.set(key, { ...one, sent: linesOf(item), edited: item.edited_at })
    desk.dispatch(apart)
    this.#stand(desk, [key])
    this.#here.onShown()
    return true
  }

  /** Of one that was decided or withdrawn: what was typed since is one of its own. Whether anything was. */
  #endsOne(desk: Desk, item: Suggestion | undefined, key: number, one: Known): boolean {
    const { known: all, changed } = this.#here
    const { onRefused, onRejected } = this.#listing
    const written = this.#written(desk).get(key)
    const isTyped =
      isChanged(desk.state, key, written, one.sent) && !(item && isAsSent(desk.state, key, linesOf(item)))
    if (!isTyped || !written) return false
    if (item) {
      const isRefused = item.status === 'rejected' || isOtherwise(item)
      const ending = rejecting(desk.state, key, linesOf(item))
      if (isRefused && !ending && all.get(key)?.isLeft) {
        // What its owner has said no to isn’t asked again by itself.
        onRefused(written.suggested, overMeanwhile(item)!)
        return false
      }
      // What was accepted as it stood elsewhere than here is in the text by now, too.
      if (ending) desk.dispatch(ending.spec)
      if (ending && !ending.leaves) return false
      if (ending && isRefused) onRejected(item.suggested_text || item.original_text)
    }
    all.set(key, { ...nothingSent, note: one.note })
    changed()
    return true
  }

  /** What stands there is what the server has. */
  #stand(desk: Desk, keys: readonly number[]): void {
    const sent = keys.flatMap((key) => {
      const words = this.#here.known.get(key)?.sent
      return words ? [{ key, words }] : []
    })
    // All at once: each is drawn by itself otherwise.
    if (sent.length > 0) desk.dispatch(areSent(sent))
  }

  /** How a suggestion is shown under a key; null where the text that it is about isn’t here. */
  #shownAs(text: EditedText, item: Suggestion, key: number): KnownSuggestion | null {
    const revision = this.#listing.list.placedIn(item.id)
    if (!item.range || revision === undefined) return null
    const place = text.lineFedPlaceNow(item.range, revision, item.suggested_text)
    const { original, suggested } = linesOf(item)
    if (!place || text.current.slice(place.from, place.to) !== original) return null
    const pieces = suggestedPieces(original, suggested).map(({ from, to, insert }) => ({
      ...{ from: place.from + from, to: place.from + to, insert },
    }))
    const sent = { original, suggested }
    this.#here.known.set(key, { id: item.id, sent, unsure: null, edited: item.edited_at })
    const words = { start: place.from, end: place.to, turn: this.#here.order.turnOfId(item.id) }
    return { key, pieces, words }
  }
}

const isOwnPending = ({ mine, range, status }: Suggestion) => mine && status === 'pending' && range !== null
