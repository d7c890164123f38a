import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import { toLf } from '../../../server/domain/line-endings.ts'
import { ApiError, type ClientOf } from '../../api/client-of.ts'
import { failureOf } from '../saver.svelte.ts'
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
  { id, isDetached, original, suggested, note, anchor }: UnsentSuggestion,
  keepalive = false,
  known?: string,
): Promise<Suggestion | null> {
  const params = { id: documentId, suggestion_id: id! }
  // The server knows what it was about, and looks for that itself.
  const isPlaced = isDetached && toLf(original) === known
  const place = isPlaced ? {} : { original_text: original, anchor }
  try {
    return await api.call('updateSuggestion', {
      params,
      body: { suggested_text: suggested, ...place, ...(note !== undefined && { note }) },
      keepalive,
    })
  } catch (error) {
    if (!isOver(error)) throw error
    await load()
    return null
  }
}

export const rejectedMeanwhile = 'it was rejected meanwhile'

/** Whether what is asked about is no pending suggestion any more. */
export const isOver = (error: unknown) =>
  error instanceof ApiError && (error.code === 'NOT_FOUND' || error.code === 'ALREADY_RESOLVED')

/** Takes one back; it may be over by then. */
export async function withdrawSuggestion(
  { api, documentId, list }: Sending,
  id: string,
  keepalive = false,
): Promise<void> {
  try {
    await api.call('withdrawSuggestion', { params: { id: documentId, suggestion_id: id }, keepalive })
  } catch (error) {
    if (!isOver(error)) throw error
  }
  list.confirm((items) => items.filter((item) => item.id !== id))
}

/** Sends what earlier windows left, one after the other. Rejects where it may be tried again. */
export async function sendLeft(
  sending: Sending,
  left: readonly Unsent[],
  onSent: (one: Unsent, isTaken: boolean) => void,
): Promise<void> {
  if (left.length === 0) return
  const make = async (one: UnsentSuggestion) => {
    const { id } = await createSuggestion(sending, one)
    sending.onMade?.(nameOfUnsent(one), id)
    return id
  }
  for (const one of left) {
    let isTaken = true
    const refuse = (reason: string) => {
      isTaken = false
      if (!one.isWithdrawn) sending.onRefused(one.suggested, reason)
    }
    try {
      const id = one.id ?? (one.asked ? await make(one.asked) : null)
      if (one.isWithdrawn) {
        if (id !== null) await withdrawSuggestion(sending, id)
        onSent(one, true)
        continue
      }
      const changed = id === null ? null : await changeSuggestion(sending, { ...one, id })
      // What its owner has said no to isn’t asked again by itself.
      const isRejected = sending.list.items.some((item) => item.id === id && item.status === 'rejected')
      if (!changed && isRejected) refuse(rejectedMeanwhile)
      else if (!changed) await make(one)
    } catch (error) {
      const { cause, reason } = failureOf(error)
      // All else may be otherwise another time, also what the link allows.
      if (cause !== 'refused') throw error
      refuse(reason)
    }
    onSent(one, isTaken)
  }
  await sending.load().catch(() => {})
}
