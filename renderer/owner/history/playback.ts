/** How fast a history is played: so many times the usual. */
export const speeds = [0.5, 1, 2, 4] as const
export type Speed = (typeof speeds)[number]

/** The usual plays all of it in about a minute, and never slower than somebody can follow. */
const wholeInSeconds = 60
const slowest = 1.5

/** How many moments go by in a second. */
export const momentsPerSecond = (moments: number, speed: Speed): number =>
  speed * Math.max(slowest, moments / wholeInSeconds)

/** Tells how many moments have gone by since it was asked last; what isn't a whole one counts the next time. */
export class Pace {
  #since: number
  #rest = 0

  constructor(now: number) {
    this.#since = now
  }

  passed(now: number, perSecond: number): number {
    // Of a page that was asleep nobody has seen anything.
    const seconds = Math.min(now - this.#since, 1_000) / 1_000
    this.#since = now
    this.#rest += seconds * perSecond
    const whole = Math.floor(this.#rest)
    this.#rest -= whole
    return whole
  }
}
