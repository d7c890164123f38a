import { RecentlyUsed } from '../actions/recently-used.ts'

/** An answer as it is sent. */
export class Packed {
  readonly headers: Record<string, string>
  readonly bytes: Buffer
  /** Whether it would come out the same another time. */
  readonly lasting: boolean
  constructor(headers: Record<string, string>, bytes: Buffer, lasting = true) {
    this.headers = headers
    this.bytes = bytes
    this.lasting = lasting
  }
}

/** Finished answers are kept up to this many bytes: one that many ask for, or one asks for often, is made once. */
const keptBytes = 32 * 1024 * 1024
/** One that nobody asks for any more, so long. */
const restMs = 60_000
/** One that may come out better another time is kept so long. */
const passingMs = 10_000

/** Answers by what they answer, so that each is made and held once, however many ask for the same. */
export class SharedAnswers {
  readonly #now: () => number
  /** Being made, or being sent to somebody. */
  readonly #shared = new Map<string, Packed | Promise<Packed>>()
  readonly #named = new WeakMap<Buffer, { name: string; packed: Packed }>()
  /** By where they are kept, with what they answer: a newer one takes the place of an older. */
  readonly #kept = new RecentlyUsed<{ name: string; packed: Packed; until: number }>(
    keptBytes,
    ({ packed }) => packed.bytes.length,
    restMs,
  )

  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * What somebody else is being sent, or waits for, under this name, or what is kept of it at its place; or else it
   * is made.
   */
  get(name: string, make: () => Packed | Promise<Packed>, place?: string): Packed | Promise<Packed> {
    const known = this.#shared.get(name) ?? (place === undefined ? undefined : this.#keptAt(place, name))
    if (known) return known
    const packed = make()
    if (!(packed instanceof Promise)) return this.#finish(name, packed, place)
    const making = packed.then(
      (ready) => {
        if (this.#shared.get(name) === making) this.#shared.delete(name)
        return this.#finish(name, ready, place)
      },
      (error: unknown) => {
        this.#shared.delete(name)
        throw error
      },
    )
    this.#shared.set(name, making)
    return making
  }

  /** These bytes are being sent to somebody: whoever asks for the same gets them, too. */
  hold(bytes: Buffer) {
    const known = this.#named.get(bytes)
    if (known && !this.#shared.has(known.name)) this.#shared.set(known.name, known.packed)
  }

  /** Nobody is being sent these bytes any more. */
  release(bytes: Buffer) {
    const known = this.#named.get(bytes)
    if (known && this.#shared.get(known.name) === known.packed) this.#shared.delete(known.name)
  }

  #finish(name: string, packed: Packed, place: string | undefined): Packed {
    this.#named.set(packed.bytes, { name, packed })
    const until = packed.lasting ? Infinity : this.#now() + passingMs
    if (place !== undefined) this.#kept.set(place, { name, packed, until })
    return packed
  }

  #keptAt(place: string, name: string): Packed | undefined {
    const one = this.#kept.get(place)
    if (one?.name === name && this.#now() < one.until) return one.packed
    this.#kept.delete(place)
    return undefined
  }
}
