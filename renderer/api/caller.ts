import type { routes, RouteName } from '../../server/contract/routes.ts'
import type { BodyOf, DataOf, QueryOf } from '../../server/contract/route.ts'
import type { ErrorCode } from '../../server/contract/errors.ts'

/** `OFFLINE`: no answer came at all. `BAD_ANSWER`: something other than Galley answered. */
export type ApiErrorCode = ErrorCode | 'OFFLINE' | 'BAD_ANSWER'

/** A refused or failed call. `message` is fit to show to a person; `data` is the envelope's (a 412 carries the current document). */
export class ApiError extends Error {
  readonly code: ApiErrorCode
  readonly status: number
  readonly data: unknown
  /** Seconds after which trying again makes sense; null where the server didn’t say. */
  readonly retryAfter: number | null

  constructor(
    code: ApiErrorCode,
    status: number,
    message: string,
    data: unknown = null,
    retryAfter: number | null = null,
  ) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.status = status
    this.data = data
    this.retryAfter = retryAfter
  }
}

// By name, so that each type is worked out once: as conditional types over `Name` they cost the type checker seconds.
type Routes = typeof routes
type Queries = { [Name in RouteName]: NonNullable<QueryOf<Routes[Name]>> }
type Bodies = { [Name in RouteName]: BodyOf<Routes[Name]> }
type Answers = { [Name in RouteName]: DataOf<Routes[Name]> }

export interface CallOptions<Name extends RouteName> {
  params?: Record<string, string | number>
  query?: Partial<Record<keyof Queries[Name], string | number | undefined>>
  body?: Bodies[Name]
  ifMatch?: number
  /** A revision the caller has already; where it is still the current one, `ApiError` with status 304. */
  ifNoneMatch?: number
  signal?: AbortSignal
  /** Let the request outlive the page (a save while the tab closes); the body must be under 64 KiB. */
  keepalive?: boolean
}

/** Calls some routes of the API, all of them unless said otherwise. */
export interface ApiClient<Known extends RouteName = RouteName> {
  call<Name extends Known>(name: Name, options?: CallOptions<Name>): Promise<Answers[Name]>
  /** The URL of a route, for links and downloads. */
  url<Name extends Known>(name: Name, options?: CallOptions<Name>): string
}

export interface ApiClientOptions {
  /** The prefix before `/api`; empty for the page's own origin. */
  base?: string
  /** Added to every call. */
  shareToken?: string
  fetch?: typeof fetch
}

/** A typed client of the routes in `table`: with few of them, a page needn't load the schemas of all. */
export function createCaller<Known extends RouteName>(
  table: Record<Known, { method: string; url: string }>,
  { base = '', shareToken, fetch: send = globalThis.fetch.bind(globalThis) }: ApiClientOptions = {},
): ApiClient<Known> {
  const url: ApiClient<Known>['url'] = (name, options = {}) => {
    const path = table[name].url.replace(/:(\w+)/g, (_, key: string) =>
      encodeURIComponent(String(options.params?.[key])),
    )
    const query = new URLSearchParams()
    for (const [key, value] of Object.entries(options.query ?? {})) {
      if (value !== undefined) query.set(key, String(value))
    }
    if (shareToken !== undefined) query.set('share_token', shareToken)
    const search = query.toString()
    return `${base}${path}${search && `?${search}`}`
  }

  const call: ApiClient<Known>['call'] = async (name, options = {}) => {
    const headers: Record<string, string> = {}
    if (options.body !== undefined) headers['content-type'] = 'application/json'
    if (options.ifMatch !== undefined) headers['if-match'] = `"${options.ifMatch}"`
    if (options.ifNoneMatch !== undefined) headers['if-none-match'] = `"${options.ifNoneMatch}"`
    let response: Response
    try {
      response = await send(url(name, options), {
        method: table[name].method,
        headers,
        credentials: 'same-origin',
        ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
        ...(options.signal ? { signal: options.signal } : {}),
        ...(options.keepalive ? { keepalive: true } : {}),
      })
    } catch (error) {
      if (options.signal?.aborted) throw error
      throw new ApiError('OFFLINE', 0, 'Galley can’t be reached right now.')
    }
    // A file comes without the envelope.
    if (response.ok && response.headers.has('content-disposition')) return (await response.text()) as never
    const envelope = (await response.json().catch(() => null)) as {
      data: unknown
      error: { code: ErrorCode; message: string } | null
    } | null
    if (envelope === null || typeof envelope !== 'object' || !('error' in envelope)) {
      throw new ApiError('BAD_ANSWER', response.status, 'The answer didn’t come from Galley.')
    }
    if (envelope.error) {
      const retryAfter = Number(response.headers.get('retry-after'))
      throw new ApiError(
        envelope.error.code,
        response.status,
        envelope.error.message,
        envelope.data,
        retryAfter > 0 ? retryAfter : null,
      )
    }
    return envelope.data as never
  }

  return { call, url }
}
