/**
 * Looks now and then whether something has rested for so long that it need not be in memory any more. It keeps no process
 * alive, and runs only while there is something.
 */
export class RestTimer {
  readonly #restMs: number
  readonly #release: (since: number) => boolean
  #timer: NodeJS.Timeout | undefined

  /** `release` lets go of what wasn't used since then, and says whether anything is left. */
  constructor(restMs: number, release: (since: number) => boolean) {
    this.#restMs = restMs
    this.#release = release
  }

  now = () => performance.now()

  /** There is something. */
  begin() {
    if (this.#timer || this.#restMs === Infinity) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#release(this.now() - this.#restMs)) this.begin()
    }, this.#restMs / 2).unref()
  }
}
