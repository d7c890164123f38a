/** “Saved” may stay for so long after something was written, in milliseconds: nothing flickers beside one who writes. */
const aMoment = 2_000

/**
 * Since when the oldest waits of what was written here and the server hasn’t said that it has. However often sending it is
 * tried, what waits for more than a moment isn’t called saved any more.
 */
export class OldestUnsaved {
  /** Whether it waits for more than a moment. */
  isLong = $state(false)
  readonly #now: () => number
  readonly #onLong: () => void
  #since: number | null = null
  /** Since when the oldest does of what was written after what was sent last. */
  #sinceSent: number | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(now: () => number, onLong: () => void) {
    this.#now = now
    this.#onLong = onLong
  }

  written(): void {
    this.#sinceSent ??= this.#now()
    if (this.#since === null) this.#count(this.#now())
  }

  /** It was said to have failed: what waits isn’t called saved before it is. */
  hasFailed(): void {
    this.#count(-Infinity)
  }

  /** All that was written until now is on its way. */
  sent(): void {
    this.#sinceSent = null
  }

  /** What was on its way is there. */
  arrived(): void {
    this.#count(this.#sinceSent)
  }

  /** Nothing waits. */
  none(): void {
    this.#sinceSent = null
    this.#count(null)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #count(since: number | null): void {
    clearTimeout(this.#timer)
    this.#since = since
    const left = since === null ? Infinity : since + aMoment - this.#now()
    this.isLong = left <= 0
    if (left > 0 && left < Infinity)
      this.#timer = setTimeout(() => {
        this.isLong = true
        this.#onLong()
      }, left)
  }
}
