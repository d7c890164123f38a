import { RestTimer } from '../store/rest-timer.ts'

/**
 * A map that forgets what hasn't been used for longest once its values weigh more than allowed, and, where that is
 * said, what hasn't been used for so long.
 */
export class RecentlyUsed<Value> {
  readonly #values = new Map<string, { value: Value; usedAt: number }>()
  readonly #most: number
  readonly #weigh: (value: Value) => number
  readonly #rest: RestTimer
  #weight = 0

  constructor(most: number, weigh: (value: Value) => number, restMs = Infinity) {
    this.#most = most
    this.#weigh = weigh
    this.#rest = new RestTimer(restMs, (since) => {
      for (const [key, { usedAt }] of this.#values) {
        if (usedAt > since) return true
        this.delete(key)
      }
      return false
    })
  }

  get(key: string): Value | undefined {
    const one = this.#values.get(key)
    if (one === undefined) return undefined
    // A Map keeps the order of insertion: the first is the one not used for longest.
    this.#values.delete(key)
    this.#values.set(key, one)
    one.usedAt = this.#rest.now()
    return one.value
  }

  /** Keeps the value, unless it alone is too heavy; returns it either way. */
  set(key: string, value: Value): Value {
    this.delete(key)
    const weight = this.#weigh(value)
    if (weight > this.#most) return value
    this.#values.set(key, { value, usedAt: this.#rest.now() })
    this.#rest.begin()
    this.#weight += weight
    for (const oldest of this.#values.keys()) {
      if (this.#weight <= this.#most) break
      this.delete(oldest)
    }
    return value
  }

  delete(key: string) {
    const one = this.#values.get(key)
    if (one === undefined) return
    this.#weight -= this.#weigh(one.value)
    this.#values.delete(key)
  }
}
