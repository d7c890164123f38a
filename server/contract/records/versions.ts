import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { author, AuthorKind, colouredAuthor } from './authors.ts'
import { Content, Revision, Title } from './documents.ts'
import { NullableId, Timestamp, nullable } from './fields.ts'

export const VersionKind = Type.Enum(
  ['create', 'edit', 'title', 'suggestion', 'reopening', 'restore', 'import'],
  {
    description:
      'What made the version. `suggestion`: suggestions were accepted. `reopening`: accepted ones were taken back.',
    examples: ['edit'],
  },
)
export type VersionKind = Static<typeof VersionKind>

export const VersionName = nullable(
  Type.String({
    minLength: 1,
    pattern: '\\S',
    description: `1 to ${limits.versionNameLength} characters after trimming. Control characters, line breaks and what turns the direction of other words are left out.`,
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
  ...colouredAuthor,
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
      kind: Type.Union([AuthorKind, Type.Null()], {
        description: 'What they are; null where an older Galley didn’t note it.',
        examples: ['guest'],
      }),
      key_name: author.key_name,
      author_colour: colouredAuthor.author_colour,
    }),
    { description: 'The same, with what each of them is.', examples: [[]] },
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
  ...colouredAuthor,
  author_id: NullableId('The user who made it; null for a guest, or where that isn’t known any more.', null),
  size: VersionSummary.properties.size,
  created_at: Type.String({ ...Timestamp, description: 'When the revision was made.' }),
  content: Content,
})
export type PastText = Static<typeof PastText>
const HistoryEntry = Type.Object({
  revision: Revision,
  base: Type.Integer({
    minimum: 0,
    description:
      'The revision that it changes: the one before, 0 for the first, or an older one where a backup was restored or an older Galley kept less.',
    examples: [0],
  }),
  kind: VersionKind,
  ...colouredAuthor,
  author_id: PastText.properties.author_id,
  suggesters: VersionSummary.properties.suggesters,
  size: VersionSummary.properties.size,
  hash: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description:
      'Of the text at this revision (CRC-32 of it in UTF-8, as `zlib.crc32` has it; of revisions that an older Galley made, cyrb53); null where the text isn’t known any more.',
    examples: [3_957_769_958],
  }),
  created_at: PastText.properties.created_at,
  changes: Type.Array(Type.Unsafe<number | [number, ...string[]] | [number, number]>({}), {
    description:
      'What becomes of the text at `base`, from its beginning to its end: a number keeps so many characters, `[n, ...lines]` puts these lines, with line feeds between, in the place of `n` characters, and `[n, size]` so many characters that aren’t told here: they stand at this place of the text at this revision. Characters are UTF-16 code units.',
    examples: [[[0, 31]]],
  }),
})
export type HistoryEntry = Static<typeof HistoryEntry>
export const History = Type.Object({
  revision: { ...Revision, description: 'The document’s newest.' },
  more: Type.Boolean({
    description: 'Whether there are changes after the last of these.',
    examples: [false],
  }),
  entries: Type.Array(HistoryEntry),
})
/** A part of a document’s log. */
export type History = Static<typeof History>
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
  unified: Type.Optional(
    Type.String({
      description:
        'With `unified` only: the same line by line, as a unified diff with three lines around each change, which `patch` and `git apply` understand. Empty where nothing has changed.',
      examples: [
        '--- revision 1\n+++ revision 2\n@@ -1,1 +1,1 @@\n-A galley goes out for review.\n+A galley is sent out for review.\n',
      ],
    }),
  ),
})
export type RevisionChanges = Static<typeof RevisionChanges>
