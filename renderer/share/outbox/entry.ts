import type { LinkAccess } from '../../../server/domain/access.ts'
import type { ApiErrorCode } from '../../api/client-of.ts'
import { isMutation, type Message } from '../../feedback/message.ts'
import { quotedWords } from '../../feedback/quoted-words.ts'

/** Why something can’t be delivered. `UNSURE`: nobody can say any more whether it was. */
export interface Refusal {
  code: ApiErrorCode | 'UNSURE'
  message: string
  /** What the link permitted then, where that was asked. */
  permission?: LinkAccess
}

/** A message on its way. `place` is where its words stand in the text as it was shown. */
export type Entry = Message & {
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
export type NewEntry = Message & Pick<Entry, 'key' | 'token' | 'documentId' | 'writtenAt'>

const day = 24 * 60 * 60 * 1000
/** The server remembers for twice as long that it has done something. */
export const surelyOnce = 30 * day

/** Whether what it is done to will be gone. */
export const isLeaving = ({ kind, state }: Entry) => kind === 'delete' && state === 'waiting'

/** Whether its words can still be changed: nobody else may have them, or it does no harm. */
export const isChangeable = (entry: Entry) =>
  entry.state !== 'delivered' && (entry.unsureSince === null || isMutation(entry))

/** Whether it has been under way for so long that sending it again might make it twice. */
export const isTooOld = (entry: Entry, now: number) =>
  entry.unsureSince !== null && !isMutation(entry) && now - entry.unsureSince >= surelyOnce

/** Whether it was refused for a reason that stays, however often it is tried. */
export const isFinal = ({ refusal }: Entry) =>
  refusal !== null && ['UNSURE', 'NOT_FOUND', 'ALREADY_RESOLVED', 'CHANGED_SINCE'].includes(refusal.code)

/** Whether a link with this permission takes it from its author. */
const permits = (permission: LinkAccess, { kind }: Message) =>
  kind === 'review' ||
  permission === 'edit' ||
  permission === 'suggest' ||
  (permission === 'comment' && !['suggestion', 'withdraw', 'reason'].includes(kind))

/** Whether it was refused only for what the link permitted then, and now permits. */
export const isPermittedNow = (entry: Entry, now: LinkAccess): boolean => {
  const { refusal } = entry
  if (refusal?.code !== 'FORBIDDEN' || !permits(now, entry)) return false
  return refusal.permission === undefined || !permits(refusal.permission, entry)
}

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

/** The other words in the place of those that wait. */
export const withBody = <Some extends Entry>(entry: Some, body: Some['body']): Some => ({
  ...entry,
  body,
  state: 'waiting',
  refusal: null,
  faults: 0,
})

/** Whether two say the same. */
export const saysTheSame = (one: Message, other: Message) =>
  JSON.stringify(one.body) === JSON.stringify(other.body)

/** Whether there is something in it that somebody has typed. */
export const hasWords = (message: Message) =>
  !isMutation(message) || message.kind === 'edit' || message.kind === 'reason'

/** The words themselves, to be copied. */
export function wordsOf(message: Message): string {
  switch (message.kind) {
    case 'comment':
    case 'edit':
      return message.body.body
    case 'reason':
      return message.body.note ?? ''
    case 'suggestion':
      return [message.body.suggested_text, message.body.note].filter((text) => text).join('\n\n')
    default:
      return ''
  }
}

/** What they are about, where that is some words of the text. */
export function quoteOf(message: Message): string {
  if (isMutation(message)) return ''
  const { anchor } = message.body
  return message.place?.words ?? (anchor ? quotedWords(anchor) : '')
}

/** What it is to whoever wrote it. */
export function nameOf(message: Message): 'comment' | 'reply' | 'suggestion' | 'change' {
  if (isMutation(message)) return 'change'
  return message.kind === 'comment' && message.body.parent_id ? 'reply' : message.kind
}
