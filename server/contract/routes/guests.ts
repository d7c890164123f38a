import { Type } from 'typebox'
import { Guest, GuestFeedbackDeleted, GuestName } from '../records/guests.ts'
import { defineRoute, defineRoutes } from '../route.ts'

export const guestRoutes = defineRoutes('Guests', {
  listGuests: defineRoute({
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id/guests',
    summary: 'List a document’s guests',
    description:
      'Whoever came by a link without an account and has commented, reacted, suggested, written or said that they are done, the first of them first. An id is a guest’s in this document; comments and suggestions have it as `guest_id`.',
    data: Type.Array(Guest),
  }),
  updateGuest: defineRoute({
    about: 'document',
    method: 'PATCH',
    url: '/api/documents/:id/guests/:guest_id',
    summary: 'Rename a guest, or hide what they say',
    description:
      'Both hold for this document alone, for what was said and what will be, and can be taken back. A name is shown to everybody, in comments, suggestions, versions and reviews; where comments mention a guest by their name, that becomes the new one, unless somebody else there has the same. What a hidden guest says, and their reactions, are shown to nobody but themselves, and to the owner with `hidden`; it is in no export, counts for no news and isn’t accepted together with others. Only the fields sent change; at least one must be sent.',
    body: Type.Object(
      {
        name: Type.Optional(GuestName),
        hidden: Type.Optional(Type.Boolean({ examples: [true] })),
      },
      { anyOf: [{ required: ['name'] }, { required: ['hidden'] }] },
    ),
    data: Guest,
    errors: ['VALIDATION_ERROR'],
  }),
  deleteGuestFeedback: defineRoute({
    about: 'document',
    method: 'DELETE',
    url: '/api/documents/:id/guests/:guest_id/feedback',
    summary: 'Delete all that a guest has said',
    description:
      'Can’t be undone. Their comments, replies, reactions and suggestions go, decided ones too, each with what others answered to it. The text stays as it is: words of theirs that were accepted are a part of it, and versions still name them. They may go on saying something.',
    data: GuestFeedbackDeleted,
  }),
})
