/** A few words that the browser keeps for the next visit; where it keeps nothing, they are forgotten with the page. */
export class Remembered {
  readonly #key: string

  constructor(key: string) {
    this.#key = key
  }

  get value(): string | null {
    try {
      return localStorage.getItem(this.#key)
    } catch {
      return null
    }
  }

  set value(value: string | null) {
    try {
      if (value === null) localStorage.removeItem(this.#key)
      else localStorage.setItem(this.#key, value)
    } catch {
      // A browser that keeps nothing is no reason to stop.
    }
  }
}
