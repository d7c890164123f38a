import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { KeyKind } from '../records/authors.ts'
import { ApiKey, KeyAccess, keyAccessWords, NewApiKey } from '../records/keys.ts'
import { defineRoute, defineRoutes } from '../route.ts'
import { closed, Deleted, expiry } from './parts.ts'

export const keyRoutes = defineRoutes('API keys', {
  listKeys: defineRoute({
    about: 'account',
    method: 'GET',
    url: '/api/keys',
    summary: 'List your API keys',
    description: 'The newest first, without the keys themselves.',
    data: Type.Array(ApiKey),
  }),
  createKey: defineRoute({
    about: 'account',
    method: 'POST',
    url: '/api/keys',
    summary: 'Create an API key',
    description:
      'The answer holds the key itself, this once; only a SHA-256 digest of it is stored. A field that isn’t listed is refused, so that a misspelt one doesn’t make a key that may more.',
    body: Type.Object(
      {
        name: Type.String({
          minLength: 1,
          pattern: '\\S',
          description: `1 to ${limits.keyNameLength} characters after trimming, on one line, without control characters.`,
          examples: ['Nightly backup'],
        }),
        kind: Type.Optional(Type.Enum([...KeyKind.enum], { ...KeyKind, default: 'script' })),
        access: Type.Optional(
          Type.Enum([...KeyAccess.enum], {
            ...KeyAccess,
            description: `${keyAccessWords} Where it isn’t said: \`suggest\` for an agent’s key, and \`full\` for a script’s, or \`manage\` where it has chosen documents, which can’t be \`full\`.`,
          }),
        ),
        documents: Type.Optional(
          Type.Union(
            [
              Type.Array(Type.String({ examples: ['3f0c2a4e-8a55-4b0c-9d36-5a2f6c1e7b90'] }), {
                minItems: 1,
                maxItems: limits.keyDocuments,
              }),
              Type.Null(),
            ],
            {
              description: `The ids of the only documents that it is for, at most ${limits.keyDocuments}; null: all there are and will be.`,
              examples: [null],
            },
          ),
        ),
        expires_at: expiry('When the key stops working; in the future.'),
      },
      closed,
    ),
    status: 201,
    data: NewApiKey,
    errors: ['VALIDATION_ERROR'],
  }),
  deleteKey: defineRoute({
    about: 'account',
    method: 'DELETE',
    url: '/api/keys/:id',
    summary: 'Delete an API key',
    description: 'From then on it is refused.',
    data: Deleted,
  }),
})
