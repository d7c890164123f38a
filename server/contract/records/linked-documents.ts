import { type Static, Type } from 'typebox'
import { Document } from './documents.ts'
import { farOff, nullable, NullableTimestamp } from './fields.ts'

/** A call that a link allows. */
const LinkCall = Type.Object({
  name: Type.String({
    description: 'The `operationId` under which `/api/openapi.json` describes the call.',
    examples: ['createComment'],
  }),
  method: Type.Enum(['GET', 'POST', 'PATCH', 'DELETE'], { examples: ['POST'] }),
  url: Type.String({
    description: 'With the link’s token. What stands in braces is to be filled in.',
    examples: [
      '/api/documents/b6dd1f9e-6a53-4f0e-9f5c-0d7a3c1e2f4b/comments?share_token=5d41402abc4b2a76b9719d911017c592',
    ],
  }),
  summary: Type.String({ examples: ['Comment on a document, or reply'] }),
  body: Type.Optional(
    Type.Unknown({
      description: 'An example of the JSON to send, where the call takes some.',
      examples: [{ body: 'Is this the right word?' }],
    }),
  ),
})

/** What a link leads to, for programs. */
export const LinkedDocument = Type.Object({
  ...Document.properties,
  owner_name: nullable(Type.String({ description: 'Who shared it.', examples: ['Ada'] })),
  expires_at: NullableTimestamp('When the link stops working; null means never.', farOff),
  mcp: nullable(
    Type.String({
      description:
        'Where agents work on the document by the Model Context Protocol (Streamable HTTP) with nothing but this address; null where the link isn’t for agents.',
      examples: ['/share/5d41402abc4b2a76b9719d911017c592/mcp'],
    }),
  ),
  calls: Type.Array(LinkCall, { description: 'All that this link allows.' }),
})
export type LinkedDocument = Static<typeof LinkedDocument>
