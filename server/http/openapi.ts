import type { TObject, TSchema } from 'typebox'
import { errorCatalogue, type ErrorCode } from '../contract/errors.ts'
import { bytes } from '../contract/figures.ts'
import { limits } from '../contract/limits.ts'
import { Settings, User } from '../contract/records/account.ts'
import { Anchor, NewAnchor, Range } from '../contract/records/anchors.ts'
import { Comment } from '../contract/records/comments.ts'
import { Document, Revision, SearchHit } from '../contract/records/documents.ts'
import { EventRecord } from '../contract/records/events.ts'
import { Id } from '../contract/records/fields.ts'
import { ApiKey, NewApiKey } from '../contract/records/keys.ts'
import { LinkedDocument } from '../contract/records/linked-documents.ts'
import { Heading, Located, Mark, RenderedDocument, RenderedPoint } from '../contract/records/rendering.ts'
import { ShareLink, ShareLinkSummary } from '../contract/records/share-links.ts'
import { Suggestion } from '../contract/records/suggestions.ts'
import { TrashedDocument, TrashedHit } from '../contract/records/trash.ts'
import { PastText, RevisionChanges, Version, VersionSummary } from '../contract/records/versions.ts'
import { placedHeader } from '../contract/placed.ts'
import { changes, isIdempotent, type Route, type Tag } from '../contract/route.ts'
import { allRoutes } from '../contract/routes.ts'
import { liveDocument, liveOwner } from '../contract/routes/live.ts'
import { introduction, linkIntroduction, tags } from './openapi-introduction.ts'

type Json = Record<string, unknown>

/** Records that are shown by name; wherever one of these very schemas is used, the document refers to it. */
const named: Record<string, TSchema> = {
  Document,
  LinkedDocument,
  SearchHit,
  TrashedHit,
  TrashedDocument,
  RenderedDocument,
  RenderedPoint,
  Heading,
  Mark,
  Located,
  VersionSummary,
  Version,
  PastText,
  RevisionChanges,
  ShareLink,
  ShareLinkSummary,
  Comment,
  Suggestion,
  Anchor,
  NewAnchor,
  Range,
  ApiKey,
  NewApiKey,
  User,
  Settings,
  Event: EventRecord,
}
const nameOf = new Map(Object.entries(named).map(([name, schema]) => [schema, name]))

/** A schema as plain JSON, with references to the named ones. */
function plain(schema: unknown, top = false): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  const name = nameOf.get(schema)
  if (name !== undefined && !top) return { $ref: `#/components/schemas/${name}` }
  if (Array.isArray(schema)) return schema.map((one) => plain(one))
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, plain(value)]))
}

/** The body that somebody may send: by a link, without what is the owner's. */
export function bodyFor({ body, notByLink }: Route, reader: Audience): TSchema | undefined {
  if (!body || !notByLink || reader === 'owner') return body
  const { properties, anyOf, ...rest } = body as TObject & { anyOf?: readonly { required: string[] }[] }
  const isLeft = (name: string) => !notByLink.includes(name)
  const choices = anyOf?.filter(({ required }) => required.every(isLeft)) ?? []
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isLeft(name))),
    // Of one thing that is left there is nothing to choose.
    ...(choices.length > 1 ? { anyOf: choices } : choices[0]),
  }
}

/** An example value of a schema, put together from the examples of its parts. */
export function exampleOf(schema: TSchema): unknown {
  const one = schema as Json
  if (Array.isArray(one['examples'])) return one['examples'][0] as unknown
  if ('const' in one) return one['const']
  if (Array.isArray(one['enum'])) return one['enum'][0] as unknown
  if (one['type'] === 'array') return [exampleOf(one['items'] as TSchema)]
  if (one['type'] === 'object') {
    return Object.fromEntries(
      Object.entries(one['properties'] as Record<string, TSchema>).map(([key, value]) => [
        key,
        exampleOf(value),
      ]),
    )
  }
  if (Array.isArray(one['anyOf'])) return exampleOf(one['anyOf'][0] as TSchema)
  if (one['type'] === 'boolean') return false
  return null
}

const errorSchema = (codes: readonly ErrorCode[], data: Json = { type: 'null' }) => ({
  type: 'object',
  required: ['data', 'error'],
  properties: {
    data,
    error: {
      type: 'object',
      required: ['message', 'code'],
      properties: {
        message: { type: 'string', description: 'For people; may change.' },
        code: { type: 'string', enum: codes, description: 'Stable; for programs.' },
        ...(codes.includes('VALIDATION_ERROR') && {
          field: {
            type: 'string',
            description:
              'The field of the body or the parameter that is at fault, where it is one; with dots between what is inside of what, such as `anchor.start`.',
          },
        }),
      },
    },
  },
})

/** Every code a route can answer with. */
function errorsOf(route: Route): Set<ErrorCode> {
  const codes = new Set<ErrorCode>(route.errors)
  // A body that isn't JSON is invalid even where the route reads none.
  if (route.method !== 'GET') codes.add('VALIDATION_ERROR').add('PAYLOAD_TOO_LARGE')
  codes.add('FORBIDDEN').add('RATE_LIMITED').add('INTERNAL_ERROR').add('DB_ERROR')
  if (route.about !== 'sign-in') codes.add('UNAUTHORIZED')
  if (changes(route)) codes.add('STORAGE_FULL').add('BUSY')
  if (isIdempotent(route)) codes.add('ALREADY_DONE')
  if (route.url.includes('/:')) codes.add('NOT_FOUND')
  return codes
}

function responses(route: Route): Json {
  const ok = route.file
    ? { content: Object.fromEntries(route.file.map((type) => [type, { schema: plain(route.data) }])) }
    : {
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['data', 'error'],
              properties: { data: plain(route.data), error: { type: 'null' } },
            },
            example: { data: exampleOf(route.data), error: null },
          },
        },
      }
  const told: Json = {
    ...(route.etag && {
      ETag: { description: 'The revision, in quotes.', schema: { type: 'string', examples: ['"1"'] } },
    }),
    ...(route.placed && {
      [placedHeader]: {
        description: 'The revision of the text in which each `range` counts.',
        schema: { type: 'integer', examples: [1] },
      },
    }),
  }
  const headers = Object.keys(told).length > 0 ? { headers: told } : {}
  const result: Json = {
    [route.status]: { description: route.status === 201 ? 'Created.' : 'Done.', ...headers, ...ok },
  }
  if (route.headers?.['If-None-Match'] !== undefined)
    result['304'] = { description: 'Not changed since that `ETag`.' }
  return { ...result, ...failuresOf(errorsOf(route)) }
}

/** What goes wrong, by status. */
function failuresOf(codesThere: Iterable<ErrorCode>): Json {
  const result: Json = {}
  const byStatus = Map.groupBy(codesThere, (code) => errorCatalogue[code].status)
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    const data = dataOf(status)
    result[status] = {
      description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].meaning}`).join('\n\n'),
      ...(status === 429
        ? {
            headers: {
              'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', examples: [42] } },
              RateLimit: {
                description:
                  'Which limit it is, what is left of it, and in how many seconds it is whole again.',
                schema: { type: 'string', examples: ['"changes";r=0;t=42'] },
              },
            },
          }
        : {}),
      content: {
        'application/json': {
          schema: errorSchema(codes, data?.schema),
          example: {
            data: data?.example ?? null,
            error: {
              message: status === 401 ? 'Unauthorized' : errorCatalogue[codes[0]!].meaning,
              code: codes[0],
            },
          },
        },
      },
    }
  }
  return result
}

/** What an error carries, beside what it says. */
function dataOf(status: number): { schema: Json; example: unknown } | undefined {
  if (status === 412)
    return { schema: { $ref: '#/components/schemas/Document' }, example: exampleOf(Document) }
  if (status === 410)
    return { schema: { type: 'integer', description: 'The oldest event’s number.' }, example: 1201 }
  return undefined
}

const parameterText: Record<string, string> = {
  comment_id: 'The comment’s id.',
  suggestion_id: 'The suggestion’s id.',
  link_id: 'The link’s id.',
  delivery_id: 'The delivery’s id.',
  revision: 'The revision; of a version, the one that it ended at.',
}
/** What `:id` is of, under headings that aren’t about documents. */
const idText: Partial<Record<Tag, string>> = {
  'API keys': 'The key’s id.',
  Webhooks: 'The webhook’s id.',
}

const idempotencyKey: Json = {
  ...{ type: 'string', minLength: 16, maxLength: 255 },
  examples: ['5b0c6f1e-9f6a-4f0e-8a53-0d6f3c1b2a77'],
}

function parameters(route: Route): Json[] {
  const path = [...route.url.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: parameterText[name!] ?? idText[route.tag] ?? 'The document’s id.',
    schema: name === 'revision' ? plain(Revision) : plain(Id),
  }))
  const query = Object.entries(route.query?.properties ?? {}).map(([name, schema]) => {
    const { description, ...rest } = plain(schema) as Json
    return {
      name,
      in: 'query',
      required: (route.query?.required ?? []).includes(name as never),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    }
  })
  const headers = Object.entries(route.headers ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', examples: [name === 'Last-Event-ID' ? '1200' : '"1"'] },
  }))
  const idempotency = isIdempotent(route)
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description: `A random name for this request, such as a UUID. Made again with the same name within ${limits.idempotencyAnswerHours} hours, because its answer got lost, it does nothing twice: it is answered as it was, with \`Idempotency-Replayed: true\`. After that, until it is ${limits.idempotencyDays} days old, it is refused with \`ALREADY_DONE\`, and at once where the answer was to a guest and longer than ${bytes(limits.guestAnswerBytes)}, or their link’s answers of the day more than ${bytes(limits.guestAnswersBytes)}.`,
          schema: idempotencyKey,
        },
      ]
    : route.meetsGuests
      ? [
          {
            ...{ name: 'Idempotency-Key', in: 'header', required: false },
            description:
              'A random name by which a guest who has no cookie yet is known again: whoever asks again with it, because the answer got lost, is the same guest, and nothing is done twice. It has to be a random UUID (version 4) or 32 random hexadecimal digits; by another one nobody is known again.',
            schema: idempotencyKey,
          },
        ]
      : []
  return [...path, ...query, ...headers, ...idempotency]
}

/** Whom a description is for: whoever reaches the owner's listener, or those who have nothing but a link. */
type Audience = 'owner' | 'link'

function operation(route: Route, reader: Audience): Json {
  const body = bodyFor(route, reader)
  const byLink = route.share ? [{ shareToken: [] }, { shareTokenHeader: [] }] : []
  const security =
    route.about === 'sign-in' ? [] : reader === 'link' ? byLink : [{ apiKey: [] }, { session: [] }, ...byLink]
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    security,
    parameters: parameters(route),
    ...(route.bytes
      ? {
          requestBody: {
            required: true,
            content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
          },
        }
      : {}),
    ...(body
      ? {
          requestBody: {
            required: route.bodyOptional !== true,
            content: { 'application/json': { schema: plain(body), example: exampleOf(body) } },
          },
        }
      : {}),
    responses: responses(route),
  }
}

/** The routes and the live connections as paths. */
function pathsOf(
  routes: readonly Route[],
  connections: readonly Route[],
  reader: Audience,
): Record<string, Json> {
  const paths: Record<string, Json> = {}
  const pathOf = (route: Route) => route.url.replace(/:(\w+)/g, '{$1}')
  for (const route of routes)
    (paths[pathOf(route)] ??= {})[route.method.toLowerCase()] = operation(route, reader)
  for (const route of connections) {
    const { responses, ...rest } = operation(route, reader) as { responses: Record<string, unknown> }
    delete responses['200']
    const upgraded = { description: 'A WebSocket connection from here on.' }
    paths[pathOf(route)] = { get: { ...rest, responses: { 101: upgraded, ...responses } } }
  }
  return { ...paths, ...descriptionPaths }
}

const refused = {
  description: `\`FORBIDDEN\`: ${errorCatalogue.FORBIDDEN.meaning}`,
  content: { 'application/json': { schema: errorSchema(['FORBIDDEN']) } },
}

/** What is reached without credentials, or by a link's own address, and so is no route of the contract. */
const descriptionPaths: Record<string, Json> = {
  '/share/{token}': {
    get: {
      operationId: 'openLink',
      tags: ['Share links'],
      summary: 'Open a share link',
      description:
        'A page for people, unless `Accept` prefers `text/markdown`, which is the text exactly as it stands, or `application/json`, which is the document and every call that the link allows, in the envelope. The page’s `Link` header leads there. Links that are unknown, expired or revoked are all answered alike: 404.',
      security: [],
      parameters: [
        {
          name: 'token',
          in: 'path',
          required: true,
          description: 'The link’s token.',
          schema: { type: 'string', examples: ['5d41402abc4b2a76b9719d911017c592'] },
        },
      ],
      responses: {
        200: {
          description: 'Done.',
          content: {
            'text/html': { schema: { type: 'string' } },
            'text/markdown': { schema: { type: 'string' } },
            'application/json': {
              schema: {
                type: 'object',
                required: ['data', 'error'],
                properties: { data: plain(LinkedDocument), error: { type: 'null' } },
              },
              example: { data: exampleOf(LinkedDocument), error: null },
            },
          },
        },
        ...failuresOf(['FORBIDDEN', 'NOT_FOUND', 'RATE_LIMITED', 'INTERNAL_ERROR']),
      },
    },
  },
  '/llms.txt': {
    get: {
      operationId: 'getInstructions',
      tags: ['Account'],
      summary: 'What agents need to know',
      description: 'How to read a link and what can be done with it, in markdown.',
      security: [],
      responses: {
        200: { description: 'Done.', content: { 'text/markdown': { schema: { type: 'string' } } } },
        403: refused,
      },
    },
  },
  '/api/openapi.json': {
    get: {
      operationId: 'getOpenApi',
      tags: ['Account'],
      summary: 'This description',
      description: 'The OpenAPI document itself, without the envelope.',
      security: [],
      responses: {
        200: {
          description: 'Done.',
          content: { 'application/json': { schema: { type: 'object' }, example: { openapi: '3.1.0' } } },
        },
        403: refused,
      },
    },
  },
}

const shareTokenScheme = {
  shareToken: {
    type: 'apiKey',
    in: 'query',
    name: 'share_token',
    description: 'The token of a share link.',
  },
  shareTokenHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'Galley-Share-Token',
    description:
      'The same in a header, which proxies don’t log. Both may be there only if they are the same.',
  },
}

/** The whole API as an OpenAPI 3.1 document, made from the contract that the routes are registered from. */
export function openApiDocument(version = '0.0.0', sessionCookie = 'galley_session'): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Galley',
      version,
      summary: 'Markdown documents, share links, comments and suggestions.',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The address Galley prints when it starts.' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: pathsOf(allRoutes, [liveDocument, liveOwner], 'owner'),
    components: {
      schemas: namedSchemas(),
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `Authorization: Bearer gally_…`.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookie,
          description: 'A signed-in browser.',
        },
        ...shareTokenScheme,
      },
    },
  }
}

/** The part of the API that a link may use. It says nothing of whose Galley this is, nor of which version. */
export function linkApiDocument(): object {
  const routes = allRoutes.filter((route) => route.share)
  const paths = pathsOf(routes, [liveDocument], 'link')
  const used = new Set(['Account', ...[...routes, liveDocument].map(({ tag }) => tag), 'Share links'])
  return {
    openapi: '3.1.0',
    info: {
      title: 'A document shared with Galley',
      version: '1',
      summary: 'What can be done with a share link.',
      description: linkIntroduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The address that the link is at.' }],
    tags: Object.entries(tags).flatMap(([name, description]) =>
      used.has(name) ? { name, description } : [],
    ),
    paths,
    components: { schemas: referredIn(paths, namedSchemas()), securitySchemes: shareTokenScheme },
  }
}

const namedSchemas = () =>
  Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, plain(schema, true)]))

/** Those of the schemas that something refers to, or one that it refers to. */
function referredIn(described: unknown, schemas: Readonly<Record<string, unknown>>): Json {
  const referred: Json = {}
  const look = (one: unknown) => {
    for (const [, name] of JSON.stringify(one).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (name! in referred) continue
      referred[name!] = schemas[name!]
      look(schemas[name!])
    }
  }
  look(described)
  return referred
}
