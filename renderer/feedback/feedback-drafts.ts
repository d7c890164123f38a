import type { Anchor } from '../../server/contract/records/anchors.ts'
import type { RenderedPoint } from '../../server/contract/records/rendering.ts'

/** Words chosen in a rendering of the text: their anchor may not be known yet. */
export interface ChosenWords {
  from: RenderedPoint
  to: RenderedPoint
  words: string
  /** How far into the text they begin, from 0 to 1. */
  part: number
  /** Of the text they were chosen in. */
  revision: number
}

/** What a draft is about, where its slot doesn’t tell. With none of it that is the whole document. */
export interface Meant {
  anchor?: Anchor | null
  place?: ChosenWords
  /** They stay, though they are found nowhere in the text any more. */
  words?: string
}

/** Something begun and not sent. */
export interface FeedbackDraft extends Meant {
  body: string
  /** When it was last written at, in milliseconds since 1970. */
  at?: number
}

/** Where it can be gone through, all drafts on it are found. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> &
  Partial<Pick<Storage, 'key' | 'length'>>

/** With which every draft's key begins. */
export const draftPrefix = 'galley.draft.'

let usualStorage: () => DraftStorage | null = browserStorage

/** Has drafts kept there instead of in the browser. */
export const keepFeedbackDraftsIn = (storage: DraftStorage) => void (usualStorage = () => storage)

/**
 * Unsent words of one document, kept in the browser so that closing the pane or the page loses none.
 * A slot is `new`, `reply:<comment or suggestion>`, `edit:<comment>`, `reason:<suggestion>`, `accept:<suggestion>` or `suggest:<place>`. Without storage, drafts live as long as the page.
 */
export class FeedbackDrafts {
  readonly #prefix: string
  readonly #storage: DraftStorage | null
  readonly #memory = new Map<string, FeedbackDraft>()

  constructor(documentId: string, storage: DraftStorage | null = usualStorage()) {
    this.#prefix = `${draftPrefix}${documentId}.`
    this.#storage = storage
  }

  find(slot: string): FeedbackDraft | null {
    const known = this.#memory.get(slot)
    if (known) return known
    try {
      const stored = this.#storage?.getItem(this.#prefix + slot)
      const draft: unknown = stored ? JSON.parse(stored) : null
      return isDraft(draft) ? draft : null
    } catch {
      return null
    }
  }

  /** All that was begun, by its slot. */
  all(): Map<string, FeedbackDraft> {
    const slots = new Set(this.#memory.keys())
    for (let at = 0; at < (this.#storage?.length ?? 0); at++) {
      const key = this.#storage?.key?.(at)
      if (key?.startsWith(this.#prefix)) slots.add(key.slice(this.#prefix.length))
    }
    return new Map([...slots].flatMap((slot) => [[slot, this.find(slot)] as const]).filter(isFound))
  }

  keep(slot: string, draft: FeedbackDraft): void {
    if (draft.body.trim() === '' && !draft.anchor) return this.drop(slot)
    this.#memory.set(slot, draft)
    try {
      this.#storage?.setItem(this.#prefix + slot, JSON.stringify(draft))
    } catch {
      // A full or forbidden storage: the draft stays in memory.
    }
  }

  drop(slot: string): void {
    this.#memory.delete(slot)
    try {
      this.#storage?.removeItem(this.#prefix + slot)
    } catch {
      // Nothing was stored, so nothing has to go.
    }
  }
}

const isFound = (found: readonly [string, FeedbackDraft | null]): found is readonly [string, FeedbackDraft] =>
  found[1] !== null

function isDraft(value: unknown): value is FeedbackDraft {
  return typeof value === 'object' && value !== null && typeof (value as FeedbackDraft).body === 'string'
}

/** The browser’s own, where it may be used. */
export function browserStorage(): Storage | null {
  try {
    return globalThis.localStorage ?? null
  } catch {
    return null
  }
}
