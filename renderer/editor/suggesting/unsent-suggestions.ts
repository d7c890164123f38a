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
  readonly #key: string

  /** @param sends whether it only sends what closed windows have left, which waits for all others as before meanwhile */
  constructor(documentId: string, { sends = false } = {}) {
    this.#documentId = documentId
    this.#key = `${unsentPrefix(documentId)}${this.#writer.writer}${sends ? sending : ''}`
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

  /**
   * One has been sent, and is kept no longer. Answers what it has become since it was taken, which goes on being kept;
   * where it wasn’t taken nothing of it is.
   */
  sent(one: Unsent, isTaken: boolean): Unsent | null {
    const isOver = (other: Unsent) =>
      isTaken ? other.idempotencyKey === one.idempotencyKey : isSame(other, one)
    this.keep(kept(this.#key).filter((other) => !isOver(other)))
    return sameIn(this.#key, one) ?? null
  }

  release(): void {
    this.#writer.release()
  }
}

/** What closed windows have left of a document in this browser, which it keeps until that is sent or discarded. */
interface Left<One extends Unsent> {
  slot: string
  one: One
  /** Says why it is suggested, or takes that back; false where an open window goes on with it by now. */
  giveReason: (note: string | null) => boolean
  discard: () => void
  restore: () => void
}

/** What is only being sent is among it, by whichever window: until that has gone well it waits as before. */
export async function leftUnsent(documentId: string): Promise<Left<Unsent>[]> {
  const closed = await closedKeys(documentId)
  const keys = new Set([...closed, ...sendingKeys(documentId)])
  return [...keys].flatMap((key) =>
    kept(key).map((one) => ({
      ...{ slot: `${key} ${one.idempotencyKey}`, one },
      discard: () => void change(documentId, key, one, () => null),
      restore: () => put(key, [...kept(key), one]),
      giveReason: (note) =>
        change(documentId, key, one, (now) => {
          if (now.isWithdrawn) return undefined
          // It may have been sent as it was: then the reason comes after it.
          return { ...now, note, idempotencyKey: newIdempotencyKey(), asked: now.asked ?? now }
        }),
    })),
  )
}

/** Makes something else of one, or nothing, also where it has begun to be sent since it was found. False where it can’t. */
function change(
  documentId: string,
  found: string,
  one: Unsent,
  make: (now: Unsent) => Unsent | null | undefined,
): boolean {
  for (const key of [found, ...sendingKeys(documentId)]) {
    const now = sameIn(key, one)
    if (!now) continue
    const made = make(now)
    if (made === undefined) return false
    const all = kept(key).filter((other) => !isSame(other, one))
    put(key, made ? [...all, made] : all)
    return true
  }
  return false
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

const isSame = (one: Unsent, other: Unsent) => nameOfUnsent(one) === nameOfUnsent(other)
const sameIn = (key: string, one: Unsent) => kept(key).find((other) => isSame(other, one))

/** With which keys end of what is only being sent, by whichever window. */
const sending = ' sending'
const sendingKeys = (documentId: string) => unsentKeys(documentId).filter((key) => key.endsWith(sending))

/** Of windows that are gone. */
async function closedKeys(documentId: string): Promise<string[]> {
  const keys = unsentKeys(documentId)
  const writerOf = (key: string) => key.slice(unsentPrefix(documentId).length).replace(sending, '')
  const areOpen = await Promise.all(keys.map((key) => isOpenWriter(writerOf(key))))
  return keys.filter((_, at) => !areOpen[at])
}
