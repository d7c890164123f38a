import type { Acceptance, Past } from './acceptance.ts'
import { ChangeSet, type ChangesJson } from './change-set.ts'
import { textDiff } from './diff/index.ts'
import { countBefore, holds, homeOf, type ComesBefore, type Home } from './home.ts'
import { homesAsked, nameOf, type Asked } from './homes-asked.ts'
import { PiecedText } from './pieced-text.ts'
import { putBack } from './put-back.ts'
import { partsOf, splicesOf } from './parts-of-acceptance.ts'
import { slid } from './slid-splices.ts'
import {
  besideItsLine,
  first,
  Weave,
  type ChooseSide,
  type Letter,
  type Piece,
  type Splice,
  type StepSplice,
} from './weave.ts'

/** What one decision did. */
export interface Decision {
  step: number
  of: readonly Acceptance[]
  /** How long what it put in is, each at its place. */
  put: readonly number[]
  /** The last letter of the words that it was for. */
  lastWord: Letter | null
  /** What its words stood among as they were put in; null where that isn’t known. */
  among: Among | null
  /** The decisions that have taken out what stood around the place of what it puts in, so that it stands beside that. */
  displacedBy: Set<number>
}

/** A stretch of the text, and how many letters stand in it that nobody has written over. */
interface Among {
  first: Letter
  last: Letter
  count: number
}

/**
 * The text of a document with all that decisions took out of it, made from its log: what each decision did is a step of
 * its own, and so is each other change, which is never taken back.
 */
export class DecidedWeave {
  weave: Weave
  text: PiecedText
  readonly decisions = new Map<number, Decision>()
  /** By the letters of the first text in which they were noted. */
  readonly homes = new Map<string, Home>()
  /** The same of what was accepted, as it was known then. */
  readonly #madeAt = new Map<string, Home>()
  /** Whether others have taken anything out. */
  #wasOver = false
  readonly #steps = new Map<string, number>()
  readonly #turns = new Map<number, number>()
  readonly #order: ReadonlyMap<string, number>
  #next = first + 1
  /** Whose words others took out and put back. */
  readonly putBack = new Set<number>()

  constructor(past: Past) {
    this.#order = new Map(past.order.map((id, turn) => [id, turn]))
    this.text = PiecedText.of(past.before)
    this.weave = Weave.of(past.before.length)
    const made = Map.groupBy(past.acceptances, (one) => one.revision)
    const undone = Map.groupBy(
      past.acceptances.filter((one) => one.undoneBy !== null),
      (one) => one.undoneBy!,
    )
    const asked = homesAsked(past)
    const untold = [...undone.keys()].toSorted((a, b) => a - b)
    for (const { revision, changes } of past.log) {
      this.#turnUntold(undone, untold, revision - 1)
      this.#findHomes(asked, revision)
      const change = ChangeSet.fromJSON(changes)
      const accepted = made.get(revision)
      const back = undone.get(revision)
      if (accepted) this.#accept(accepted, changes, change)
      else {
        if (!back || !this.#takeBack(back, change)) this.#write(splicesOf(changes), change)
        if (untold[0] === revision) untold.shift()
      }
    }
    this.#turnUntold(undone, untold, Infinity)
    this.#findHomes(asked, Infinity)
  }

  readonly read = (from: number, to: number): string => this.text.slice(from, to)

  stepOf({ id, revision }: Pick<Acceptance, 'id' | 'revision'>): number | undefined {
    return this.#steps.get(nameOf(id, revision))
  }

  /** Which steps stand before what a suggestion puts in at their place. */
  before(id: string): ComesBefore {
    const turn = this.#order.get(id)
    return (by, behind) => {
      // What is for words stays with these.
      const last = this.decisions.get(by)?.lastWord
      if (isSame(last, behind)) return true
      const its = this.#turns.get(by)
      return its !== undefined && turn !== undefined && its < turn
    }
  }

  #findHomes(asked: Asked[], revision: number) {
    while (asked.length > 0 && asked[0]!.revision <= revision) {
      const { name, range, made } = asked.shift()!
      const homes = made ? this.#madeAt : this.homes
      if (range.end <= this.text.length && !homes.has(name)) homes.set(name, homeOf(this.weave, range))
    }
  }

  #write(splices: readonly Splice[], change: ChangeSet) {
    const step = this.#next++
    const all = this.#slid(splices).map((one): StepSplice => ({
      ...one,
      step,
      side: this.#besideReplaced(one.from),
    }))
    const written = this.weave.changedBy(all, this.read)
    this.#wasOver ||= splices.some(({ from, to }) => from < to)
    if (!this.#wasOver) this.weave = written
    else
      this.weave = this.#pruned(
        putBack(written, { step, said: splices.map(({ insert }) => insert).join('') }, this),
      )
    this.text = this.text.changed(change)
  }

  #accept(accepted: readonly Acceptance[], changes: ChangesJson, change: ChangeSet) {
    const after = this.text.changed(change)
    const parts = partsOf(accepted, this.#slid(splicesOf(changes)), this.text.whole, after.whole)
    const splices = parts.flatMap(({ of, splices }): StepSplice[] => {
      const step = this.#next++
      const put = splices.flatMap(({ insert: { length } }) => (length > 0 ? [length] : []))
      const range = of.length === 1 ? of[0]!.range : null
      const lastWord = range && range.start < range.end ? this.weave.letterAt(range.end - 1) : null
      const decision: Decision = { step, of, put, lastWord, among: null, displacedBy: new Set() }
      this.decisions.set(step, decision)
      for (const { id, revision } of of) this.#steps.set(nameOf(id, revision), step)
      const [one] = of
      const turn = of.length === 1 ? this.#order.get(one!.id) : undefined
      if (turn !== undefined) this.#turns.set(step, turn)
      const home = of.length === 1 ? this.#madeAt.get(nameOf(one!.id, one!.revision)) : undefined
      return splices.map((each) => ({ ...each, step, side: home && this.#sideOf(home, decision) }))
    })
    const inOrder = parts.length > 1 ? splices.toSorted((a, b) => a.from - b.from || a.to - b.to) : splices
    this.weave = this.weave.changedBy(inOrder, this.read)
    this.text = after
    for (const { of } of parts) {
      const [one] = of
      const applied = of.length === 1 ? one!.applied : null
      if (!applied || applied.start === applied.end) continue
      const decision = this.decisions.get(this.stepOf(one!)!)!
      const own = homeOf(this.weave, applied).own
      decision.among = own && { ...own, count: this.countOf(own, decision.step) ?? 0 }
    }
  }

  /** How many letters up to a step are in a stretch, that nobody has written over; null if others wrote within it. */
  countOf({ first, last }: Pick<Among, 'first' | 'last'>, step: number): number | null {
    let count: number | null = null
    for (const piece of this.weave.pieces) {
      const [isFirst, isLast] = [holds(piece, first), holds(piece, last)]
      if (isFirst) count = 0
      if (count === null) continue
      const isOver = piece.taken.some((one) => !this.isDecision(one))
      if (piece.by > step && !this.isDecision(piece.by) && !isOver) return null
      const from = isFirst ? first.at - piece.at : 0
      const to = isLast ? last.at + 1 - piece.at : piece.length
      if (piece.by <= step && !isOver) count += to - from
      if (isLast) return count
    }
    return null
  }

  #slid(splices: readonly Splice[]): Splice[] {
    const cuts = (place: number) => {
      const [before, behind] = [place > 0 ? this.weave.letterAt(place - 1) : null, this.weave.letterAt(place)]
      const put = before && before.by === behind?.by ? this.decisions.get(before.by)?.put : undefined
      return put !== undefined && before!.at + 1 === behind!.at && isWithin(put, behind!.at)
    }
    const isOver = (from: number, to: number) => this.#isOver(from, to)
    const isDecided = (from: number, to: number) => {
      for (let at = from; at < to; at++) if (this.decisions.has(this.weave.letterAt(at)!.by)) return true
      return false
    }
    return slid(splices, this.text.length, this.read, { cuts, isOver, isDecided })
  }

  /** What is written beside accepted words stands beside all that they have replaced. */
  #besideReplaced(place: number): ChooseSide {
    return (gone, insert) => {
      const before = place > 0 ? this.weave.letterAt(place - 1) : null
      const next = this.weave.letterAt(place)
      const endsHere = (step: number) => isSame(this.decisions.get(step)?.among?.last, before)
      const startsHere = (step: number) =>
        step === next?.by || isSame(this.decisions.get(step)?.among?.first, next)
      const from = gone.findLastIndex(({ taken }) => taken.some(endsHere)) + 1
      const to = gone.findIndex(({ taken }, i) => i >= from && taken.some(startsHere))
      return from + besideItsLine(gone.slice(from, to < 0 ? gone.length : to), insert)
    }
  }

  /** Whether something stood between two places that a decision took out which may be taken back. */
  #isOver(from: number, to: number): boolean {
    let place = 0
    for (const piece of this.weave.pieces) {
      if (place >= to) return false
      if (this.weave.stands(piece)) place += piece.length
      else if (place > from && !this.weave.undone.has(piece.by) && piece.taken.some(this.isDecision))
        return true
    }
    return false
  }

  /** Beside what was taken out around it, and where it belongs among all else. */
  #sideOf(home: Home, decision: Decision): ChooseSide {
    return (gone, insert) => {
      const isBefore = gone.findIndex((piece) => holds(piece, home.before))
      const isBehind = gone.findIndex((piece) => holds(piece, home.behind))
      if (isBefore < 0 && isBehind < 0) return besideItsLine(gone, insert)
      const start = isBefore + 1
      const between = gone.slice(start, isBehind < 0 ? gone.length : Math.max(start, isBehind))
      const at =
        isBefore === isBehind
          ? isBefore + 1
          : start +
            countBefore(
              between,
              { letter: home.before, piece: gone[isBefore] },
              this.before(decision.of[0]!.id),
            )
      const takers = this.#takersAround(gone, isBefore === isBehind ? [isBefore, isBefore] : [at - 1, at])
      if (takers.length === 0) return at
      for (const taker of takers) decision.displacedBy.add(taker)
      const isTheirs = (piece: Piece) => takers.some((taker) => piece.taken.includes(taker))
      const first = gone.findIndex(isTheirs)
      const last = gone.findLastIndex(isTheirs)
      return first + besideItsLine(gone.slice(first, last + 1), insert)
    }
  }

  /** The decisions that stand and have taken out what is on both sides. */
  #takersAround(gone: readonly Piece[], [before, behind]: readonly [number, number]): number[] {
    const [left, right] = [gone[before]?.taken ?? [], gone[behind]?.taken ?? []]
    return left.filter(
      (step) => this.isDecision(step) && right.includes(step) && !this.weave.undone.has(step),
    )
  }

  /** Whether a change is what taking decisions back does to the text, but for line ends that keep lines apart. */
  #takeBack(back: readonly Acceptance[], change: ChangeSet): boolean {
    const undo = back.flatMap((one) => this.stepOf(one) ?? [])
    if (undo.length === 0) return false
    const { weave, splices } = this.weave.turned({ undo }, this.read)
    const turned = this.text.changed(changeOf(splices, this.text.length))
    const after = this.text.changed(change)
    if (turned.equals(after)) {
      this.weave = weave
      this.text = after
      return true
    }
    const [before, now] = [turned.whole, after.whole]
    const left = textDiff(before, now).map(({ fromA, toA, fromB, toB }) => ({
      from: fromA,
      to: toA,
      insert: now.slice(fromB, toB),
    }))
    if (left.some(({ from, to, insert }) => (before.slice(from, to) + insert).trim() !== '')) return false
    const step = this.displacedOf(weave, new Set(undo))
    const others = this.#next++
    this.weave = weave.changedBy(
      left.map((one) => ({ ...one, step: step(one.from) ?? others })),
      (from, to) => before.slice(from, to),
    )
    this.text = after
    return true
  }

  /** What was taken back without a change of the text, since another decision had taken it out as well. */
  #turnUntold(undone: ReadonlyMap<number, readonly Acceptance[]>, left: number[], upTo: number) {
    while (left.length > 0 && left[0]! <= upTo) {
      const undo = undone.get(left.shift()!)!.flatMap((one) => this.stepOf(one) ?? [])
      const { weave, splices } = this.weave.turned({ undo }, this.read)
      if (splices.length === 0) this.weave = weave
    }
  }

  readonly isDecision = (step: number): boolean => this.decisions.has(step)

  /** Without what nobody will bring back: what no decision put in, and none took out. */
  #pruned(weave: Weave): Weave {
    return weave.with((piece) =>
      piece.taken.length === 0 || this.isDecision(piece.by) || piece.taken.some((one) => this.isDecision(one))
        ? piece
        : null,
    )
  }

  /** Which step stands at a place that others which are taken back had displaced. */
  displacedOf(weave: Weave, undo: ReadonlySet<number>): (place: number) => number | undefined {
    const edges = new Map<number, number>()
    let place = 0
    for (const piece of weave.pieces) {
      if (!weave.stands(piece)) continue
      const displaced = this.decisions.get(piece.by)?.displacedBy
      if (displaced && [...displaced].some((step) => undo.has(step))) {
        edges.set(place, piece.by)
        edges.set(place + piece.length, piece.by)
      }
      place += piece.length
    }
    return (at) => edges.get(at)
  }
}

/** Whether a letter of what was put in is one of the same words as the one before it. */
export function isWithin(put: readonly number[], at: number): boolean {
  let end = 0
  return at > 0 && put.every((length) => (end += length) !== at)
}

const isSame = (one: Letter | null | undefined, other: Letter | null): boolean =>
  Boolean(one && other) && one!.by === other!.by && one!.at === other!.at

export const changeOf = (splices: readonly Splice[], length: number): ChangeSet =>
  ChangeSet.of(
    splices.map(({ from, to, insert }) => ({ from, to, insert })),
    length,
    '\n',
  )
