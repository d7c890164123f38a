/** Does something at once, and then not again before a pause is over. */
export class AtMostEvery {
  readonly #act: () => void
  readonly #pause: () => number
  #last = -Infinity
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(act: () => void, pause: () => number) {
    this.#act = act
    this.#pause = pause
  }

  call(): void {
    if (this.#timer !== undefined) return
    const wait = this.#last + this.#pause() - performance.now()
    if (wait <= 1) this.#run()
    else this.#timer = setTimeout(() => this.#run(), wait)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #run(): void {
    this.#timer = undefined
    this.#last = performance.now()
    this.#act()
  }
}
