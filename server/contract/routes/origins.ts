import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { defineRoute, defineRoutes } from '../route.ts'

export const AllowedOrigins = Type.Object({
  origins: Type.Array(
    Type.String({ minLength: 1, maxLength: 300, examples: ['https://tools.example.org'] }),
    {
      maxItems: limits.allowedOrigins,
      description:
        'Each as browsers send it: scheme, host and port, without a path. No wildcard and no `null`.',
    },
  ),
})

export const originRoutes = defineRoutes('Server', {
  getOrigins: defineRoute({
    about: 'machine',
    method: 'GET',
    url: '/api/origins',
    summary: 'List the web pages that may call the API',
    description:
      'By their origins. Pages from there may make calls with an API key (CORS), and read the answers; cookies never count for them. Others can’t.',
    data: AllowedOrigins,
  }),
  updateOrigins: defineRoute({
    about: 'machine',
    method: 'PATCH',
    url: '/api/origins',
    summary: 'Say which web pages may call the API',
    description: 'The whole list, in place of the one there was. Only for the user this machine belongs to.',
    body: AllowedOrigins,
    data: AllowedOrigins,
    errors: ['VALIDATION_ERROR'],
  }),
})
