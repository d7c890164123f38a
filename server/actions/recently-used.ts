/** A map that forgets what hasn't been used for longest once its values weigh more than allowed. */
export class RecentlyUsed<Value> {
  readonly #values = new Map<string, Value>()
  readonly #most: number
  readonly #weigh: (value: Value) => number
  #weight = 0

  constructor(most: number, weigh: (value: Value) => number) {
    this.#most = most
    this.#weigh = weigh
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key)
    if (value === undefined) return undefined
    // A Map keeps the order of insertion: the first is the one not used for longest.
    this.#values.delete(key)
    this.#values.set(key, value)
    return value
  }

  /** Keeps the value, unless it alone is too heavy; returns it either way. */
  set(key: string, value: Value): Value {
    this.delete(key)
    const weight = this.#weigh(value)
    if (weight > this.#most) return value
    this.#values.set(key, value)
    this.#weight += weight
    for (const oldest of this.#values.keys()) {
      if (this.#weight <= this.#most) break
      this.delete(oldest)
    }
    return value
  }

  delete(key: string) {
    const value = this.#values.get(key)
    if (value === undefined) return
    this.#weight -= this.#weigh(value)
    this.#values.delete(key)
  }
}
