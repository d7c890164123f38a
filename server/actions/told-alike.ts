import type { AlikeWords } from '../contract/records/changes.ts'

const most = 1_000

interface MadeChange {
  client_id: string | null
  client_number: number | null
}

const nameOf = (document: number, { client_id, client_number }: MadeChange) =>
  `${document} ${client_id} ${client_number}`

/**
 * What of the last changes was written alike by others. It is for editors that are open, whose undo it concerns, and so
 * is kept for as long as the server runs.
 */
export class KeptAlike {
  readonly #known = new Map<string, readonly AlikeWords[]>()

  keep(document: number, change: MadeChange, words: readonly AlikeWords[]): void {
    if (words.length === 0) return
    this.#known.set(nameOf(document, change), words)
    if (this.#known.size > most) this.#known.delete(this.#known.keys().next().value!)
  }

  /** What is told of that with a change. */
  of(document: number, change: MadeChange): { alike?: AlikeWords[] } {
    const words = this.#known.get(nameOf(document, change))
    return words ? { alike: [...words] } : {}
  }
}
