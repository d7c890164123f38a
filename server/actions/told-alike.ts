import type { AlikeWords, PushedSteps, ToldSteps } from '../contract/records/changes.ts'
import { areNone } from '../domain/told-steps.ts'

const most = 1_000

interface MadeChange {
  client_id: string | null
  client_number: number | null
}

const nameOf = (document: number, { client_id, client_number }: MadeChange) =>
  `${document} ${client_id} ${client_number}`

interface Kept {
  alike: readonly AlikeWords[]
  steps: PushedSteps
}

/**
 * What of the last changes was written alike by others, and which steps of their editors they have. It is for editors that
 * are open, whose undo it concerns, and so is kept for as long as the server runs.
 */
export class KeptAlike {
  readonly #known = new Map<string, Kept>()
  /** Who has made changes, in the order in which they first did. */
  readonly #writers = new Map<string, number>()
  #lastWriter = 0

  keep(document: number, change: MadeChange, kept: Kept): void {
    if (kept.alike.length === 0 && areNone(kept.steps)) return
    this.#known.set(nameOf(document, change), kept)
    if (this.#known.size > most) this.#known.delete(this.#known.keys().next().value!)
  }

  /**
   * What is told of that with a change. Steps say which changes one editor has made, and so are only for those who are told
   * who made them.
   */
  of(
    document: number,
    change: MadeChange,
    isToldAuthors: boolean,
  ): { alike?: AlikeWords[]; steps?: ToldSteps } {
    const kept = this.#known.get(nameOf(document, change))
    if (!kept) return {}
    const { alike, steps } = kept
    return {
      ...(alike.length > 0 ? { alike: [...alike] } : {}),
      ...(areNone(steps) || !isToldAuthors
        ? {}
        : { steps: { ...steps, writer: this.#writerOf(document, change) } }),
    }
  }

  /** A number that says which changes one editor has made, and nothing else of it. */
  #writerOf(document: number, { client_id }: MadeChange): number {
    const name = `${document} ${client_id}`
    const writer = this.#writers.get(name) ?? ++this.#lastWriter
    this.#writers.delete(name)
    this.#writers.set(name, writer)
    if (this.#writers.size > most) this.#writers.delete(this.#writers.keys().next().value!)
    return writer
  }
}
