import type { Anchor } from '../../../server/contract/records/anchors.ts'
import { claimWriter, isOpenWriter } from '../drafts.ts'

/** A suggestion as it is to be made (without `id`) or changed, which the server isn’t known to have taken. */
export interface UnsentSuggestion {
  id: string | null
  /** Under which the server makes it once. */
  idempotencyKey: string
  original: string
  suggested: string
  anchor: Anchor
  /** Its place is gone from the text. */
  isDetached?: boolean
}

const prefix = 'galley-suggesting'

/**
 * What is suggested in this window and not sent yet, kept in the browser: written at once, so that no word is lost with
 * the page. It is little, a few words, and goes as soon as it has arrived.
 */
export class UnsentSuggestions {
  readonly #documentId: string
  readonly #writer = claimWriter()

  constructor(documentId: string) {
    this.#documentId = documentId
  }

  get #key(): string {
    return `${prefix} ${this.#documentId} ${this.#writer.writer}`
  }

  /** Keeps these and no others; false where the browser keeps nothing. */
  keep(unsent: readonly UnsentSuggestion[]): boolean {
    try {
      if (unsent.length === 0) localStorage.removeItem(this.#key)
      else localStorage.setItem(this.#key, JSON.stringify(unsent))
      return true
    } catch {
      return false
    }
  }

  /** What windows that are gone have left. From then on it is this one’s, which has to keep it. */
  async takeLeft(): Promise<UnsentSuggestion[]> {
    const begin = `${prefix} ${this.#documentId} `
    const keys = storedKeys().filter((key) => key.startsWith(begin) && key !== this.#key)
    const left: UnsentSuggestion[] = []
    for (const key of keys) {
      if (await isOpenWriter(key.slice(begin.length))) continue
      try {
        left.push(...(JSON.parse(localStorage.getItem(key) ?? '[]') as UnsentSuggestion[]))
        localStorage.removeItem(key)
      } catch {
        // What can’t be read is left to lie.
      }
    }
    return left
  }

  release(): void {
    this.#writer.release()
  }
}

/** What was suggested of a document in this browser and not sent, by any window, to be copied where it can’t be. */
export async function leftSuggestions(documentId: string): Promise<LeftSuggestion[]> {
  const begin = `${prefix} ${documentId} `
  const left: LeftSuggestion[] = []
  for (const key of storedKeys().filter((one) => one.startsWith(begin))) {
    if (await isOpenWriter(key.slice(begin.length))) continue
    for (const one of kept(key)) {
      left.push({
        slot: `${key} ${one.idempotencyKey}`,
        quote: one.original.trim(),
        text: one.suggested.trim() || '(leave these words out)',
        discard: () =>
          put(
            key,
            kept(key).filter(({ idempotencyKey }) => idempotencyKey !== one.idempotencyKey),
          ),
        restore: () => put(key, [...kept(key), one]),
      })
    }
  }
  return left
}

interface LeftSuggestion {
  slot: string
  quote: string
  text: string
  discard: () => void
  restore: () => void
}

function kept(key: string): UnsentSuggestion[] {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '[]') as UnsentSuggestion[]
  } catch {
    return []
  }
}

function put(key: string, unsent: readonly UnsentSuggestion[]): void {
  if (unsent.length === 0) localStorage.removeItem(key)
  else localStorage.setItem(key, JSON.stringify(unsent))
}

function storedKeys(): string[] {
  try {
    return Object.keys(localStorage)
  } catch {
    return []
  }
}
