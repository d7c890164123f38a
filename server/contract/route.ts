import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'

/** What a caller does to a document or to the account. Access is decided per action, in `domain/access.ts`. */
export type Action =
  | 'document.read'
  | 'document.list'
  | 'document.create'
  | 'document.edit'
  | 'document.rename'
  | 'document.delete'
  | 'trash.read'
  | 'trash.manage'
  | 'comment.list'
  | 'comment.create'
  | 'suggestion.list'
  | 'suggestion.create'
  | 'suggestion.resolve'
  | 'feedback.see'
  | 'share.list'
  | 'share.manage'
  | 'version.read'
  | 'version.restore'
  | 'key.list'
  | 'key.manage'
  | 'export'
  | 'markdown.render'
  | 'account.read'
  | 'account.manage'
  | 'tunnel.read'
  | 'tunnel.manage'

export type Tag =
  | 'Documents'
  | 'Trash'
  | 'Versions'
  | 'Share links'
  | 'Comments'
  | 'Suggestions'
  | 'API keys'
  | 'Account'
  | 'Tunnel'
  | 'Server'
  | 'Live'

/**
 * One route of the API: registration, validation, types, access and the OpenAPI document all come from this.
 * `action` null marks the few routes that need no credentials.
 */
export interface Route<Query = unknown, Body = unknown, Data = unknown> {
  operationId: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path with `:name` parameters. A `:id` below `/api/documents` names the document that access is decided on. */
  url: string
  tag: Tag
  summary: string
  description: string
  action: Action | null
  /** Whether a share token may make the call, and so whether the share listener serves it. */
  share: boolean
  /** Whether a read-only API key may make the call although it isn’t a GET. */
  reads?: true
  /** Whether what it does is kept outside the database, so that no answer can be kept together with it. */
  outsideDatabase?: true
  /** Whether doing it again changes nothing more. */
  repeatable?: true
  /** Whether it finds words in the text for the one who asks, which guests may do only so often. */
  locates?: true
  /** Whether it takes the record away from its path, so that the same request is 404 afterwards, and nothing twice. */
  movesAway?: true
  /** Whether the answer needs the document’s text, so that it is read together with what decides access. */
  readsText?: true
  query?: TObject
  body?: TObject
  /** Largest body in bytes; `limits.bodyBytes` where absent. */
  bodyLimit?: number
  status: 200 | 201
  data: TSchema
  /** The codes beyond those every route can give. */
  errors: readonly ErrorCode[]
  /** Request headers that mean something here. */
  headers?: Readonly<Record<string, string>>
  /** Set where success isn’t the envelope but a file of one of these media types. */
  file?: readonly string[]
  /** Never there. What the schemas allow, worked out once: from the schemas it takes the type checker long. */
  types?: { query: Query; body: Body; data: Data }
}

/** Whether a route changes anything. */
export const changes = (route: Pick<Route, 'method' | 'reads'>) => route.method !== 'GET' && !route.reads

/** Whether a route does at most once what comes with an `Idempotency-Key`. Those that change nothing, or nothing more, needn't. */
export const isIdempotent = (
  route: Pick<Route, 'method' | 'reads' | 'outsideDatabase' | 'movesAway' | 'repeatable'>,
) =>
  route.method === 'POST' &&
  route.reads !== true &&
  route.outsideDatabase !== true &&
  route.movesAway !== true &&
  route.repeatable !== true

type Of<Schema> = Schema extends TSchema ? Static<Schema> : undefined

export const defineRoute = <
  Data extends TSchema,
  Query extends TObject | undefined = undefined,
  Body extends TObject | undefined = undefined,
>(
  route: Omit<Route, 'query' | 'body' | 'data' | 'types'> & { query?: Query; body?: Body; data: Data },
): Route<Of<Query>, Of<Body>, Static<Data>> => route as Route<Of<Query>, Of<Body>, Static<Data>>

export type QueryOf<R> = R extends Route<infer Query> ? Query : never
export type BodyOf<R> = R extends Route<infer _Query, infer Body> ? Body : never
export type DataOf<R> = R extends Route<infer _Query, infer _Body, infer Data> ? Data : never
