import type { Acceptance, Past } from './acceptance.ts'
import { ChangeSet, type ChangesJson } from './change-set.ts'
import { textDiff } from './diff/index.ts'
import { homeOf, type Home } from './home.ts'
import { homesAsked, nameOf, type Asked } from './homes-asked.ts'
import { countOf, displacedIn } from './letters-of-decisions.ts'
import { partsOf, splicesOf } from './parts-of-acceptance.ts'
import { PiecedText } from './pieced-text.ts'
import { putBack } from './put-back.ts'
import { besideReplaced, sideOf, slidInWeave } from './sides-in-weave.ts'
import { first, Weave, type Splice, type StepSplice } from './weave.ts'
import { WovenDecisions, type Decision } from './woven-decisions.ts'

/**
 * The text of a document with all that decisions took out of it, made from its log: what each decision did is a step of
 * its own, and so is each other change, which is never taken back.
 */
export class DecidedWeave {
  weave: Weave
  text: PiecedText
  readonly decisions: WovenDecisions
  /** By the letters of the first text in which they were noted. */
  readonly homes = new Map<string, Home>()
  /** The same of what was accepted, as it was known then. */
  readonly #madeAt = new Map<string, Home>()
  /** Whether others have taken anything out. */
  #wasOver = false
  #next = first + 1
  /** Whose words others took out and put back. */
  readonly putBack = new Set<number>()

  constructor(past: Past) {
    this.decisions = new WovenDecisions(past.order)
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

  #findHomes(asked: Asked[], revision: number) {
    while (asked.length > 0 && asked[0]!.revision <= revision) {
      const { name, range, made } = asked.shift()!
      const homes = made ? this.#madeAt : this.homes
      if (range.end <= this.text.length && !homes.has(name)) homes.set(name, homeOf(this.weave, range))
    }
  }

  #write(splices: readonly Splice[], change: ChangeSet) {
    const step = this.#next++
    const all = slidInWeave(this, splices).map((one): StepSplice => ({
      ...one,
      step,
      side: besideReplaced(this, one.from),
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
    const parts = partsOf(accepted, slidInWeave(this, splicesOf(changes)), this.text.whole, after.whole)
    const splices = parts.flatMap(({ of, splices }): StepSplice[] => {
      const step = this.#next++
      const put = splices.flatMap(({ insert: { length } }) => (length > 0 ? [length] : []))
      const range = of.length === 1 ? of[0]!.range : null
      const lastWord = range && range.start < range.end ? this.weave.letterAt(range.end - 1) : null
      const decision: Decision = { step, of, put, lastWord, among: null, displacedBy: new Set() }
      this.decisions.note(decision)
      const [one] = of
      const home = of.length === 1 ? this.#madeAt.get(nameOf(one!.id, one!.revision)) : undefined
      return splices.map((each) => ({ ...each, step, side: home && sideOf(this, home, decision) }))
    })
    const inOrder = parts.length > 1 ? splices.toSorted((a, b) => a.from - b.from || a.to - b.to) : splices
    this.weave = this.weave.changedBy(inOrder, this.read)
    this.text = after
    for (const { of } of parts) {
      const [one] = of
      const applied = of.length === 1 ? one!.applied : null
      if (!applied || applied.start === applied.end) continue
      const decision = this.decisions.at(this.decisions.stepOf(one!)!)!
      const own = homeOf(this.weave, applied).own
      decision.among = own && { ...own, count: countOf(this, own, decision.step) ?? 0 }
    }
  }

  /** Whether a change is what taking decisions back does to the text, but for line ends that keep lines apart. */
  #takeBack(back: readonly Acceptance[], change: ChangeSet): boolean {
    const undo = back.flatMap((one) => this.decisions.stepOf(one) ?? [])
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
    const step = displacedIn({ weave, decisions: this.decisions }, new Set(undo))
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
      const undo = undone.get(left.shift()!)!.flatMap((one) => this.decisions.stepOf(one) ?? [])
      const { weave, splices } = this.weave.turned({ undo }, this.read)
      if (splices.length === 0) this.weave = weave
    }
  }

  /** Without what nobody will bring back: what no decision put in, and none took out. */
  #pruned(weave: Weave): Weave {
    return weave.with((piece) =>
      piece.taken.length === 0 ||
      this.decisions.isDecision(piece.by) ||
      piece.taken.some((one) => this.decisions.isDecision(one))
        ? piece
        : null,
    )
  }
}

export const changeOf = (splices: readonly Splice[], length: number): ChangeSet =>
  ChangeSet.of(
    splices.map(({ from, to, insert }) => ({ from, to, insert })),
    length,
    '\n',
  )
