import { GalleyError } from '../contract/errors.ts'
import type { Turn } from '../threads/fair-queue.ts'
import type { TextThreads } from '../threads/text-threads.ts'
import {
  here,
  isLight,
  weightOf,
  type AskedOf,
  type Bench,
  type GivenOf,
  type TextWorkKind,
} from '../threads/text-work.ts'
import { isSameData } from './same-data.ts'

/** So often the same is worked out for one request because what it is about has changed meanwhile. */
const mostTimes = 5

/** What an attempt finds that it can't go on without. */
export class WorkWanted extends Error {
  readonly kind: TextWorkKind
  readonly asked: AskedOf<TextWorkKind>
  constructor(kind: TextWorkKind, asked: AskedOf<TextWorkKind>) {
    super('has to be worked out first')
    this.kind = kind
    this.asked = asked
  }
}

interface Going<Result> {
  attempt: () => Result | Promise<Result>
  /** Run before each further attempt. */
  again: () => void
  threads: Pick<TextThreads, 'workOut'>
  turn: () => Turn
  /** Waits until nobody else does the same for the document, once what was worked out was void; answers what ends that. */
  alone?: (() => Promise<() => void>) | undefined
}

/**
 * The heavy work of one request. An attempt reads what it needs and asks the bench; what is light is done at once.
 * What is heavy ends the attempt, which has changed nothing, and is done on another thread, while everybody else is
 * answered. Then the attempt is made again, from the beginning: the bench gives what was worked out only where exactly
 * the same is asked, so that whatever has changed meanwhile is noticed, and worked out anew.
 */
export class WorkedOut {
  readonly #done = new Map<TextWorkKind, { asked: unknown; given: GivenOf<TextWorkKind> }[]>()

  readonly bench: Bench = (kind, asked) => {
    if (isLight(kind, asked)) return here(kind, asked)
    const known = this.#done.get(kind)?.find((one) => isSameData(one.asked, asked))
    if (known) return known.given as GivenOf<typeof kind>
    throw new WorkWanted(kind, asked)
  }

  /** Goes on where an attempt ended with `error`, until one has all that it needs; what else one ends with is thrown. */
  async goOn<Result>(
    error: unknown,
    { attempt, again, threads, turn, alone }: Going<Result>,
  ): Promise<Result> {
    let end: (() => void) | undefined
    let wanted = error
    try {
      for (let isFirst = true; ; isFirst = false) {
        if (!(wanted instanceof WorkWanted)) throw wanted
        if (isFirst || end || !alone) await this.#workOut(wanted, threads, turn())
        else end = await alone()
        again()
        try {
          return await attempt()
        } catch (next) {
          wanted = next
        }
      }
    } finally {
      end?.()
    }
  }

  async #workOut({ kind, asked }: WorkWanted, threads: Pick<TextThreads, 'workOut'>, turn: Turn) {
    const done = this.#done.get(kind) ?? []
    if (done.length === mostTimes)
      throw new GalleyError(
        'BUSY',
        'The document is being changed all the time just now. Nothing of this was done; try again.',
        { retryAfter: 1 },
      )
    const given = await threads.workOut(kind, asked, turn, weightOf(kind, asked))
    this.#done.set(kind, [...done, { asked, given }])
  }
}
