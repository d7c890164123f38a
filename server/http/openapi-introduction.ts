import { bytes, count } from '../contract/figures.ts'
import { limits } from '../contract/limits.ts'
import type { Tag } from '../contract/route.ts'

/** What each heading's routes are for. */
export const tags: Record<Tag, string> = {
  Documents: 'Markdown documents: write, read, search, export.',
  Trash: 'Documents that were put away: to read, to restore, or to delete for good.',
  Versions: 'What a document was before; nothing written is ever lost.',
  Guests: 'People who came by a link: how they are called, and whether what they say is hidden.',
  Rounds: 'Asking those who have a link for a review, and seeing who is done.',
  Files: 'Pictures and other files that belong to a document.',
  'Share links': 'Links that let people without an account read, comment, suggest or edit.',
  Comments: 'What people say of a passage or of the whole document, with replies.',
  Suggestions: 'Proposed replacements that the owner accepts or rejects, and what they are answered.',
  'API keys': 'Keys for scripts and agents.',
  Events: 'What has happened, in order, for scripts and agents that wait for it.',
  Webhooks: 'Addresses that are told what has happened, signed and until it arrives.',
  Account: 'Who is signed in, and this server.',
  Tunnel: 'How people elsewhere reach the share links.',
  Server: 'What is the matter with this Galley, and what mends it.',
  Live: 'Connections that say when something has changed.',
}

/** What holds for the whole API. */
export const introduction = `Galley keeps markdown documents on the writer’s own machine and lets others read, comment on and improve them.

**Answers** are JSON in one envelope: \`{"data": …, "error": null}\`, or \`{"data": null, "error": {"message", "code"}}\`. Programs should look at \`code\`; messages may change. Where one field is at fault, \`error.field\` names it. Requests with a body must say \`Content-Type: application/json\`, except where a file’s bytes are sent.

**Checks** run in one order, and the first that fails answers: host name (403), content type (403), credentials (401), visibility (404), permission (403), validity (400), state (400, 409, 412).

**Times** are UTC with milliseconds. **Text** is kept exactly as sent; offsets count UTF-16 code units, as JavaScript does. Fields a route doesn’t know are ignored, but refused where a key is made: a misspelt one would give more than was asked for.

**Limits**: title ${limits.titleLength} code points; text ${bytes(limits.contentBytes)} of UTF-8; other bodies ${bytes(limits.bodyBytes)}. After ${limits.failedCredentialsPerMinute} refused credentials a minute from one address, further refusals are 429; valid credentials are never slowed by that. Guests may make ${limits.guestWritesPerMinute} changes a minute through one link; a change of more than ${bytes(limits.guestWriteBytes)} counts once more for each. Of one document, guests’ open comments and suggestions may number ${count(limits.guestFeedback)} and hold ${bytes(limits.guestFeedbackBytes)} of text; all their comments, resolved ones too, ${count(limits.guestComments)} and ${bytes(limits.guestCommentBytes)}. Guests may put ${bytes(limits.guestVersions)} of text a day into one document while nobody with an account changes it, and neither make a line longer than ${count(limits.guestLineLength)} code units nor suggest one. Where a limit counts, \`RateLimit-Policy\` and \`RateLimit\` say which, and what is left of it, as the IETF’s draft has them. Owners and keys have no limit.

**Again**: a POST with an \`Idempotency-Key\` of your own does what it says once, however often it has to be sent. For ${limits.idempotencyAnswerHours} hours it is answered as it was; for ${limits.idempotencyDays} days in all it is not done again. Of answers to guests only those of up to ${bytes(limits.guestAnswerBytes)} are kept, and of one link ${bytes(limits.guestAnswersBytes)} a day. Errors aren’t kept.

**Lists** of comments, suggestions and versions are whole unless \`limit\`, \`offset\` or \`since\` ask for a part. Their order is total, so parts never repeat or skip. To hear of what is new, ask with the time of the newest you have as \`since\`: that moment is included, so tell by the \`id\` what you have already.

**Accepting or rejecting** a suggestion on a document that isn’t yours is 403; everything else about such a document is 404.`

/** What holds for those who have nothing but a link. */
export const linkIntroduction = `A share link is \`/share/TOKEN\`. Asked with \`Accept: application/json\` it answers with the document and every call that the link allows, ready to be made; with \`Accept: text/markdown\`, with the text alone.

**Answers** of the calls are JSON in one envelope: \`{"data": …, "error": null}\`, or \`{"data": null, "error": {"message", "code"}}\`. Programs should look at \`code\`; messages may change. Requests with a body must say \`Content-Type: application/json\`, except where a file’s bytes are sent. Each call has the link’s token as \`share_token\` in its query, or in the header \`Galley-Share-Token\`, which no log of addresses keeps. Both may be there only if they are the same. A token that is unknown, expired or revoked, or another document’s, is 401.

**Text** is markdown, kept exactly as sent; offsets count UTF-16 code units, as JavaScript does. Times are UTC.

**Limits**: ${limits.guestWritesPerMinute} changes a minute through one link; a change of more than ${bytes(limits.guestWriteBytes)} counts once more for each. Beyond, 429 says in \`Retry-After\` how many seconds to wait. No line may become longer than ${count(limits.guestLineLength)} UTF-16 code units: such a change is 413, and so is such a suggestion, and what is longer already may stay. A POST with an \`Idempotency-Key\` of your own is done once, however often it is sent.`
