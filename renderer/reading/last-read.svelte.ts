import { Remembered } from '../ui/remembered.ts'
import { instantNow } from '../ui/time.ts'

interface Reading {
  revision: number
  at: string
}

/** Which text of a document somebody has read last in this browser. Nobody else is told, the server neither. */
export class LastRead {
  #reading = $state.raw<Reading | null>(null)
  readonly #kept: Remembered

  /** @param where it was read: its owner may look at a page that others have of it, too */
  constructor(documentId: string, where: 'read' | 'written' = 'read') {
    this.#kept = new Remembered(`galley.${where}.${documentId}`)
    this.#reading = readingIn(this.#kept.value)
  }

  get revision(): number | null {
    return this.#reading?.revision ?? null
  }
  get at(): string | null {
    return this.#reading?.at ?? null
  }

  /** Takes in what another window has noted meanwhile. */
  lookAgain(): void {
    this.#reading = readingIn(this.#kept.value)
  }

  isBehind(revision: number): boolean {
    return this.#reading !== null && this.#reading.revision < revision
  }

  /** This text has been read now. */
  note(revision: number): void {
    this.#reading = { revision, at: instantNow() }
    this.#kept.value = JSON.stringify(this.#reading)
  }
}

function readingIn(kept: string | null): Reading | null {
  try {
    const { revision, at } = JSON.parse(kept ?? '{}') as Partial<Reading>
    return Number.isSafeInteger(revision) && revision! > 0 && typeof at === 'string' && Date.parse(at) > 0
      ? { revision: revision!, at }
      : null
  } catch {
    return null
  }
}
