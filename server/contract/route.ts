import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'

export type Tag =
  | 'Documents'
  | 'Trash'
  | 'Versions'
  | 'Share links'
  | 'Guests'
  | 'Rounds'
  | 'Files'
  | 'Comments'
  | 'Suggestions'
  | 'API keys'
  | 'Account'
  | 'Events'
  | 'Webhooks'
  | 'Tunnel'
  | 'Server'
  | 'Live'

/**
 * What a route is about, and so what its handler is given: one document, which `:id` names; the account that asks; the
 * machine that Galley runs on; or a browser's session, which is there already or is about to begin.
 */
export type About = 'document' | 'account' | 'machine' | 'session' | 'sign-in'

/** One route of the API: registration, validation, types and the OpenAPI document all come from this. */
export interface Route<Query = unknown, Body = unknown, Data = unknown, Subject extends About = About> {
  about: Subject
  operationId: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path with `:name` parameters. */
  url: string
  tag: Tag
  summary: string
  description: string
  /** Whether a share token may make the call, and so whether the share listener serves it. */
  share: boolean
  /** Whether a share token is told there, too, that the call is the document’s owner’s, instead of that there is nothing. */
  refusesLinks?: true
  /** Whether a read-only API key may make the call although it isn’t a GET. */
  reads?: true
  /** Whether what it does is kept outside the database, so that no answer can be kept together with it. */
  outsideDatabase?: true
  /** Whether doing it again changes nothing more. */
  repeatable?: true
  /** Whether it takes the record away from its path, so that the same request is 404 afterwards, and nothing twice. */
  movesAway?: true
  /**
   * Whether a guest may first be met here, and doing it again changes nothing more only as long as it is by the same
   * guest: an `Idempotency-Key` then says that it is.
   */
  meetsGuests?: true
  /** Whether the answer is a document, whose revision is its `ETag`. */
  etag?: true
  /** Whether the answer has places in a text, whose revision is told in `placedHeader`. */
  placed?: true
  query?: TObject
  body?: TObject
  /** Whether the body may be left out, as if none of its fields were sent. */
  bodyOptional?: true
  /** Fields of the body that whoever has come by a link may not send. */
  notByLink?: readonly string[]
  /** Whether the body is the bytes of a file, of any type, instead of JSON. */
  bytes?: true
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

type Unnamed<Query = unknown, Body = unknown, Data = unknown, Subject extends About = About> = Omit<
  Route<Query, Body, Data, Subject>,
  'operationId' | 'tag'
>

/** Unless it says otherwise, a route isn't for share tokens, answers 200, and has no codes of its own. */
export const defineRoute = <
  Data extends TSchema,
  Query extends TObject | undefined = undefined,
  Body extends TObject | undefined = undefined,
  const Subject extends About = About,
>(
  route: Omit<Unnamed, 'about' | 'query' | 'body' | 'data' | 'types' | 'share' | 'status' | 'errors'> &
    Partial<Pick<Route, 'share' | 'status' | 'errors'>> & {
      about: Subject
      query?: Query
      body?: Body
      data: Data
    },
) =>
  ({ share: false, status: 200, errors: [], ...route }) as Unnamed<Of<Query>, Of<Body>, Static<Data>, Subject>

/** Routes under one heading, each called as its entry is. */
export const defineRoutes = <Routes extends Record<string, Unnamed>>(tag: Tag, routes: Routes) =>
  Object.fromEntries(
    Object.entries(routes).map(([operationId, route]) => [operationId, { operationId, tag, ...route }]),
  ) as { [Name in keyof Routes]: Routes[Name] & Pick<Route, 'operationId' | 'tag'> }

export type QueryOf<R> = R extends Route<infer Query> ? Query : never
export type BodyOf<R> = R extends Route<infer _Query, infer Body> ? Body : never
export type DataOf<R> = R extends Route<infer _Query, infer _Body, infer Data> ? Data : never
