import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { ApiKey, KeyAccess, NewApiKey } from '../records/keys.ts'
import { defineRoute, defineRoutes } from '../route.ts'
import { Deleted, expiry } from './parts.ts'

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
    description: 'The answer holds the key itself, this once; only a SHA-256 digest of it is stored.',
    body: Type.Object({
      name: Type.String({
        minLength: 1,
        pattern: '\\S',
        description: `1 to ${limits.keyNameLength} characters after trimming.`,
        examples: ['Nightly backup'],
      }),
      access: Type.Optional(Type.Enum(['full', 'read'], { ...KeyAccess, default: 'full' })),
      expires_at: expiry('When the key stops working; in the future.'),
    }),
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
