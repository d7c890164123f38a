import type { Acceptance } from './acceptance.ts'
import type { ComesBefore } from './home.ts'
import { nameOf } from './homes-asked.ts'
import type { Letter, Weave } from './weave.ts'

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
export interface Among {
  first: Letter
  last: Letter
  count: number
}

/** The decisions in a weave, each of which is a step of its own. */
export class WovenDecisions {
  readonly #bySteps = new Map<number, Decision>()
  readonly #steps = new Map<string, number>()
  readonly #turns = new Map<number, number>()
  readonly #order: ReadonlyMap<string, number>

  /** @param order the ids of all that put something in, in the order of their turns */
  constructor(order: readonly string[]) {
    this.#order = new Map(order.map((id, turn) => [id, turn]))
  }

  note(decision: Decision) {
    const { step, of } = decision
    this.#bySteps.set(step, decision)
    for (const { id, revision } of of) this.#steps.set(nameOf(id, revision), step)
    const turn = of.length === 1 ? this.#order.get(of[0]!.id) : undefined
    if (turn !== undefined) this.#turns.set(step, turn)
  }

  at(step: number): Decision | undefined {
    return this.#bySteps.get(step)
  }

  readonly isDecision = (step: number): boolean => this.#bySteps.has(step)

  stepOf({ id, revision }: Pick<Acceptance, 'id' | 'revision'>): number | undefined {
    return this.#steps.get(nameOf(id, revision))
  }

  /** Which steps stand before what a suggestion puts in at their place. */
  before(id: string): ComesBefore {
    const turn = this.#order.get(id)
    return (by, behind) => {
      // What is for words stays with these.
      const last = this.at(by)?.lastWord
      if (isSame(last, behind)) return true
      const its = this.#turns.get(by)
      return its !== undefined && turn !== undefined && its < turn
    }
  }
}

/** A weave, and which of its steps are decisions. */
export interface OfWeave {
  weave: Weave
  decisions: WovenDecisions
}

/** Whether a letter of what was put in is one of the same words as the one before it. */
export function isWithin(put: readonly number[], at: number): boolean {
  let end = 0
  return at > 0 && put.every((length) => (end += length) !== at)
}

export const isSame = (one: Letter | null | undefined, other: Letter | null): boolean =>
  Boolean(one && other) && one!.by === other!.by && one!.at === other!.at
