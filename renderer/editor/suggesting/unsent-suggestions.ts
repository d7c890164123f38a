import type { Anchor } from '../../../server/contract/records/anchors.ts'
import { newIdempotencyKey } from '../../api/client-of.ts'
import { claimWriter, isOpenWriter } from '../drafts.ts'
import type { Words } from './own-suggestions.ts'
import { namePrefix, unsentKeys, unsentPrefix } from './suggested-here.ts'

/** A suggestion as it is to be made (without `id`) or changed, which the server isn’t known to have taken. */
export interface UnsentSuggestion {
  id: string | null
  /** Under which the server makes it once. */
  idempotencyKey: string
  original: string
  suggested: string
  /** Why, where that was said here. */
  note?: string | null | undefined
  anchor: Anchor
  /** What the server has of it, with line feeds. */
  sent?: Words
  /** When its author had last changed what the server has so. */
  edited?: string | null
  /** What the server may have of it, as it was asked for without an answer, with line feeds. */
  mayHave?: Words
  /** Its place is gone from the text. */
  isDetached?: boolean
  /** It puts something in where the server has it, which follows that place itself. */
  isThere?: boolean
  /** As it was asked for before, which may have been done: it is asked for so once more, and then becomes this. */
  asked?: UnsentSuggestion
  /** How its author was named when it was first asked for: the same is to be asked under its key. */
  signature?: Signature
  /** When it was last kept, in milliseconds since 1970. */
  at?: number
  isWithdrawn?: never
}

/** That a suggestion is taken back, which the server isn’t known to have heard. */
export interface UnsentWithdrawal {
  /** Null where it was asked for without an answer: then it may have been made, as it is `asked` for. */
  id: string | null
  idempotencyKey: string
  asked?: UnsentSuggestion
  /** When its author had last changed what is taken back; absent where that isn’t known. */
  edited?: string | null
  at?: number
  isWithdrawn: true
}

export type Unsent = UnsentSuggestion | UnsentWithdrawal

/** How a guest wants to be named. */
export interface Signature {
  author_name?: string
}

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
    return unsentPrefix(this.#documentId) + this.#writer.writer
  }

  /** Keeps these and no others; false where the browser keeps nothing. */
  keep(unsent: readonly Unsent[]): boolean {
    try {
      if (unsent.length === 0) localStorage.removeItem(this.#key)
      else localStorage.setItem(this.#key, JSON.stringify(unsent))
      return true
    } catch {
      return false
    }
  }

  /** Whether other windows, open ones or closed, have kept some. */
  get areOthers(): boolean {
    return unsentKeys(this.#documentId).some((key) => key !== this.#key)
  }

  /** What windows that are gone have left. From then on it is this one’s, which has to keep it. */
  async takeLeft(): Promise<Unsent[]> {
    const closed = (await closedKeys(this.#documentId)).filter((key) => key !== this.#key)
    // In one go, so that no other window takes them, too, and none are lost should this one be gone in between.
    const taken = closed.map((key) => ({ key, unsent: kept(key) })).filter(({ unsent }) => unsent.length > 0)
    const left = taken.flatMap(({ unsent }) => unsent)
    this.keep([...kept(this.#key), ...left])
    for (const { key } of taken) localStorage.removeItem(key)
    return left
  }

  release(): void {
    this.#writer.release()
  }
}

/** What closed windows have left of a document in this browser, which it keeps until that is sent or discarded. */
interface Left<One extends Unsent> {
  slot: string
  one: One
  /** Says why it is suggested, or takes that back; false where it is on its way by now. */
  giveReason: (note: string | null) => boolean
  discard: () => void
  restore: () => void
}

export async function leftUnsent(documentId: string): Promise<Left<Unsent>[]> {
  const keys = await closedKeys(documentId)
  return keys.flatMap((key) =>
    kept(key).map((one) => ({
      ...{ slot: `${key} ${one.idempotencyKey}`, one },
      discard: () =>
        put(
          key,
          kept(key).filter(({ idempotencyKey }) => idempotencyKey !== one.idempotencyKey),
        ),
      restore: () => put(key, [...kept(key), one]),
      giveReason: (note) => {
        const all = kept(key)
        const given = all.find(({ idempotencyKey }) => idempotencyKey === one.idempotencyKey)
        if (!given || given.isWithdrawn) return false
        // It may have been sent from there as it was: then the reason comes after it.
        const reasoned = { ...given, note, idempotencyKey: newIdempotencyKey(), asked: given.asked ?? given }
        put(
          key,
          all.map((other) => (other === given ? reasoned : other)),
        )
        return true
      },
    })),
  )
}

/** What a suggestion says, with its reason. */
const toCopy = ({ suggested, note }: UnsentSuggestion) =>
  [suggested.trim() || '(leave these words out)', note].filter((words) => words).join('\n\n')

/** By what it is known on this page while the server isn’t known to have it, whichever window goes on with it. */
export const nameOfUnsent = ({ idempotencyKey, asked }: Pick<UnsentSuggestion, 'idempotencyKey' | 'asked'>) =>
  `${namePrefix}${asked?.idempotencyKey ?? idempotencyKey}`

interface LeftSuggestion extends Left<UnsentSuggestion> {
  quote: string
  text: string
}

/** What was suggested of a document in this browser and not sent, by any window, to be copied where it can’t be. */
export async function leftSuggestions(documentId: string): Promise<LeftSuggestion[]> {
  const left = await leftUnsent(documentId)
  return left.flatMap(({ one, ...rest }) =>
    one.isWithdrawn
      ? []
      : {
          ...{ ...rest, one, quote: one.original.trim() },
          text: toCopy(one),
        },
  )
}

function kept(key: string): Unsent[] {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '[]') as Unsent[]
  } catch {
    return []
  }
}

function put(key: string, unsent: readonly Unsent[]): void {
  if (unsent.length === 0) localStorage.removeItem(key)
  else localStorage.setItem(key, JSON.stringify(unsent))
}

/** Of windows that are gone. */
async function closedKeys(documentId: string): Promise<string[]> {
  const keys = unsentKeys(documentId)
  const areOpen = await Promise.all(
    keys.map((key) => isOpenWriter(key.slice(unsentPrefix(documentId).length))),
  )
  return keys.filter((_, at) => !areOpen[at])
}
