import { Type, type Static, type TSchema } from 'typebox'
import { eventKinds } from './events.ts'
import { bytes } from './figures.ts'
import { limits } from './limits.ts'

/** Field schemas of every record in the API. Names, order and nullability are the interface. */

const uuid = '3f0c2a4e-8a55-4b0c-9d36-5a2f6c1e7b90'
const instant = '2026-03-01T09:30:00.000Z'

export const Id = Type.String({ format: 'uuid', description: 'UUID', examples: [uuid] })
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'ISO 8601, UTC, with milliseconds and `Z`.',
  examples: [instant],
})
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
/** The one nullable record field whose non-null schema carries its own description. */
const NullableTimestamp = (description: string, example: string | null = instant) =>
  Type.Union([Timestamp, Type.Null()], { description, examples: [example] })
/** Later than any clock that an example meets. */
export const farOff = '2099-12-31T12:00:00.000Z'
const NullableId = (description: string, example: string | null = uuid) =>
  Type.Union([Id, Type.Null()], { description, examples: [example] })

export const Permission = Type.Enum(['view', 'comment', 'edit'], {
  description: 'What a holder of the link may do: each level includes the ones before it.',
  examples: ['comment'],
})
export type Permission = Static<typeof Permission>

export const Title = Type.String({
  maxLength: limits.titleLength,
  description: `At most ${limits.titleLength} Unicode code points; kept exactly as sent.`,
  examples: ['On proofs'],
})
export const Content = Type.String({
  description: `Markdown, kept exactly as sent. At most ${bytes(limits.contentBytes)} in UTF-8.`,
  examples: ['# On proofs\n\nA galley is the draft that goes out for review.\n'],
})
export const Revision = Type.Integer({
  minimum: 1,
  description: 'Grows by one with each change of the document.',
  examples: [1],
})

export const DocumentSummary = Type.Object({
  id: Id,
  title: Title,
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type DocumentSummary = Static<typeof DocumentSummary>

export const SearchHit = Type.Object({
  id: Id,
  title: Title,
  created_at: Timestamp,
  updated_at: Timestamp,
  snippet: Type.Optional(
    Type.String({
      description: 'With `q` only: the passage that matched, as plain text; “…” marks where it was cut.',
      examples: ['… the draft that goes out for review …'],
    }),
  ),
  excerpt: Type.Optional(
    Type.String({
      description: 'With `details` only: the first words of the text, as plain text without its headings.',
      examples: ['A galley is the draft that goes out for review.'],
    }),
  ),
  unseen_feedback: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'With `details` only: how many open comments, replies and pending suggestions of others the owner hasn’t seen.',
      examples: [2],
    }),
  ),
})
export type SearchHit = Static<typeof SearchHit>

const documentFields = {
  id: Id,
  owner_id: Id,
  title: Title,
  content: Content,
  revision: Revision,
  created_at: Timestamp,
  updated_at: Timestamp,
}
export const Document = Type.Object({
  ...documentFields,
  permission: Type.Optional(Permission),
})
export type Document = Static<typeof Document>

const deleted_at = Type.Unsafe<Static<typeof Timestamp>>({
  ...Timestamp,
  description: 'When it was put into the trash.',
})
export const TrashedHit = Type.Object({ ...SearchHit.properties, deleted_at })
export type TrashedHit = Static<typeof TrashedHit>
export const TrashedDocument = Type.Object({ ...documentFields, deleted_at })
export type TrashedDocument = Static<typeof TrashedDocument>

export const ShareLink = Type.Object({
  id: Id,
  document_id: Id,
  created_by: Id,
  token: Type.String({
    pattern: '^[0-9a-f]{32}$',
    description: '32 hexadecimal characters; the link is `{base_url}/share/{token}`.',
    examples: ['5d41402abc4b2a76b9719d911017c592'],
  }),
  permission: Permission,
  label: nullable(Type.String({ maxLength: limits.labelLength, examples: ['For the copy editor'] })),
  expires_at: NullableTimestamp('When the link stops working; null means never.', farOff),
  created_at: Timestamp,
  last_used_at: NullableTimestamp('When somebody last used the link.'),
  url: Type.Union([Type.String(), Type.Null()], {
    description:
      'The whole address for recipients, as it is now; null while nobody elsewhere can open it. Changes with the tunnel’s address.',
    examples: ['https://galley.example.org/share/5d41402abc4b2a76b9719d911017c592'],
  }),
  local_url: Type.String({
    description: 'The address that opens on this machine only.',
    examples: ['http://127.0.0.1:4781/share/5d41402abc4b2a76b9719d911017c592'],
  }),
})
export type ShareLink = Static<typeof ShareLink>
export const ShareLinkSummary = Type.Omit(ShareLink, ['document_id', 'created_by'])
export type ShareLinkSummary = Static<typeof ShareLinkSummary>

const anchorFields = {
  exact: Type.String({ minLength: 1, maxLength: limits.anchorLength, examples: ['goes out for review'] }),
  prefix: Type.String({ maxLength: limits.anchorContext, default: '', examples: ['is the draft that '] }),
  suffix: Type.String({ maxLength: limits.anchorContext, default: '', examples: ['.\n'] }),
  start: Type.Integer({ minimum: 0, examples: [40] }),
  revision: Type.Optional(
    Type.Integer({
      minimum: 1,
      examples: [1],
      description:
        'The revision of the document that the anchor was made on. An older one is followed through every change since then to where its words stand today; they are kept even if they are gone meanwhile. Changes are remembered for about the last 1,000 revisions: with an older one, or one that is still to come, the answer is 400; without it, the words are looked for.',
    }),
  ),
}
const anchorText = {
  description:
    'A W3C text-quote selector on the markdown source: the words, what stands before and after them, and the offset (UTF-16 code units) they had when the anchor was made, on the `revision` it names.',
}
export const Anchor = Type.Object(anchorFields, anchorText)
export type Anchor = Static<typeof Anchor>
/** As it may be sent: what stands around the words helps to find them again, but may be missing. */
export const NewAnchor = Type.Object(
  {
    ...anchorFields,
    prefix: Type.Optional(anchorFields.prefix),
    suffix: Type.Optional(anchorFields.suffix),
  },
  anchorText,
)
export type NewAnchor = Static<typeof NewAnchor>

export const Range = Type.Object(
  { start: Type.Integer({ minimum: 0, examples: [40] }), end: Type.Integer({ minimum: 0, examples: [59] }) },
  { description: 'A stretch of the current markdown source, in UTF-16 code units; `end` is exclusive.' },
)
export type Range = Static<typeof Range>

export const AuthorName = Type.String({
  minLength: 1,
  maxLength: limits.authorNameLength,
  examples: ['Guest'],
  description:
    'How a guest wants to be named. Control characters and what turns the direction of other words are left out; “Guest” if nothing is left. Ignored when an account makes the request.',
})
const author = {
  author_id: NullableId('The user who wrote it; null for a guest.', null),
  author_name: Type.String({ examples: ['Guest'] }),
  key_name: Type.Union([Type.String(), Type.Null()], {
    description: 'The name of the API key it was made with; null where no program made it.',
    examples: [null],
  }),
}

export const LinkVisit = Type.Object({
  id: Id,
  link_id: Id,
  opened_at: Timestamp,
  preview: Type.Boolean({
    description:
      'Whether a program fetched the page, mostly to show a preview of the link, rather than a person.',
    examples: [false],
  }),
  device: Type.Union([Type.String({ examples: ['Safari on iPhone'] }), Type.Null()], {
    description: 'Roughly on what; of a preview, by whom. Null where that can’t be told.',
  }),
  name: Type.Union([Type.String({ examples: ['Ada'] }), Type.Null()], {
    description: 'What the visitor called themselves when they commented or suggested. Nothing proves it.',
  }),
})
export type LinkVisit = Static<typeof LinkVisit>

export const Comment = Type.Object({
  id: Id,
  document_id: Id,
  parent_id: NullableId('The thread’s first comment, for a reply; null for a first comment.', null),
  ...author,
  body: Type.String({ minLength: 1, maxLength: limits.commentLength, examples: ['Is this the right word?'] }),
  anchor: nullable(Anchor),
  range: Type.Union([Range, Type.Null()], {
    description:
      'Where the words stand now; null for a comment on the whole document, or once the words are gone.',
  }),
  mine: Type.Boolean({
    description: 'Whether whoever asks wrote it, and so may edit it.',
    examples: [false],
  }),
  resolved_at: NullableTimestamp('When the thread was resolved; null while it is open.', null),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Comment = Static<typeof Comment>

export const SuggestionStatus = Type.Enum(['pending', 'accepted', 'rejected'], { examples: ['pending'] })
export type SuggestionStatus = Static<typeof SuggestionStatus>

export const Suggestion = Type.Object({
  id: Id,
  document_id: Id,
  ...author,
  original_text: Type.String({ minLength: 1, examples: ['goes out for review'] }),
  suggested_text: Type.String({ examples: ['is sent out for review'] }),
  anchor: nullable(Anchor),
  range: Type.Union([Range, Type.Null()], {
    description: 'Where accepting it would apply now; null: it can’t be applied to the current text.',
  }),
  note: nullable(Type.String({ maxLength: limits.noteLength, examples: ['Reads better aloud.'] })),
  mine: Type.Boolean({
    description: 'Whether whoever asks made it, and so may withdraw it.',
    examples: [false],
  }),
  status: SuggestionStatus,
  created_at: Timestamp,
  resolved_at: NullableTimestamp('When it was accepted or rejected; null while it is pending.', null),
})
export type Suggestion = Static<typeof Suggestion>

export const VersionKind = Type.Enum(['create', 'edit', 'title', 'suggestion', 'restore', 'import'], {
  description: 'What made the version.',
  examples: ['edit'],
})
export type VersionKind = Static<typeof VersionKind>

export const VersionName = nullable(
  Type.String({
    minLength: 1,
    pattern: '\\S',
    description: `1 to ${limits.versionNameLength} characters after trimming.`,
    examples: ['As sent to the printer'],
  }),
)
export const VersionSummary = Type.Object({
  revision: Revision,
  title: Title,
  name: Type.Union([Type.String({ examples: ['As sent to the printer'] }), Type.Null()], {
    description: 'What the owner calls it; null where it has no name.',
    examples: [null],
  }),
  kind: VersionKind,
  ...author,
  suggested_by: Type.Array(Type.String({ examples: ['Ada'] }), {
    description: `Of accepted suggestions: the names of those who made them, each once, at most ${limits.namedSuggesters}. \`author_name\` is who accepted them.`,
    examples: [[]],
  }),
  suggesters: Type.Array(
    Type.Object({
      name: Type.String({ examples: ['Ada'] }),
      guest: Type.Union([Type.Boolean(), Type.Null()], {
        description: 'Null where an older Galley didn’t note it.',
        examples: [true],
      }),
    }),
    { description: 'The same, with who of them is a guest.', examples: [[]] },
  ),
  size: Type.Integer({
    minimum: 0,
    description: 'Length of the text in UTF-16 code units.',
    examples: [1204],
  }),
  added: Type.Integer({
    minimum: 0,
    description: 'UTF-16 code units added since the version before.',
    examples: [12],
  }),
  removed: Type.Integer({ minimum: 0, description: 'UTF-16 code units removed since then.', examples: [4] }),
  started_at: Type.String({ ...Timestamp, description: 'When its first change was made.' }),
  created_at: Type.String({ ...Timestamp, description: 'When its last change was made.' }),
})
export type VersionSummary = Static<typeof VersionSummary>
export const Version = Type.Object({ ...VersionSummary.properties, content: Content })
export type Version = Static<typeof Version>

export const PastText = Type.Object({
  revision: Revision,
  ...author,
  author_id: NullableId('The user who made it; null for a guest, or where that isn’t known any more.', null),
  size: VersionSummary.properties.size,
  created_at: Type.String({ ...Timestamp, description: 'When the revision was made.' }),
  content: Content,
})
export type PastText = Static<typeof PastText>
export const RevisionChanges = Type.Object({
  from: Revision,
  to: Type.Integer({ minimum: 1, examples: [2] }),
  changes: Type.Array(
    Type.Object({
      start: Type.Integer({ minimum: 0, examples: [40] }),
      end: Type.Integer({ minimum: 0, examples: [44] }),
      text: Type.String({ description: 'What stands there instead.', examples: ['is sent'] }),
    }),
    {
      description:
        'In order, and none touching another: stretches of the text at `from`, in UTF-16 code units, `end` exclusive.',
    },
  ),
})
export type RevisionChanges = Static<typeof RevisionChanges>

export const KeyAccess = Type.Enum(['full', 'read'], {
  description: '`read` keys may not change anything.',
  examples: ['full'],
})
export type KeyAccess = Static<typeof KeyAccess>
export const ApiKey = Type.Object({
  id: Id,
  name: Type.String({ examples: ['Nightly backup'] }),
  prefix: Type.String({
    description: `The first ${limits.keyPrefixLength} characters of the key.`,
    examples: ['gally_5d4140'],
  }),
  access: KeyAccess,
  created_at: Timestamp,
  last_used_at: NullableTimestamp('When the key was last used, to the minute.'),
  expires_at: NullableTimestamp('When the key stops working; null means never.', farOff),
})
export type ApiKey = Static<typeof ApiKey>
export const NewApiKey = Type.Object({
  ...ApiKey.properties,
  key: Type.String({
    pattern: '^gally_[0-9a-f]{32}$',
    description: 'The key itself, shown this once.',
    examples: ['gally_5d41402abc4b2a76b9719d911017c592'],
  }),
})
export type NewApiKey = Static<typeof NewApiKey>

export const User = Type.Object({ id: Id, name: Type.String({ examples: ['Owner'] }) })
export type User = Static<typeof User>

export const Theme = Type.Enum(['system', 'light', 'dark'], { examples: ['system'] })
export const TrashDays = Type.Union([Type.Integer({ minimum: 1, maximum: limits.trashDays }), Type.Null()], {
  description: 'After how many days documents leave the trash for good; null: not by themselves.',
  examples: [30],
})
export const Settings = Type.Object({
  name: Type.String({ examples: ['Owner'] }),
  theme: Theme,
  trash_days: TrashDays,
})
export type Settings = Static<typeof Settings>

/** A place on the rendered page: the block's source offset, and how many visible characters of it come before. */
export const RenderedPoint = Type.Object({
  block: Type.Integer({ minimum: 0, description: 'The block’s `data-b`.', examples: [13] }),
  char: Type.Integer({
    minimum: 0,
    description: 'Non-white-space characters of the block before this point.',
    examples: [21],
  }),
})
export type RenderedPoint = Static<typeof RenderedPoint>
/** Where the words of the other examples stand. */
export const examplePoints = { from: { block: 13, char: 21 }, to: { block: 13, char: 37 } }
export const Heading = Type.Object({
  level: Type.Integer({ minimum: 1, maximum: 6, examples: [2] }),
  text: Type.String({ examples: ['Sources'] }),
  id: Type.String({ examples: ['h-sources'] }),
})
export const RenderedDocument = Type.Object({
  revision: Revision,
  title: Title,
  html: Type.String({
    description: 'Sanitised HTML of the document’s body.',
    examples: ['<h1>On proofs</h1>'],
  }),
  headings: Type.Array(Heading),
  words: Type.Integer({ minimum: 0, examples: [11] }),
})
export type RenderedDocument = Static<typeof RenderedDocument>
export const Limited = Type.Union([Type.Enum(['time', 'depth', 'size']), Type.Null()], {
  description: 'The limit that the text ran into, if it did.',
  examples: [null],
})
export const RenderedText = Type.Object({
  html: Type.String({ description: 'Sanitised HTML.', examples: ['<p>Read <em>me</em>.</p>'] }),
  limited: Type.Union([Type.Enum(['time', 'depth', 'size']), Type.Null()], {
    description: 'Why the text could not be rendered; `html` is then the text as it was written.',
    examples: [null],
  }),
})
export type RenderedText = Static<typeof RenderedText>
export const Mark = Type.Object(
  {
    id: Id,
    kind: Type.Enum(['comment', 'suggestion'], { examples: ['comment'] }),
    from: RenderedPoint,
    to: RenderedPoint,
  },
  {
    description: 'Where a comment’s or suggestion’s words show on the rendered page.',
    examples: [{ id: uuid, kind: 'comment', ...examplePoints }],
  },
)
export type Mark = Static<typeof Mark>
export const Located = Type.Object({ revision: Revision, anchor: Anchor, range: Range })
export type Located = Static<typeof Located>

export const EventRecord = Type.Object({
  seq: Type.Integer({
    minimum: 1,
    description: 'Grows with each event, not always by one, and is never used again.',
    examples: [1201],
  }),
  at: Timestamp,
  kind: Type.Enum([...eventKinds], { examples: ['comment.created'] }),
  document_id: NullableId('The document it happened to; null where it is about none.'),
  revision: Type.Union([Revision, Type.Null()], {
    description: 'What the document had come to; of a version that was named, its own.',
    examples: [1],
  }),
  principal: Type.Object(
    {
      kind: Type.Enum(['owner', 'key', 'command', 'user', 'guest', 'galley'], {
        description:
          '`owner`: you, in the app or a browser; `key`: one of your API keys; `command`: the command line; `user`: another user of this Galley, by a link; `guest`: somebody who came by a link and has no account; `galley`: Galley itself, as when the trash’s days are over.',
        examples: ['guest'],
      }),
      name: nullable(
        Type.String({
          description: 'As they were called then. What guests call themselves, nothing proves.',
          examples: ['Ada'],
        }),
      ),
      id: NullableId('Of the user, the key, or the link that a guest came by.'),
    },
    { description: 'Who brought it about.' },
  ),
  subject_id: NullableId(
    'The comment, suggestion, link or key; null where it is the document, or nothing that has an id.',
  ),
})
export type EventRecord = Static<typeof EventRecord>
