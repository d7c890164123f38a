import { coloursOfPeople } from '../contract/live.ts'

/** So long the colour of somebody who has gone is kept for them, in milliseconds, and of so many. */
const keptFor = 10 * 60_000
const mostKept = 100

/** The colours of those who follow one text: no two have the same, and who comes back soon has the one they had. Those of authors of suggestions are in `renderer/ui/author-colours`. */
export class Colours {
  readonly #now: () => number
  /** By the name of who has gone, the last at the end. */
  readonly #kept = new Map<string, { colour: number; goneAt: number }>()

  constructor(now: () => number) {
    this.#now = now
  }

  get isEmpty(): boolean {
    this.#forget()
    return this.#kept.size === 0
  }

  /** A colour for somebody who comes: `names` are theirs, the closest first; `taken` are the colours of who is here. */
  take(names: readonly string[], taken: ReadonlySet<number>): number {
    this.#forget()
    for (const name of names) {
      const colour = this.#kept.get(name)?.colour
      if (colour !== undefined && !taken.has(colour)) return colour
    }
    const kept = new Set([...this.#kept.values()].map(({ colour }) => colour))
    const free = firstWithout((colour) => taken.has(colour) || kept.has(colour))
    // Rather one that somebody who has gone would like again than one that looks like somebody’s who is here.
    return free < coloursOfPeople ? free : firstWithout((colour) => taken.has(colour))
  }

  /** Somebody has gone. */
  keep(names: readonly string[], colour: number): void {
    for (const name of names) {
      this.#kept.delete(name)
      this.#kept.set(name, { colour, goneAt: this.#now() })
    }
    this.#forget()
  }

  #forget(): void {
    for (const [name, { goneAt }] of this.#kept) {
      if (this.#kept.size <= mostKept && this.#now() - goneAt < keptFor) return
      this.#kept.delete(name)
    }
  }
}

function firstWithout(isUsed: (colour: number) => boolean): number {
  let colour = 0
  while (isUsed(colour)) colour++
  return colour
}
