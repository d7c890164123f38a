import type { ChangeDesc, ChangeSet, Text } from '@codemirror/state'
import { limits } from '../contract/limits.ts'
import type { PushedSteps, ToldSteps } from '../contract/records/changes.ts'
import type { OwnStep } from './doing.ts'
import { rebase } from './rebase.ts'

/*
 * Which steps of an editor’s history are in what it sends, so that the others know what undo takes back: each of them
 * has the letters that are gone, and is told which of them come back.
 */

export type { PushedSteps, ToldSteps }

type Parts = PushedSteps['put']

/** Where parts are after changes: the letters of them that are left, and none that came between. */
export const followParts = (parts: Parts, changes: readonly ChangeDesc[]): Parts =>
  changes.reduce((all, one) => followed(all, one), parts)

function followed(parts: Parts, changes: ChangeDesc): Parts {
  if (parts.length === 0 || changes.empty) return parts
  const found: Parts = []
  changes.iterGaps((posA, posB, length) => {
    for (const [start, end, step] of parts) {
      const [from, to] = [Math.max(start, posA), Math.min(end, posA + length)]
      if (from < to) found.push([from + posB - posA, to + posB - posA, step])
    }
  })
  return found
}

/** The same the other way: where letters were before changes that have left them. */
function before(parts: Parts, changes: ChangeDesc | null): Parts {
  return changes === null ? parts : followed(parts, changes.invertedDesc)
}

/** As far as a text of that length has them. */
const within = (parts: Parts, length: number): Parts =>
  parts.flatMap(([start, end, step]) => {
    const to = Math.min(end, length)
    return start < to ? [[start, to, step]] : []
  })

export const noSteps: PushedSteps = { put: [], taken: [], undone: [], redone: [] }

export const areNone = ({ put, taken, undone, redone }: PushedSteps): boolean =>
  put.length + taken.length + undone.length + redone.length === 0

/** What one editor has to tell of its steps. */
export class OwnSteps {
  #sending = noSteps
  /** What isn’t sent has written, where it stands in the text here. */
  #put: Parts = []
  /** What it has taken out, in the text that it is made on. */
  #taken: Parts = []
  #undone = new Set<number>()
  #redone = new Set<number>()
  /** Of which others have been told, or are to be. */
  readonly #known = new Set<number>()
  /** Steps of an editor that was there before have other numbers. */
  #base = 0
  #last = 0
  #isStanding = false

  get sending(): PushedSteps {
    return this.#sending
  }

  /** Whether others are to be told of something that changes no letter. */
  get isDue(): boolean {
    return this.#undone.size + this.#redone.size > 0 || this.#isStanding
  }

  /**
   * Takes in a change of the text here.
   * @param unsent what has made that text of the one that what isn’t sent is made on
   */
  add(
    changes: ChangeSet,
    { part = null, undone = [], redone = [], standing = [] }: OwnStep,
    unsent: ChangeSet | null,
  ): void {
    this.#last = Math.max(this.#last, (part ?? 0) % tidying)
    this.#put = followed(this.#put, changes)
    if (part !== null) {
      const step = this.#base + part
      const put: Parts = []
      const taken: Parts = []
      changes.iterChangedRanges((fromA, toA, fromB, toB) => {
        if (fromB < toB) put.push([fromB, toB, step])
        if (fromA < toA) taken.push([fromA, toA, step])
      }, true)
      this.#put = joined([...this.#put, ...put])
      this.#taken = joined([...this.#taken, ...before(taken, unsent)])
    }
    const turns = (steps: readonly number[], to: Set<number>, other: Set<number>) => {
      for (const step of steps) {
        const named = this.#base + step
        if (!other.delete(named) && this.#known.has(named)) to.add(named)
      }
    }
    turns(undone, this.#undone, this.#redone)
    turns(redone, this.#redone, this.#undone)
    if (standing.length > 0)
      this.#put = disjoint([
        ...standing.map(({ start, end, step }): Parts[number] => [start, end, this.#base + step]),
        ...this.#put,
      ])
    this.#isStanding ||= standing.length > 0
  }

  /** Another editor’s history begins. */
  begin(): void {
    this.#base += this.#last
    this.#last = 0
  }

  /** What isn’t sent goes on its way. */
  sent(): void {
    for (const [, , step] of [...this.#put, ...this.#taken]) this.#known.add(step)
    this.#sending = {
      put: this.#put.slice(0, limits.toldSteps),
      taken: this.#taken.slice(0, limits.toldSteps),
      undone: [...this.#undone].slice(0, limits.toldSteps),
      redone: [...this.#redone].slice(0, limits.toldSteps),
    }
    this.#clear()
  }

  #clear(): void {
    this.#put = []
    this.#taken = []
    this.#undone = new Set()
    this.#redone = new Set()
    this.#isStanding = false
  }

  /** Nothing is known of what is to be sent. */
  forget(): void {
    this.#sending = noSteps
    this.#clear()
  }

  arrived(): void {
    this.#sending = noSteps
  }

  /**
   * What was on its way isn’t any more: it is told with what is sent next.
   * @param unsent what was changed since
   */
  takenBack(sending: ChangeSet, unsent: ChangeSet | null): void {
    const { put, taken, undone, redone } = this.#sending
    this.#put = joined([...(unsent ? followed(put, unsent) : put), ...this.#put])
    this.#taken = joined([...taken, ...before(this.#taken, sending)])
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
  takeIn(changes: ChangeDesc, overSending: ChangeDesc, overAll: ChangeDesc): void {
    const { put, taken, ...turned } = this.#sending
    this.#sending = { ...turned, put: followed(put, overSending), taken: followed(taken, changes) }
    this.#put = followed(this.#put, overAll)
    this.#taken = followed(this.#taken, overSending)
  }
}

/** Steps that only tidy have numbers from here on. */
const tidying = 2 ** 31

/** In order, and each letter in one only: of several that have it in the first. */
export function disjoint(parts: Parts): Parts {
  const made: Parts = []
  for (const [start, end, step] of parts) {
    let from = start
    for (const other of made.toSorted((a, b) => a[0] - b[0])) {
      if (other[1] <= from || other[0] >= end) continue
      if (from < other[0]) made.push([from, other[0], step])
      from = Math.max(from, other[1])
    }
    if (from < end) made.push([from, end, step])
  }
  return made.sort((a, b) => a[0] - b[0])
}

/** In order, and in as few as they are. */
function joined(parts: Parts): Parts {
  const made: Parts = []
  for (const one of parts.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = made.at(-1)
    if (last?.[1] === one[0] && last[2] === one[2]) made[made.length - 1] = [last[0], one[1], one[2]]
    else made.push(one)
  }
  return made
}

/** What each step has taken out of a text, as far as it is told. */
export const takenBy = ({ taken }: PushedSteps, text: Text): { step: number; says: string }[] =>
  taken.map(([start, end, step]) => ({ step, says: text.sliceString(start, end) }))

/** A change that was sent brought over those that came before it, and where the parts of it that are told stand then. */
export function broughtOver(
  { changes, goesOn, steps: { put, taken } }: { changes: ChangeSet; goesOn: boolean; steps: PushedSteps },
  since: readonly ChangeSet[],
): { ours: ChangeSet; put: Parts; taken: Parts } {
  let ours = changes
  put = within(put, changes.newLength)
  taken = within(taken, changes.length)
  for (const one of since) {
    const made = rebase([{ changes: ours, goesOn }], one)
    put = followParts(put, [made.over])
    taken = followParts(taken, [one])
    ours = made.ours[0]!
  }
  return { ours, put, taken }
}
