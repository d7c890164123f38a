import { QueueFull, type Turn } from '../threads/fair-queue.ts'

/** So many guests may wait for one document. */
const mostGuests = 32

interface WaitingWrite {
  guest: boolean
  go: () => void
}

/**
 * Those whose heavy work for a document was made void by another's write, one at a time: of many that come at once only
 * a few would ever be done otherwise.
 */
export class HeavyWrites {
  readonly #waiting = new Map<string, WaitingWrite[]>()

  /**
   * Waits for the document's turn; guests wait for its owner.
   * @returns what ends the turn
   * @throws QueueFull where too many guests wait
   */
  async begin({ document, guest }: Turn): Promise<() => void> {
    const end = () => this.#next(document)
    const waiting = this.#waiting.get(document)
    if (!waiting) {
      this.#waiting.set(document, [])
      return end
    }
    if (guest && waiting.filter((one) => one.guest).length >= mostGuests) throw new QueueFull()
    await new Promise<void>((go) => waiting.push({ guest, go }))
    return end
  }

  #next(document: string) {
    const waiting = this.#waiting.get(document) ?? []
    const first = Math.max(
      0,
      waiting.findIndex(({ guest }) => !guest),
    )
    const [next] = waiting.splice(first, 1)
    if (next) next.go()
    else this.#waiting.delete(document)
  }
}
