import { Type } from 'typebox'
import { count } from '../figures.ts'
import { limits } from '../limits.ts'
import { AuthorName } from '../records/authors.ts'
import { ClientId, ListedChanges, PushedChange, Updates, WordChanges } from '../records/changes.ts'
import { defineRoute, defineRoutes } from '../route.ts'
import { shareQuery, waitPart } from './parts.ts'

export const changeRoutes = defineRoutes('Documents', {
  pushChange: defineRoute({
    about: 'document',
    method: 'POST',
    url: '/api/documents/:id/changes',
    summary: 'Make a change to a text that others may be changing, too',
    description: `What an editor does with each thing that is typed. The change is made on the revision \`base\`; what others have changed since is kept, and the change is brought over it. The answer has all changes after \`base\`, this one among them, so that the client comes to the same text: where two put something in at one place, what was made first comes first, unless the other says that it goes on with its author’s own words. A change of which others have left nothing is made, too, and leaves the text as it is; one that is sent with nothing to change isn’t made, so that the answer has only the others’, unless it comes a third time, as from a client that waits to be told of it. A change that comes twice, with the same \`client\` and \`number\`, is made once. Send one at a time, and number them from 1; a number that the client has used for another change is 400. 412, with the document as it is now, where the change can’t be brought over what has happened since: too much has changed since \`base\`, it isn’t a revision of this document, its text had another \`hash\`, or the share link was closed since. By one link, a visitor (from one address) may make ${limits.guestChangesPerMinute} small changes a minute; larger ones count as other writes do; one that makes a line longer than ${count(limits.guestLineLength)} code units is 413.`,
    share: true,
    repeatable: true,
    query: shareQuery,
    body: PushedChange,
    bodyLimit: limits.documentBodyBytes,
    data: Updates,
    errors: ['VALIDATION_ERROR', 'PRECONDITION_FAILED', 'PAYLOAD_TOO_LARGE'],
  }),
  listChanges: defineRoute({
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id/changes',
    summary: 'List the changes of a text after a revision, or wait for the next',
    description: `One after the other, as they were made; \`GET /api/documents/:id/revisions\` compares two revisions. 412, with the document as it is now, where too much has changed since then to tell it all, \`since\` isn’t a revision of this document, or the share link was made, or opened again, after it. Up to ${limits.linkWaits} calls by a link may wait at one time, and ${limits.linkWaitsInAll} by all links; for accounts it is as with events.

Where no WebSocket connection comes through, who may edit hears here of the others: with \`client\` and \`presence\`, at first 0 and then the \`number\` that was told last, the answer has \`presence\` as well, and a wait ends when there is something new in it. \`anchor\` and \`head\` say where one is oneself. Who does so follows the text as over such a connection (\`GET /api/documents/:id/live\`): they are seen by the same people, count as one connection, and are gone ten seconds after their last call. Nothing of it is stored.`,
    share: true,
    query: Type.Object({
      since: Type.Integer({ minimum: 1, description: 'The revision that the client has.', examples: [1] }),
      client: Type.Optional({
        ...ClientId,
        description: 'The client’s name for itself, if some of the changes may be its own.',
      }),
      wait: waitPart(
        'Where nothing has changed yet, wait so many seconds for the next change, and then answer it, or nothing.',
      ),
      presence: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: 'The number of what was told last of who else follows the text; 0 at first.',
          examples: [0],
        }),
      ),
      anchor: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: 'With `presence`: where one’s selection began, in the text at `since`.',
          examples: [5],
        }),
      ),
      head: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: 'Where it ends; as `anchor` where it is absent.',
          examples: [8],
        }),
      ),
      name: Type.Optional({
        ...AuthorName,
        description: 'With `presence`: how a guest wants to be called.',
      }),
      share_token: shareQuery.properties.share_token,
    }),
    data: ListedChanges,
    errors: ['VALIDATION_ERROR', 'PRECONDITION_FAILED'],
  }),
  listWordChanges: defineRoute({
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id/word-changes',
    summary: 'What has changed in the words since a revision',
    description: `For a reader who comes back: how the text as it is now differs from that at \`since\`, word by word, and where that shows on the rendered page; however many revisions lie between. The first ${limits.wordChanges} places, or fewer where much was taken out; \`more\` says that there are others. Where \`limited\` isn’t null, the text was too much to find them in. By a link, 412, without \`data\`, where the text at \`since\` was replaced before there was the link, or while it was closed; for anybody, where that text isn’t known any more. Nothing about anybody’s reading is stored. Guests may ask as often as where a selection stands.`,
    share: true,
    query: Type.Object({
      since: Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The revision that was read.',
        examples: [1],
      }),
      share_token: shareQuery.properties.share_token,
    }),
    data: WordChanges,
    errors: ['VALIDATION_ERROR', 'PRECONDITION_FAILED'],
  }),
})
