import { Type, type Static } from 'typebox'
import { limits } from '../limits.ts'
import { AuthorKind, AuthorName } from './authors.ts'
import { Revision, Title } from './documents.ts'
import { Id, Timestamp } from './fields.ts'
import { Presence } from './presence.ts'
import { Limited, RenderedPoint } from './rendering.ts'
import { allowed } from './share-links.ts'

/** Every other part of as many changes as an editor sends at one time, and what is kept between them. */
const mostParts = 2 * limits.changedPlaces + 1

export const Changes = Type.Array(Type.Unsafe<number | [number, ...string[]]>({}), {
  maxItems: mostParts,
  description: `What becomes of a text, from its beginning to its end: a number keeps so many characters, and \`[n, ...lines]\` puts these lines, with line feeds between, in the place of \`n\` characters. Characters are UTF-16 code units. The counts add up to the length of the text that is changed. At most ${limits.changedPlaces} places of it change; who has more to change joins some of them.`,
  examples: [[2, [0, 'new '], 7]],
})

/** Of words that somebody wrote whom they belong to already: whether their writer stands by them, or no more. */
const AlikeWords = Type.Object({
  start: Type.Integer({ minimum: 0, description: 'In UTF-16 code units.', examples: [4] }),
  end: Type.Integer({ minimum: 0, description: 'Exclusive.', examples: [8] }),
  stands: Type.Boolean({ description: 'False once that writer has taken them back.', examples: [true] }),
})
export type AlikeWords = Static<typeof AlikeWords>

const mostStep = 2 ** 32 - 1
const stepParts = (description: string) =>
  Type.Array(
    Type.Unsafe<[start: number, end: number, step: number]>(
      Type.Array(Type.Integer({ minimum: 0, maximum: mostStep }), { minItems: 3, maxItems: 3 }),
    ),
    { maxItems: limits.toldSteps, description, examples: [[[0, 4, 3]]] },
  )
const stepNumbers = (description: string) =>
  Type.Array(Type.Integer({ minimum: 1, maximum: mostStep }), {
    maxItems: limits.toldSteps,
    description,
    examples: [[3]],
  })

/** Which steps of its editor’s history are in a change, by the editor’s own numbers of them. */
export const PushedSteps = Type.Object({
  put: stepParts(
    'Which parts of the text that the change leaves a step has written, as `[start, end, step]`, in UTF-16 code units; also such as others had written alike.',
  ),
  taken: stepParts('Which parts of the text before it a step has taken out.'),
  undone: stepNumbers('Steps that count no more: undo has taken them back.'),
  redone: stepNumbers('Steps that count again.'),
})
export type PushedSteps = Static<typeof PushedSteps>

const ToldSteps = Type.Object({
  ...PushedSteps.properties,
  writer: Type.Integer({
    minimum: 1,
    description: 'The editor whose steps these are, by a number that it has here for as long as Galley runs.',
    examples: [1],
  }),
})
export type ToldSteps = Static<typeof ToldSteps>

const Update = Type.Object({
  revision: Revision,
  number: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description:
      'The client’s own number, where the change is one that this very client has pushed. It has the changes already, so they are null here: brought over what comes before them, they are the same there.',
    examples: [null],
  }),
  changes: Type.Union([Changes, Type.Null()]),
  length: Type.Integer({ minimum: 0, description: 'Of the text at this revision.', examples: [13] }),
  hash: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description:
      'Of the text at this revision (CRC-32 of it in UTF-8, as `zlib.crc32` has it; of revisions that an older Galley made, cyrb53): whoever gets another one has another text.',
    examples: [3_957_769_958],
  }),
  author: Type.Union([Type.String(), Type.Null()], {
    description:
      'Who made the change, as they were called then; null for a link that doesn’t let its holder edit, or hides people, and of changes by such a link.',
    examples: ['Ada'],
  }),
  author_kind: Type.Union([AuthorKind, Type.Null()], {
    description: 'What they are; null where `author` is.',
    examples: ['guest'],
  }),
  key_name: Type.Union([Type.String(), Type.Null()], {
    description:
      'The name of the API key it was made with; null where no program made it, or `author` is null.',
    examples: [null],
  }),
  alike: Type.Optional(
    Type.Array(AlikeWords, {
      description:
        'Words of the text at this revision that others wrote and that its author wrote alike, as during an absence, for editors of an earlier Galley: their undo of those who wrote them first leaves them there, unless their author takes them back as well. Others are told by `steps`. Only the last changes since Galley was started have it.',
    }),
  ),
  steps: Type.Optional({
    ...ToldSteps,
    description:
      'Which steps of its author’s history are in the change, and which of them undo and redo have turned with it: so others’ undo knows which letters come back. Only the last changes since Galley was started have it, and only for those who are told who made them.',
  }),
})
export type Update = Static<typeof Update>

export const Updates = Type.Object({
  revision: { ...Revision, description: 'What the document has come to with these.' },
  title: Title,
  updated_at: Timestamp,
  ...allowed,
  updates: Type.Array(Update),
})
/** Changes of a document, in order, each made on the text that the one before has left. */
export type Updates = Static<typeof Updates>

/** The same as they are listed. */
export const ListedChanges = Type.Object({ ...Updates.properties, presence: Type.Optional(Presence) })
export type ListedChanges = Static<typeof ListedChanges>

/** Random, made by an editor for itself, and told nobody else: whoever knew it could make the editor believe things. */
export const clientIdPattern = '^[A-Za-z0-9_-]{16,64}$'
export const ClientId = Type.String({
  pattern: clientIdPattern,
  description: 'A random name that the client has given itself. It is told nobody else.',
  examples: ['k3nR0v7pQ2xW9sTz'],
})

/** One change, as an editor sends it. */
export const PushedChange = Type.Object(
  {
    base: Revision,
    hash: Type.Optional(Type.Integer({ minimum: 0, description: 'Of the text at `base`, as it was told.' })),
    client: ClientId,
    number: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Counts the client’s changes.',
    }),
    changes: Changes,
    goes_on: Type.Optional(
      Type.Boolean({
        description:
          'Whether what the change puts in goes on with what this client has put in just before that place: then it stays next to it, before what others have put in there meanwhile. Else what came first comes first.',
        examples: [false],
      }),
    ),
    alike: Type.Optional(
      Type.Array(AlikeWords, {
        maxItems: limits.alikeWords,
        description:
          'Words of the text at `base` that others wrote and that were written here alike, and whether their writer stands by them: told the others with the change, which may change nothing else, for editors of an earlier Galley. Others go by `steps`.',
      }),
    ),
    steps: Type.Optional({
      ...PushedSteps,
      description:
        'Which steps of the client’s history are in the change, and which of them undo and redo have turned with it: told the others with the change, which may change nothing else.',
    }),
    beside: Type.Optional(
      Type.Array(Id, {
        maxItems: limits.writtenBeside,
        description:
          'Suggestions that were drawn in the text, and right at whose words the change writes. What it puts in there stands beside what they make of these words: without, “er” right behind “quick” makes “quicker”, and a suggestion for “quick” can’t be applied any more.',
      }),
    ),
    author_name: Type.Optional(AuthorName),
  },
  { examples: [{ base: 1, client: 'k3nR0v7pQ2xW9sTz', number: 1, changes: [13, [0, 'Look: '], 48] }] },
)
export type PushedChange = Static<typeof PushedChange>

const ShownWordChange = Type.Object({
  start: Type.Integer({ minimum: 0, description: 'In the text now, in UTF-16 code units.', examples: [13] }),
  end: Type.Integer({ minimum: 0, description: 'Exclusive.', examples: [29] }),
  removed: Type.String({ description: 'What stood there instead.', examples: ['the proof'] }),
  from: Type.Union([RenderedPoint, Type.Null()], {
    description:
      'Where what was put in shows on the rendered page; where nothing was, the word beside that place. Null where it doesn’t show.',
  }),
  to: Type.Union([RenderedPoint, Type.Null()]),
  removed_stands: Type.Enum(['before', 'behind'], {
    description: 'On which side of it what was taken out stood.',
    examples: ['before'],
  }),
  is_address: Type.Boolean({
    description:
      'Whether it is only where a link leads, which doesn’t show: `removed` is all of the address that was there, and `from` and `to` are those of the link’s words.',
    examples: [false],
  }),
})
export type ShownWordChange = Static<typeof ShownWordChange>

export const WordChanges = Type.Object({
  since: Type.Integer({ minimum: 1, examples: [1] }),
  revision: Revision,
  changes: Type.Array(ShownWordChange, { description: 'In order.' }),
  more: Type.Boolean({ description: 'Whether there are more than are told.', examples: [false] }),
  limited: Limited,
  ...allowed,
})
export type WordChanges = Static<typeof WordChanges>
