import type { Anchor } from '../../../server/contract/records.ts'
import type { ApiErrorCode } from '../../api/caller.ts'
import type { Chosen } from '../text-pane.ts'

export interface CommentWords {
  body: string
  anchor?: Anchor | null
  parent_id?: string
  author_name?: string
}
export interface SuggestionWords {
  original_text: string
  suggested_text: string
  anchor: Anchor
  note: string | null
  author_name?: string
}

/** What somebody has written and is to be delivered. */
export type Words =
  | { kind: 'comment'; body: CommentWords; place: Chosen | null }
  | { kind: 'suggestion'; body: SuggestionWords; place: Chosen | null }

/** Why something can’t be delivered. `UNSURE`: nobody can say any more whether it was. */
export interface Refusal {
  code: ApiErrorCode | 'UNSURE'
  message: string
}

/** Words on their way. `place` is where they stand in the text as it was shown. */
export type Entry = Words & {
  /** Counts up in each browser: entries are delivered in this order. */
  order: number
  /** The `Idempotency-Key`, under which the server does it once. */
  key: string
  token: string
  documentId: string
  /** Milliseconds since 1970. */
  writtenAt: number
  state: 'waiting' | 'delivered' | 'refused'
  /**
   * When it was first sent without an answer: from then on it may have arrived, so it may only be sent again, never
   * changed.
   */
  unsureSince: number | null
  /** How often the server failed over it. */
  faults: number
  refusal: Refusal | null
  /** What it became, where that is known. */
  recordId: string | null
}
export type NewEntry = Words & Pick<Entry, 'key' | 'token' | 'documentId' | 'writtenAt'>

const day = 24 * 60 * 60 * 1000
/** The server remembers for twice as long that it has done something. */
export const surelyOnce = 30 * day

/** Whether its first words can still be changed: nobody else may have them. */
export const isChangeable = (entry: Entry) => entry.state !== 'delivered' && entry.unsureSince === null

/** Whether it has been under way for so long that sending it again might make it twice. */
export const isTooOld = ({ unsureSince }: Entry, now: number) =>
  unsureSince !== null && now - unsureSince >= surelyOnce

export const fresh = (entry: NewEntry, order: number): Entry => ({
  ...entry,
  order,
  state: 'waiting',
  unsureSince: null,
  faults: 0,
  refusal: null,
  recordId: null,
})

export const refused = (entry: Entry, refusal: Refusal): Entry => ({ ...entry, state: 'refused', refusal })

/** The words themselves, to be copied. */
export const wordsOf = (entry: Words): string =>
  entry.kind === 'comment'
    ? entry.body.body
    : [entry.body.suggested_text, entry.body.note].filter((text) => text).join('\n\n')

/** What they are about, where that is some words of the text. */
export const quoteOf = (entry: Words): string => entry.place?.words ?? entry.body.anchor?.exact ?? ''
