/** Bytes that each has had within the minute that began with the first of them. */
export class ReadBudget {
  readonly #now: () => number
  readonly #had = new Map<string, { bytes: number; until: number }>()

  constructor(now: () => number) {
    this.#now = now
  }

  add(name: string, bytes: number) {
    const had = this.#had.get(name)
    if (had && had.until > this.#now()) had.bytes += bytes
    else this.#had.set(name, { bytes, until: this.#now() + 60_000 })
    if (this.#had.size > 10_000)
      for (const [other, { until }] of this.#had) if (until <= this.#now()) this.#had.delete(other)
  }

  /** 0 while there is some left. */
  secondsUntil(name: string, most: number): number {
    const had = this.#had.get(name)
    if (!had || had.bytes < most || had.until <= this.#now()) return 0
    return Math.max(1, Math.ceil((had.until - this.#now()) / 1000))
  }
}
