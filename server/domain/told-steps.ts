import { ChangeSet, type ChangeDesc } from '@codemirror/state'
import { limits } from '../contract/limits.ts'
import type { PushedSteps, ToldSteps } from '../contract/records/changes.ts'
import type { OwnStep } from './doing.ts'
import { rebase } from './rebase.ts'
import { follow } from './recent-changes.ts'

/*
 * Which steps of an editor’s history are in what it sends, so that the others know what undo takes back: each of them
 * has the letters that are gone, and is told which of them come back.
 */

export type { PushedSteps, ToldSteps }

/** Letters of a text, and the step that wrote them or took them out. */
export interface StepPart {
  start: number
  end: number
  step: number
}

type Parts = PushedSteps['put']

/** Where parts are after changes, without those that are gone. */
export const followParts = (parts: Parts, changes: readonly ChangeDesc[]): Parts =>
  parts.flatMap(([start, end, step]) => {
    const now = follow({ start, end }, changes)
    return now.start < now.end ? [[now.start, now.end, step] as [number, number, number]] : []
  })

export const noSteps: PushedSteps = { put: [], taken: [], undone: [], redone: [] }

export const areNone = ({ put, taken, undone, redone }: PushedSteps): boolean =>
  put.length + taken.length + undone.length + redone.length === 0

/** Whether steps are told that count no more, or again: of which others are to know though no letter changes. */
const turnsAny = ({ undone, redone }: PushedSteps) => undone.length + redone.length > 0

/** Letters that stand one after the other: where they stood in the text that is sent from, or which step has written them. */
interface Run {
  length: number
  from: number | null
  step: number | null
}

/** What one editor has to tell of its steps. */
export class OwnSteps {
  #sending = noSteps
  /** What was changed since it was last sent, each with its step. */
  #parts: { changes: ChangeSet; step: number | null }[] = []
  #standing: StepPart[] = []
  #undone = new Set<number>()
  #redone = new Set<number>()
  /** Of which others have been told, or are to be. */
  readonly #known = new Set<number>()
  /** Steps of an editor that was there before have other numbers. */
  #base = 0
  #last = 0

  get sending(): PushedSteps {
    return this.#sending
  }

  /** Whether others are to be told of something that changes no letter. */
  get isDue(): boolean {
    return this.#undone.size + this.#redone.size + this.#standing.length > 0
  }

  add(changes: ChangeSet, { part = null, undone = [], redone = [], standing = [] }: OwnStep): void {
    this.#last = Math.max(this.#last, part ?? 0)
    const turns = (steps: readonly number[], to: Set<number>, other: Set<number>) => {
      for (const step of steps) {
        const named = this.#base + step
        if (!other.delete(named) && this.#known.has(named)) to.add(named)
      }
    }
    if (!changes.empty) {
      this.#standing = followStanding(this.#standing, changes)
      this.#parts.push({ changes, step: part === null ? null : this.#base + part })
      if (part !== null) this.#pending.add(this.#base + part)
    }
    turns(undone, this.#undone, this.#redone)
    turns(redone, this.#redone, this.#undone)
    this.#standing.push(...standing.map((one) => ({ ...one, step: this.#base + one.step })))
  }

  readonly #pending = new Set<number>()

  /** Another editor’s history begins. */
  begin(): void {
    this.#base += this.#last
    this.#last = 0
  }

  /**
   * What isn’t sent goes on its way.
   * @param length of the text that it is made on
   */
  sent(length: number): void {
    let runs: Run[] = length > 0 ? [{ length, from: 0, step: null }] : []
    const taken: StepPart[] = []
    for (const { changes, step } of this.#parts) {
      if (changes.length !== runs.reduce((sum, run) => sum + run.length, 0)) {
        runs = [{ length: changes.newLength, from: null, step: null }]
        continue
      }
      runs = runsAfter(runs, changes, step, taken)
    }
    const put: StepPart[] = []
    let at = 0
    for (const { length, step } of runs) {
      if (step !== null) put.push({ start: at, end: at + length, step })
      at += length
    }
    const written = ({ start, end, step }: StepPart): [number, number, number] => [start, end, step]
    this.#sending = {
      put: [...joined(put), ...this.#standing].slice(0, limits.toldSteps).map(written),
      taken: joined(taken.sort((a, b) => a.start - b.start))
        .slice(0, limits.toldSteps)
        .map(written),
      undone: [...this.#undone].slice(0, limits.toldSteps),
      redone: [...this.#redone].slice(0, limits.toldSteps),
    }
    for (const step of this.#pending) this.#known.add(step)
    this.#clear()
  }

  #clear(): void {
    this.#parts = []
    this.#standing = []
    this.#undone = new Set()
    this.#redone = new Set()
    this.#pending.clear()
  }

  /** Nothing is known of what is to be sent. */
  forget(): void {
    this.#sending = noSteps
    this.#clear()
  }

  arrived(): void {
    this.#sending = noSteps
  }

  /** What was on its way isn’t any more: it is told with what is sent next. */
  takenBack(changes: ChangeSet): void {
    const { put, taken, undone, redone } = this.#sending
    const steps = new Set([...put, ...taken].map(([, , step]) => step))
    this.#parts.unshift({ changes, step: steps.size === 1 ? [...steps][0]! : null })
    for (const step of undone) if (!this.#redone.delete(step)) this.#undone.add(step)
    for (const step of redone) if (!this.#undone.delete(step)) this.#redone.add(step)
    this.#sending = noSteps
  }

  /**
   * Takes in what others have changed.
   * @param changes of the text that what is on its way is made on
   * @param overSending what they are for the text that it leaves
   * @param overAll what they are for the text here
   */
  takeIn(changes: ChangeSet, overSending: ChangeSet, overAll: ChangeSet): void {
    const { put, taken, ...turned } = this.#sending
    if (put.length + taken.length > 0)
      this.#sending = { ...turned, put: followParts(put, [overSending]), taken: followParts(taken, [changes]) }
    let over = overSending
    this.#parts = this.#parts.map(({ changes: own, step }) => {
      if (own.length !== over.length) return { changes: own, step }
      const now = own.map(over)
      over = over.map(own, true)
      return { changes: now, step }
    })
    this.#standing = followStanding(this.#standing, overAll)
  }

  get hasTurned(): boolean {
    return turnsAny(this.#sending)
  }
}

const followStanding = (all: readonly StepPart[], changes: ChangeDesc): StepPart[] =>
  all.flatMap((one) => {
    const now = follow(one, [changes])
    return now.start < now.end ? [{ ...now, step: one.step }] : []
  })

function runsAfter(runs: readonly Run[], changes: ChangeSet, step: number | null, taken: StepPart[]): Run[] {
  const made: Run[] = []
  let [i, offset] = [0, 0]
  const next = (length: number, each: (run: Run) => void) => {
    while (length > 0) {
      const run = runs[i]!
      const count = Math.min(length, run.length - offset)
      each({ ...run, length: count, from: run.from === null ? null : run.from + offset })
      length -= count
      offset += count
      if (offset === run.length) [i, offset] = [i + 1, 0]
    }
  }
  const put = (run: Run) => {
    const last = made.at(-1)
    const goesOn =
      last !== undefined &&
      last.step === run.step &&
      (run.from === null ? last.from === null : last.from !== null && last.from + last.length === run.from)
    if (goesOn) last.length += run.length
    else made.push(run)
  }
  let place = 0
  changes.iterChanges((fromA, toA, _fromB, _toB, inserted) => {
    next(fromA - place, put)
    next(toA - fromA, (run) => {
      if (run.from !== null && step !== null) taken.push({ start: run.from, end: run.from + run.length, step })
    })
    place = toA
    if (inserted.length > 0) put({ length: inserted.length, from: null, step })
  }, true)
  next(changes.length - place, put)
  return made
}

function joined(parts: readonly StepPart[]): StepPart[] {
  const made: StepPart[] = []
  for (const one of parts) {
    const last = made.at(-1)
    if (last?.end === one.start && last.step === one.step) last.end = one.end
    else made.push({ ...one })
  }
  return made
}

/** A change that was sent brought over those that came before it, and where the parts of it that are told stand then. */
export function broughtOver(
  { changes, goesOn, steps: { put, taken } }: { changes: ChangeSet; goesOn: boolean; steps: PushedSteps },
  since: readonly ChangeSet[],
): { ours: ChangeSet; put: Parts; taken: Parts } {
  let ours = changes
  for (const one of since) {
    const made = rebase([{ changes: ours, goesOn }], one)
    put = followParts(put, [made.over])
    taken = followParts(taken, [one])
    ours = made.ours[0]!
  }
  return { ours, put, taken }
}
