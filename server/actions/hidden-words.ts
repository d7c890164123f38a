import { subjectOf, type EventKind, type GalleyEvent } from '../contract/events.ts'
import type { Store } from '../store/store.ts'
import type { Principal } from './principal.ts'

type FeedbackStores = Pick<Store, 'comments' | 'documents' | 'suggestions'>

interface Looked {
  /** The hidden guests without whose words there is nothing to see of an event: who wrote it, or began its thread. */
  hiddenAuthors: readonly string[]
  isGone: boolean
}
/** As many who follow a document are told the same events, each is looked at once. */
const known = new WeakMap<GalleyEvent, Looked>()

function look(store: FeedbackStores, event: GalleyEvent): Looked {
  const before = known.get(event)
  if (before) return before
  const { hiddenAuthors = hiddenAuthorsOf(store, event) } = event
  const looked = { hiddenAuthors, isGone: isGone(store, event) }
  known.set(event, looked)
  return looked
}

/** Because of whom others don’t see what an event will be about: of what is gone by it, nobody can tell afterwards. */
export const hiddenAuthorsOf = (store: FeedbackStores, event: RecordOfEvent): readonly string[] =>
  recordsOf(store, event).flatMap((one) => (one?.hidden === 1 ? [one.author_key] : []))

type RecordOfEvent = Pick<GalleyEvent, 'kind' | 'documentId' | 'subjectId' | 'suggestionId'>

function recordsOf({ documents, comments, suggestions }: FeedbackStores, event: RecordOfEvent) {
  const { kind, documentId, subjectId, suggestionId } = event
  const subject = subjectOf(kind)
  if (documentId === null || (subject !== 'comments' && subject !== 'suggestions')) return []
  const number = documents.findHead(documentId)?.number
  if (number === undefined) return []
  const suggestionOf = (id: string | null) => (id === null ? undefined : suggestions.find(id, number))
  if (subject === 'suggestions') return [suggestionOf(subjectId)]
  const comment = subjectId === null ? undefined : comments.find(subjectId, number)
  const parent = comment?.parent_id ? comments.find(comment.parent_id, number) : undefined
  return [comment, parent, suggestionOf(suggestionId)]
}

/** Whether the comment or the suggestion that it is about is there no more. */
export const isGone = (store: FeedbackStores, event: GalleyEvent): boolean => {
  const records = recordsOf(store, event)
  return records.length > 0 && records[0] === undefined
}

/** Whether an event is about words of hidden guests. */
export const isOfHidden = (store: FeedbackStores, event: GalleyEvent): boolean =>
  look(store, event).hiddenAuthors.length > 0

export const isRemoval = (kind: EventKind) => kind === 'comment.deleted' || kind === 'suggestion.withdrawn'

/**
 * Whether it is about words that somebody isn’t shown, so that they had better not hear of it. Of what is gone only that
 * is told: whether others saw it before, nobody can tell any more.
 */
export function isHiddenFrom(store: FeedbackStores, principal: Principal, event: GalleyEvent): boolean {
  if (principal.kind !== 'link') return false
  const { hiddenAuthors, isGone } = look(store, event)
  return (isGone && !isRemoval(event.kind)) || hiddenAuthors.some((author) => author !== principal.guestKey)
}
