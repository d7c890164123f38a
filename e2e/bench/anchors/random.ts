/** Chance that is the same everywhere: Park and Miller's minimal standard generator. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = (seed * 7919) % 2147483647 || 1
    for (let i = 0; i < 8; i++) this.below(2)
  }

  below(limit: number): number {
    this.#state = (this.#state * 48271) % 2147483647
    return Math.floor((this.#state / 2147483647) * limit)
  }

  between(from: number, to: number): number {
    return from + this.below(to - from)
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }

  /** One of the names, each as often as its weight says. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const names = Object.keys(weights) as Name[]
    let at = this.below(names.reduce((sum, name) => sum + weights[name], 0))
    for (const name of names) {
      at -= weights[name]
      if (at < 0) return name
    }
    return names[0]!
  }
}
