import { Type } from 'typebox'
import { liveUrls } from '../live.ts'
import { liveLimits } from '../live-limits.ts'
import type { Route } from '../route.ts'
import { shareQuery } from './parts.ts'

// Not among the API's other routes: these are WebSocket connections, whose answer is no envelope.

const connection = {
  method: 'GET',
  tag: 'Live',
  status: 200,
  data: Type.Null(),
  errors: ['VALIDATION_ERROR'],
} as const

/** What is told of everything. */
const news =
  'A WebSocket connection. The server sends `{"type": "changed", "document_id", "what"}`, where `what` is `content`, `comments`, `suggestions`, `links`, `openings` or `versions`, as far as the client may read that, or `permission` where what the client’s own link allows is another now. Of `content` it says the `revision`; of `comments` and `suggestions` the `ids` of those that were made or changed, and of those that are `gone`, or neither where they are many. `{"type": "everything"}` says that so much has changed that it is not told one by one. Where a message has `since`, all has been told up to there, and `{"type": "told", "since"}` says just that, at the beginning too: a client that comes back with the last of these in the query as `since` is told what it missed. A recipient may send `{"name"}`, by which the owner then sees them. `{"type": "ping"}` is answered by `{"type": "pong"}`, which says that what is sent comes through both ways.'
const ofText = [
  'Who may edit can follow the text itself: `{"type": "follow", "since", "client"}`, with the revision that they have and a name for themselves as in `POST …/changes`. The answer, `following`, has the changes since then, as `GET …/changes` tells them; from then on `updates` brings each that is made, by whichever way. Its `by` says who made it: who reads there what `you` was in the answer has made it themselves. What is told so is not told as `content`. `unfollow` ends it, and `{"type": "apart"}` says that nothing leads from what they have to the text as it is: they ask for it by HTTP, and may follow again.',
  `Changes can be sent, too: \`{"type": "push", "base", "hash", "number", "changes"}\`, as by \`POST …/changes\`, in a message of up to ${liveLimits.messageBytes} bytes. That one was made is told by \`updates\`; \`{"type": "refused", "number"}\` says that it was not, and the same by HTTP says why. Where \`pushes\` is false in the answer, the first is sent by HTTP, which tells the client who it is from now on, and the connection is opened again.`,
  `\`people\` names all who follow, and \`cursors\` says where they are in the text of a revision; one’s own place is told with \`{"type": "cursor", "revision", "at": {"anchor", "head"}}\`, of which nothing is stored. Where no such connection comes through, \`GET …/changes\` tells and takes the same. Who follows may say ${liveLimits.followersMessagesPerMinute} things a minute, ${liveLimits.messagesPerSecond} of them within a second, and others ${liveLimits.messagesPerMinute} a minute.`,
]
const ends =
  'The server closes with 4401 within a second after the credential ends, and with 4404 when the document is gone; who came by a link with 4429 when others who came later need the room, and should then come again after a minute; and with 1008 who says too much, or what can’t be understood. Refusals come as plain answers before the upgrade, and so does a 400 where none is asked for or not in the right way.'

/** What happens to one document. */
export const liveDocument: Route<unknown, unknown, null, 'document'> = {
  ...connection,
  operationId: 'followDocument',
  about: 'document',
  url: liveUrls.document,
  summary: 'Hear when a document changes',
  description: [news, ...ofText, ends].join('\n\n'),
  share: true,
  query: shareQuery,
}

/** What happens to all documents of an account, and who is there. */
export const liveOwner: Route<unknown, unknown, null, 'account'> = {
  ...connection,
  operationId: 'followEverything',
  about: 'account',
  url: liveUrls.owner,
  summary: 'Hear when any document of yours changes, and who is reading',
  description:
    'As the connection of one document, for all documents of the account; for those that were deleted, `what` is `deleted` and `document_id` null. `{"type": "sharing"}` says that sharing was stopped or started again, and `{"type": "problems"}` that the list of problems has changed. It also says who has one of them open by a link, at once and whenever that changes: `{"type": "present", "people": [{"document_id", "link_id", "link_label", "name", "since", "follower"}]}`, where `follower` is how those who follow the same text know who does.',
  share: false,
}
