import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { ApiKey, KeyAccess, NewApiKey } from '../records.ts'
import { defineRoute } from '../route.ts'
import { Deleted, expiry } from './parts.ts'

export const keyRoutes = {
  listKeys: defineRoute({
    operationId: 'listKeys',
    about: 'account',
    method: 'GET',
    url: '/api/keys',
    tag: 'API keys',
    summary: 'List your API keys',
    description: 'The newest first, without the keys themselves.',
    share: false,
    status: 200,
    data: Type.Array(ApiKey),
    errors: [],
  }),
  createKey: defineRoute({
    operationId: 'createKey',
    about: 'account',
    method: 'POST',
    url: '/api/keys',
    tag: 'API keys',
    summary: 'Create an API key',
    description: 'The answer holds the key itself, this once; only a SHA-256 digest of it is stored.',
    share: false,
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
    operationId: 'deleteKey',
    about: 'account',
    method: 'DELETE',
    url: '/api/keys/:id',
    tag: 'API keys',
    summary: 'Delete an API key',
    description: 'From then on it is refused.',
    share: false,
    status: 200,
    data: Deleted,
    errors: [],
  }),
}
