import { notFound } from '../contract/errors.ts'
import type { Guest, GuestFeedbackDeleted } from '../contract/records/guests.ts'
import { guestRoutes } from '../contract/routes/guests.ts'
import { shownName } from '../domain/shown-name.ts'
import type { GuestRow } from '../store/guests.ts'
import { documentAction } from './action.ts'
import { hiddenAuthorsOf } from './hidden-words.ts'
import { invalid } from '../contract/errors.ts'
import type { DocumentTask } from './task.ts'
import { guestId } from './view.ts'

function named({ store, document, target }: DocumentTask): GuestRow {
  const id = (target['guest_id'] ?? '').toLowerCase()
  const guest = store.guests.list(document.number).find(({ key }) => guestId(document.id, key) === id)
  if (!guest) throw notFound('Guest')
  return guest
}

const shown = ({ id }: { id: string }, guest: GuestRow): Guest => ({
  id: guestId(id, guest.key),
  document_id: id,
  name: guest.name ?? guest.own_name,
  own_name: guest.own_name,
  hidden: guest.hidden === 1,
  comments: guest.comments,
  suggestions: guest.suggestions,
})

export const listGuests = documentAction({
  right: 'guest.list',
  effect: 'reads',
  run: ({ store, document }: DocumentTask): Guest[] =>
    store.guests.list(document.number).map((guest) => shown(document, guest)),
})

interface ChangedGuest {
  name?: string | null
  hidden?: boolean
}

/** What a document’s owner says of a guest holds for all that they have said there, and will. */
export const updateGuest = documentAction({
  right: 'guest.manage',
  effect: 'writes',
  accepts: guestRoutes.updateGuest.body,
  find: named,
  check(_task, { name }: ChangedGuest) {
    if (typeof name === 'string' && shownName(name) === '') throw invalid('“name” must not be empty.', 'name')
  },
  run(task, { name, hidden }: ChangedGuest, happened): Guest {
    const { store, document } = task
    const guest = store.guests.change(document.number, named(task), {
      ...(name === undefined ? {} : { name: name === null ? null : shownName(name) }),
      ...(hidden === undefined ? {} : { hidden }),
    })
    happened({ kind: 'guest.changed', document, subject: guestId(document.id, guest.key) })
    return shown(document, guest)
  },
})

/** Takes away all that a guest has said, as if each of it were deleted by itself; the text stays as it is. */
export const deleteGuestFeedback = documentAction({
  right: 'guest.manage',
  effect: 'writes',
  find: named,
  run(task, _input: void, happened): GuestFeedbackDeleted {
    const { store, document } = task
    const { key, hidden } = named(task)
    const { comments, suggestions } = store.guests.said(document.number, key)
    const gone = [
      ...comments.map(({ id, suggestion_id }) => {
        return { kind: 'comment.deleted', subjectId: id, suggestionId: suggestion_id } as const
      }),
      ...suggestions.map(({ id }) => {
        return { kind: 'suggestion.withdrawn', subjectId: id, suggestionId: null } as const
      }),
    ].map((one) => ({ ...one, hiddenAuthors: hiddenAuthorsOf(store, { ...one, documentId: document.id }) }))
    for (const { id, suggestion_id } of comments) {
      store.comments.delete(id)
      if (suggestion_id !== null) store.suggestions.noteReply(suggestion_id)
    }
    for (const { id } of suggestions) store.suggestions.delete(id)
    // Of what is left: what was theirs has gone with all that was thought of it.
    for (const { id: subject, suggestion_id: suggestion } of store.guests.takeReactions(
      document.number,
      key,
    )) {
      if (suggestion !== null) store.suggestions.noteReply(suggestion)
      happened({
        ...{ kind: 'comment.unreacted', document, subject, suggestion },
        ...(hidden === 1 ? { hiddenAuthors: [key] } : {}),
      })
    }
    store.colours.letGo(document.number)
    for (const { kind, subjectId: subject, suggestionId: suggestion, hiddenAuthors } of gone)
      happened({ kind, document, subject, suggestion, hiddenAuthors })
    return { deleted: true, comments: comments.length, suggestions: suggestions.length }
  },
})
