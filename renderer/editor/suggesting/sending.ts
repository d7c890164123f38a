import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import { toLf } from '../../../server/domain/line-endings.ts'
import { ApiError, type ClientOf } from '../../api/client-of.ts'
import { failureOf } from '../saver.svelte.ts'
import { isOneOf, wordsOf } from './known-suggestion.ts'
import { nameOfUnsent, type Signature, type Unsent, type UnsentSuggestion } from './unsent-suggestions.ts'

export type SuggestingApi = ClientOf<'createSuggestion' | 'updateSuggestion' | 'withdrawSuggestion'>

/** What sending suggestions takes, with or without an editor. */
export interface Sending {
  api: SuggestingApi
  documentId: string
  /** As the page has them. */
  list: {
    readonly items: readonly Suggestion[]
    confirm(apply: (items: readonly Suggestion[]) => readonly Suggestion[]): void
  }
  signature: () => Signature
  /** Brings what the server has of suggestions here. */
  load: () => Promise<void>
  /** The server has what was known on the page by this name until now. */
  onMade?: (name: string, id: string) => void
  /** What earlier windows left was refused; these were its words. */
  onRefused: (words: string, reason: string) => void
}

/** Makes a suggestion, once for its key. */
export function createSuggestion(
  { api, documentId, signature }: Sending,
  {
    idempotencyKey,
    original,
    suggested,
    note = null,
    anchor,
    signature: signed = signature(),
  }: UnsentSuggestion,
  keepalive = false,
): Promise<Suggestion> {
  const words = { original_text: original, suggested_text: suggested, anchor, note }
  const body = { ...words, ...signed }
  return api.call('createSuggestion', { params: { id: documentId }, body, idempotencyKey, keepalive })
}

/** Null where it is none any more that can be changed, and the list says why. */
export async function changeSuggestion(
  { api, documentId, load }: Sending,
  { id, edited, isDetached = false, isThere = false, original, suggested, note, anchor }: UnsentSuggestion,
  keepalive = false,
  known?: string,
): Promise<Suggestion | null> {
  const params = { id: documentId, suggestion_id: id! }
  // The server knows what it was about, and looks for that itself.
  const isPlaced = (isDetached || isThere) && toLf(original) === known
  const place = isPlaced ? {} : { original_text: original, anchor }
  try {
    return await api.call('updateSuggestion', {
      params,
      body: {
        ...{ suggested_text: suggested, ...place },
        ...(note !== undefined && { note }),
        ...(edited !== undefined && { edited_at: edited }),
      },
      keepalive,
    })
  } catch (error) {
    if (!isOver(error)) throw error
    await load()
    return null
  }
}

/** Whether other words than were suggested were accepted. */
export const isOtherwise = ({ accepted_text, suggested_text }: Suggestion) =>
  accepted_text !== null && accepted_text !== suggested_text

/** How its owner has said no to a suggestion; null where they haven’t. */
export function overMeanwhile(item: Suggestion): string | null {
  if (item.status === 'rejected') return 'it was rejected meanwhile'
  return isOtherwise(item) ? 'other words were accepted meanwhile' : null
}

/** On the words that came into the text as a suggestion was accepted, of which a closed window has made more. */
function onAccepted(
  left: UnsentSuggestion,
  { original_text, suggested_text }: Suggestion,
): UnsentSuggestion | null {
  const at = left.original.indexOf(original_text)
  if (at < 0) return left
  const behind = left.original.slice(at + original_text.length)
  const original = left.original.slice(0, at) + suggested_text + behind
  if (original === left.suggested) return null
  const { prefix, suffix, start } = left.anchor
  return { ...left, original, anchor: { prefix, exact: original, suffix, start } }
}

/** Whether what is asked about is no pending suggestion any more. */
export const isOver = (error: unknown) =>
  error instanceof ApiError && (error.code === 'NOT_FOUND' || error.code === 'ALREADY_RESOLVED')

/** Whether another window of its author’s has changed it meanwhile. */
export const isChangedSince = (error: unknown) => error instanceof ApiError && error.code === 'CHANGED_SINCE'

/** Takes one back, as it was seen where `edited` says so; it may be over by then. */
export async function withdrawSuggestion(
  { api, documentId, list }: Sending,
  { id, edited }: { id: string; edited?: string | null | undefined },
  keepalive = false,
): Promise<void> {
  const query = edited === undefined ? {} : { edited_at: edited ?? 'never' }
  try {
    await api.call('withdrawSuggestion', { params: { id: documentId, suggestion_id: id }, query, keepalive })
  } catch (error) {
    if (!isOver(error)) throw error
  }
  list.confirm((items) => items.filter((item) => item.id !== id))
}

/** The same for what a closed window has left, which goes on what was seen there; null also where that is another by now. */
async function changeLeft(sending: Sending, left: UnsentSuggestion): Promise<Suggestion | null> {
  try {
    return await changeSuggestion(sending, left)
  } catch (error) {
    if (!isChangedSince(error)) throw error
    await sending.load()
    const item = sending.list.items.find(({ id }) => id === left.id)
    if (!item || item.edited_at === left.edited) throw error
    if (isOneOf(item, [wordsOf(left)])) return item
    const isOwn = isOneOf(item, [left.sent, left.mayHave])
    return isOwn ? changeLeft(sending, { ...left, edited: item.edited_at }) : null
  }
}

/**
 * Sends what earlier windows left, one after the other. Rejects where it may be tried again.
 * @param onSent answers what one has become since it was taken, which is sent, too
 */
export async function sendLeft(
  sending: Sending,
  left: readonly Unsent[],
  onSent: (one: Unsent, isTaken: boolean) => Unsent | null,
): Promise<void> {
  if (left.length === 0) return
  const queue = [...left]
  const make = async (one: UnsentSuggestion) => {
    const { id } = await createSuggestion(sending, one)
    sending.onMade?.(nameOfUnsent(one), id)
    return id
  }
  // What is put into it on the way has its turn.
  for (const one of queue) {
    let isTaken = true
    const refuse = (reason: string) => {
      isTaken = false
      if (!one.isWithdrawn) sending.onRefused(one.suggested, reason)
    }
    try {
      const id = one.id ?? (one.asked ? await make(one.asked) : null)
      if (one.isWithdrawn) {
        if (id !== null) await withdrawSuggestion(sending, { id, edited: one.edited })
        onSent(one, true)
        continue
      }
      const changed = id === null ? null : await changeLeft(sending, { ...one, id })
      if (!changed) {
        const item = sending.list.items.find((item) => item.id === id)
        const no = item ? overMeanwhile(item) : null
        const more = item?.status === 'accepted' ? onAccepted(one, item) : one
        // What its owner has said no to isn’t asked again by itself.
        if (no !== null) refuse(no)
        else if (more) await make(more)
      }
    } catch (error) {
      const { cause, reason } = failureOf(error)
      // All else may be otherwise another time, also what the link allows.
      if (cause !== 'refused') throw error
      refuse(reason)
    }
    const more = onSent(one, isTaken)
    if (more) queue.push(more)
  }
  await sending.load().catch(() => {})
}
