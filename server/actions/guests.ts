import { notFound } from '../contract/errors.ts'
import type { Guest } from '../contract/records/guests.ts'
import { guestRoutes } from '../contract/routes/guests.ts'
import { shownName } from '../domain/shown-name.ts'
import type { GuestRow } from '../store/guests.ts'
import { documentAction } from './action.ts'
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
