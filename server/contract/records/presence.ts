import { Type, type Static } from 'typebox'
import { AuthorKind } from './authors.ts'
import { Revision } from './documents.ts'

const ends = {
  anchor: Type.Integer({ minimum: 0, description: 'Where a selection began.', examples: [5] }),
  head: Type.Integer({ minimum: 0, description: 'Where it ends.', examples: [8] }),
}
const personId = Type.String({ examples: ['Xr1v0gq9mJ4m7p3rT5sV2w'] })

/** Where they are whom no connection tells of each other, as they hear it with their calls. */
export const Presence = Type.Object(
  {
    number: Type.Integer({
      description: 'To be sent with the next call, which then waits until there is something else to tell.',
      examples: [17],
    }),
    you: { ...personId, description: 'How others know this client.' },
    people: Type.Array(
      Type.Object({
        id: personId,
        name: Type.Union([Type.String(), Type.Null()], {
          description: 'As they call themselves; null if they haven’t said.',
          examples: ['Ada'],
        }),
        kind: AuthorKind,
        isOwner: Type.Boolean({ examples: [false] }),
        agent: Type.Optional(Type.Enum(['writing', 'here'], { examples: ['here'] })),
        colour: Type.Integer({
          minimum: 0,
          description: 'As in `author_colour` of what they write and say there.',
          examples: [1],
        }),
      }),
      { description: 'Everybody who follows the text and is seen, they themselves among them.' },
    ),
    revision: { ...Revision, description: 'In whose text the places count.' },
    cursors: Type.Array(Type.Object({ person: personId, at: Type.Object(ends) })),
  },
  {
    description:
      'Where the call says what it knows of it by `presence`, and may follow the text: who else does, and where they are.',
  },
)
export type Presence = Static<typeof Presence>
