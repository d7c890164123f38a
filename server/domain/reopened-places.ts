import type { Range } from '../contract/records/anchors.ts'
import { isInsertion } from './anchors/insertion-place.ts'
import { withEnds } from './anchors/lines-after-decisions.ts'
import type { Beside } from '../contract/records/suggestions.ts'
import type { PlaceBefore } from './anchors/place-before.ts'
import type { Acceptance } from './acceptance.ts'
import type { DecidedWeave } from './decided-weave.ts'
import type { AnchoredRecord, Edit } from './document-change.ts'
import { holds, homeOf, placeOfHome, rangeOf, type Home } from './home.ts'
import { besideLine } from './line-edges.ts'
import type { Reopenable } from './reopenable.ts'
import type { Letter, Weave } from './weave.ts'

/** Where a suggestion stands as a pending one; what it says, and what is known of decisions, where that is another now. */
export type Outcome = Pick<AnchoredRecord, 'range' | 'suggested_text' | 'lineEnds' | 'takenOut' | 'beside'>

interface TakenBack {
  woven: DecidedWeave
  /** With the decisions taken back. */
  weave: Weave
  /** The text of that. */
  after: string
  undo: ReadonlySet<number>
  acceptances: readonly Acceptance[]
}

type Noted = Pick<AnchoredRecord, 'anchor' | 'suggested_text' | 'lineEnds' | 'takenOut'>

/** Where things stand, by their own letters, once decisions are taken back. */
export class ReopenedPlaces {
  readonly #woven: DecidedWeave
  readonly #weave: Weave
  readonly #after: string
  /** The revisions of which some decision stands. */
  readonly #standing: ReadonlySet<number>

  constructor({ woven, weave, after, undo, acceptances }: TakenBack) {
    this.#woven = woven
    this.#weave = weave
    this.#after = after
    const isUndone = (one: Acceptance) => undo.has(woven.decisions.stepOf(one) ?? -1)
    const stands = (one: Acceptance) => one.undoneBy === null && !isUndone(one)
    this.#standing = new Set(acceptances.filter(stands).map(({ revision }) => revision))
  }

  /**
   * @param step what it did, if it was accepted
   * @param found where it stands otherwise
   */
  outcomeOf(one: Reopenable, step: number | undefined, found: Range | null): Outcome {
    const said = one.authors_text ?? one.suggested_text
    const home = this.#woven.homes.get(one.id)
    const now = this.#besideLine(this.#outcomeOf(one, step, found), said, home)
    const beside = one.original_text === '' && home ? this.#besideOf(one.id, home) : undefined
    return beside ? { ...now, beside } : now
  }

  /** Beside whose words something stands that are taken out now, where its turn would say otherwise. */
  #besideOf(id: string, home: Home): Beside | undefined {
    const { decisions } = this.#woven
    for (const side of ['behind', 'before'] as const) {
      const letter = side === 'behind' ? home.before : home.behind
      const of = letter && this.#weave.undone.has(letter.by) ? decisions.at(letter.by)!.of : []
      const [other] = of
      if (!other || of.length > 1 || other.id === id || other.range?.start !== other.range?.end) continue
      const isBehind = decisions.before(id)(letter!.by, null)
      return isBehind === (side === 'behind') ? undefined : { id: other.id, side }
    }
    return undefined
  }

  #outcomeOf(one: Reopenable, step: number | undefined, found: Range | null): Outcome {
    const { anchor, original_text, range, revision, takenOut = [] } = one
    if (!anchor) return { range: null }
    const home = this.#woven.homes.get(one.id)
    const said = { ...one, suggested_text: one.authors_text ?? one.suggested_text }
    const isPlace = original_text === ''
    const isWhole = home !== undefined && this.#isWhole(home, isPlace, [anchor.exact, original_text])
    const own = home && this.#placeOf(one.id, home, isPlace)
    const now = isWhole ? own! : this.#placeOfBroken(one, home, step, found)
    if (isWhole || !home || revision === null || !range)
      return { range: now, ...this.#known(said, takenOut, isWhole) }
    const note = { revision: one.status === 'accepted' ? revision : revision + 1, ...range }
    const known = takenOut.length > 0 ? takenOut : [note]
    return { range: now, ...this.#known(said, known, false) }
  }

  #placeOfBroken(
    { id, original_text, anchor }: Reopenable,
    home: Home | undefined,
    step: number | undefined,
    found: Range | null,
  ): Range | null {
    const isBeside = home && (this.#isLeft(home.before, -1) || this.#isLeft(home.behind, 1))
    if (original_text === '' && isBeside) return this.#placeOf(id, home, true)
    if (original_text === '' && step !== undefined) {
      const at = this.#weave.placeOf({ by: step, at: 0 })
      return at && { start: at.place, end: at.place }
    }
    if (original_text !== '' && home && !this.#isTakenOut(home))
      return this.#placeOf(id, home, false, anchor!.exact)
    const isOwn = found && [anchor!.exact, original_text].includes(this.#after.slice(found.start, found.end))
    if (isOwn && (!home || !this.#isTakenOut(home))) return found
    return null
  }

  /** What a change has done to the places of all that stands in the text, and where their letters say otherwise. */
  moved(moved: Edit['moved'], anchors: readonly AnchoredRecord[]): Edit['moved'] {
    const movedOf = new Map(moved.map((one) => [one.id, one]))
    const own = anchors.flatMap((one): Edit['moved'] => {
      const { id, kind, anchor, takenOut = [] } = one
      if (
        anchor &&
        isInsertion(anchor) &&
        one.range &&
        movedOf.get(id)?.range === null &&
        takenOut.length === 0
      ) {
        // Between what was accepted on both sides of it.
        const home = homeOf(this.#woven.weave, one.range)
        const range = this.#placeOf(id, home, true)
        return [this.#besideLine({ id, kind, range }, one.suggested_text, home)]
      }
      const home = this.#woven.homes.get(id)
      if (!anchor || !home || takenOut.length === 0) return []
      const isPlace = isInsertion(anchor)
      const isWhole = this.#isWhole(home, isPlace, [anchor.exact])
      const now = (isWhole ? undefined : movedOf.get(id)) ?? { id, kind, range: one.range }
      const range = isWhole || !now.range ? this.#placeOf(id, home, isPlace, anchor.exact) : now.range
      const outcome = { ...now, range, ...this.#known(one, takenOut, isWhole) }
      return [this.#besideLine(outcome, one.suggested_text, home)]
    })
    const known = new Set(own.map(({ id }) => id))
    return this.#withBeside([...moved.filter(({ id }) => !known.has(id)), ...own], anchors)
  }

  #withBeside(moved: Edit['moved'], anchors: readonly AnchoredRecord[]): Edit['moved'] {
    const edges = new Set<number>()
    let place = 0
    for (const piece of this.#woven.weave.pieces) {
      if (!this.#woven.weave.stands(piece)) continue
      if (this.#weave.undone.has(piece.by)) edges.add(place).add(place + piece.length)
      place += piece.length
    }
    const beside = new Map<string, Beside>()
    for (const { id, anchor, range } of anchors) {
      if (!anchor || !range || !isInsertion(anchor) || !edges.has(range.start)) continue
      const one = this.#besideOf(id, homeOf(this.#woven.weave, range))
      if (one) beside.set(id, one)
    }
    if (beside.size === 0) return moved
    const movedOf = new Map(moved.map((one) => [one.id, one]))
    for (const { id, kind, range } of anchors) {
      const one = beside.get(id)
      if (one) movedOf.set(id, { ...(movedOf.get(id) ?? { id, kind, range }), beside: one })
    }
    return [...movedOf.values()]
  }

  /** What is put in beside a line stands beside that, also where others have written at its place meanwhile. */
  #besideLine<One extends Outcome>(now: One, said: string | undefined, home: Home | undefined): One {
    const { range, suggested_text: words = said } = now
    if (!home || !range || range.start < range.end || words === undefined) return now
    const next = home.behind ? this.#weave.placeOf(home.behind) : null
    const end = next?.isThere === false ? range.end : (next?.place ?? this.#after.length)
    const written = { start: range.start, end: Math.max(range.end, end) }
    const start = besideLine(words, this.#after, written, range.start)
    return { ...now, range: { start, end: start } }
  }

  /** Where others’ words came within it, just its own ones if these are there as they were. */
  #placeOf(id: string, home: Home, isPlace: boolean, words?: string): Range | null {
    if (!isPlace) {
      const range = rangeOf(this.#weave, home)
      const at = range && words ? this.#after.slice(range.start, range.end).indexOf(words) : -1
      return at < 0 ? range : { start: range!.start + at, end: range!.start + at + words!.length }
    }
    const at = placeOfHome(this.#weave, home, this.#woven.decisions.before(id))
    return at === null ? null : { start: at, end: at }
  }

  /** Whether all of it stands where it did; of a place, whether its neighbours do. */
  #isWhole(home: Home, isPlace: boolean, words: readonly string[]): boolean {
    if (isPlace) return this.#isLeft(home.before, -1) && this.#isLeft(home.behind, 1)
    const range = rangeOf(this.#weave, home)
    return range !== null && words.includes(this.#after.slice(range.start, range.end))
  }

  /** Whether a neighbour stands, or the one on its other side where no decision has put it in by now. */
  #isLeft(letter: Letter | null, way: -1 | 1): boolean {
    const { pieces, undone } = this.#weave
    let at = pieces.findIndex((piece) => holds(piece, letter))
    if (letter === null || at < 0) return letter === null
    let next = pieces[at]
    for (; next && undone.has(next.by); next = pieces[at]) at += way
    return next === undefined || this.#weave.stands(next)
  }

  /** Whether a decision that stands took some of its letters out. */
  #isTakenOut({ own, before, behind }: Home): boolean {
    const letters = own ? [own.first, own.last] : [before, behind]
    return this.#weave.pieces.some(
      (piece) => letters.some((one) => holds(piece, one)) && !this.#weave.stands(piece),
    )
  }

  /** What is to be known of decisions as long as some stand, and what it says once those that put other line ends don’t. */
  #known(one: Noted, takenOut: readonly PlaceBefore[], isWhole: boolean): Omit<Outcome, 'range'> {
    if (takenOut.length === 0) return {}
    const isStanding = ({ revision }: PlaceBefore) => this.#standing.has(revision)
    const kept = isWhole && !takenOut.some(isStanding) ? [] : takenOut
    const since = takenOut.slice(takenOut.findLastIndex(isStanding) + 1)
    const { suggested_text, lineEnds: own = null } = one
    const ends = since.find(({ lineEnds }) => lineEnds)?.lineEnds ?? (kept.length === 0 ? own : null)
    if (!isWhole || !ends || suggested_text === undefined) return { takenOut: kept }
    const isOwn = own?.before === ends.before && own.behind === ends.behind
    return { suggested_text: withEnds(suggested_text, ends), lineEnds: isOwn ? null : own, takenOut: kept }
  }
}
