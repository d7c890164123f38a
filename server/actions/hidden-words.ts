import { subjectOf, type GalleyEvent } from '../contract/events.ts'
import type { Store } from '../store/store.ts'
import type { Principal } from './principal.ts'

type Reading = Pick<Store, 'comments' | 'documents' | 'suggestions'>

/** As many who follow a document are told the same events, each is looked at once. */
const known = new WeakMap<GalleyEvent, readonly string[]>()

/** The hidden guests without whose words there is nothing to see of an event: who wrote it, or began its thread. */
function hiddenAuthors(store: Reading, event: GalleyEvent): readonly string[] {
  const before = known.get(event)
  if (before) return before
  const authors = recordsOf(store, event).flatMap((one) => (one?.hidden === 1 ? [one.author_key] : []))
  known.set(event, authors)
  return authors
}

function recordsOf({ documents, comments, suggestions }: Reading, event: GalleyEvent) {
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
export const isGone = (store: Reading, event: GalleyEvent): boolean => {
  const records = recordsOf(store, event)
  return records.length > 0 && records[0] === undefined
}

/** Whether an event is about words of hidden guests. */
export const isOfHidden = (store: Reading, event: GalleyEvent): boolean =>
  hiddenAuthors(store, event).length > 0

/** Whether it is about words that somebody isn’t shown, so that they had better not hear of it. */
export const isHiddenFrom = (store: Reading, principal: Principal, event: GalleyEvent): boolean =>
  principal.kind === 'link' && hiddenAuthors(store, event).some((author) => author !== principal.guestKey)
