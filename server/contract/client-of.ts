import type { routes, RouteName } from './routes.ts'
import type { BodyOf, DataOf, QueryOf } from './route.ts'
import type { ErrorCode } from './errors.ts'
import { placedHeader } from './placed.ts'

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
type DataByRoute = { [Name in RouteName]: DataOf<Routes[Name]> }

export interface CallOptions<Name extends RouteName> {
  params?: Record<string, string | number>
  query?: Partial<Record<keyof Queries[Name], string | number | undefined>>
  body?: Bodies[Name]
  ifMatch?: number
  /** A revision that whoever calls has already; where it is still the current one, `ApiError` with status 304. */
  ifNoneMatch?: number
  signal?: AbortSignal
  /** Let the request outlive the page (a save while the tab closes); the body must be under 64 KiB. */
  keepalive?: boolean
  /** Under which a POST is done once, however often it is made; one is made up where none is given. By a PATCH it tells who a guest is. */
  idempotencyKey?: string
  /** Told in which revision of the text the answer has its places, if it says so. */
  placedIn?: (revision: number) => void
}

/** Calls some routes of the API, all of them unless said otherwise. */
export interface ClientOf<Known extends RouteName = RouteName> {
  call<Name extends Known>(name: Name, options?: CallOptions<Name>): Promise<DataByRoute[Name]>
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

/** 128 random bits. `crypto.randomUUID` is only there on pages that came over a secure connection. */
export const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** A typed client of the routes in `table`: with few of them, a page needn't load the schemas of all. */
export function createClientOf<Known extends RouteName>(
  table: Record<Known, { method: string; url: string }>,
  { base = '', shareToken, fetch: ask = globalThis.fetch.bind(globalThis) }: ApiClientOptions = {},
): ClientOf<Known> {
  const url: ClientOf<Known>['url'] = (name, options = {}) => {
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

  /**
   * The keys of requests whose answer didn’t come: whoever makes such a request again, by pressing the button again,
   * means the same one.
   */
  const unanswered = new Map<string, string>()

  const call: ClientOf<Known>['call'] = async (name, options = {}) => {
    if (table[name].method !== 'POST') {
      const { idempotencyKey } = options
      return send(name, options, idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey })
    }
    const request = `${url(name, options)}\n${jsonOf(options.body)}`
    const key = options.idempotencyKey ?? unanswered.get(request) ?? newIdempotencyKey()
    try {
      const data = await send(name, options, { 'idempotency-key': key })
      unanswered.delete(request)
      return data
    } catch (error) {
      if (error instanceof ApiError && isAnswer(error)) unanswered.delete(request)
      else if (options.idempotencyKey === undefined) {
        unanswered.set(request, key)
        if (unanswered.size > mostUnanswered) unanswered.delete(unanswered.keys().next().value!)
      }
      throw error
    }
  }

  async function send<Name extends Known>(
    name: Name,
    options: CallOptions<Name>,
    headers: Record<string, string>,
  ): Promise<DataByRoute[Name]> {
    if (options.body !== undefined) headers['content-type'] = 'application/json'
    if (options.ifMatch !== undefined) headers['if-match'] = `"${options.ifMatch}"`
    if (options.ifNoneMatch !== undefined) headers['if-none-match'] = `"${options.ifNoneMatch}"`
    let response: Response
    try {
      response = await ask(url(name, options), {
        method: table[name].method,
        headers,
        credentials: 'same-origin',
        ...(options.body === undefined ? {} : { body: jsonOf(options.body) }),
        ...(options.signal ? { signal: options.signal } : {}),
        ...(options.keepalive ? { keepalive: true } : {}),
      })
    } catch (error) {
      if (options.signal?.aborted) throw error
      throw new ApiError('OFFLINE', 0, 'Galley can’t be reached right now.')
    }
    const data = await dataOf(response)
    const revision = response.headers.get(placedHeader)
    if (revision !== null) options.placedIn?.(Number(revision))
    return data as never
  }

  return { call, url }
}

/** A body as it is sent. */
function jsonOf(body: unknown): string {
  if (body === undefined) return ''
  const json = JSON.stringify(body)
  // Only half a character is written so.
  return json.includes('\\ud') ? JSON.stringify(whole(body)) : json
}

/**
 * Fields without half characters, which would have all of it refused: an emoji that another program has cut in two. What
 * is in a list, as the changes of a text are, is compared to the letter and stays.
 */
function whole(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, whole(one)]))
}

/** What an answer brings. Rejects with what it says went wrong, or that it isn’t Galley’s. */
async function dataOf(response: Response): Promise<unknown> {
  // A file comes without the envelope.
  if (response.ok && response.headers.has('content-disposition')) return await response.text()
  const body: unknown = await response.json().catch(() => null)
  return readEnvelope(body, response.status, response.headers.get('retry-after'))
}

/** What an answer's body brings. Throws what it says went wrong, or that it isn’t Galley’s. */
export function readEnvelope(body: unknown, status: number, retry: string | null): unknown {
  const envelope = asEnvelope(body, status)
  if (envelope === null) {
    throw new ApiError('BAD_ANSWER', status, 'The answer didn’t come from Galley.')
  }
  if (envelope.error) {
    const retryAfter = Number(retry)
    throw new ApiError(
      envelope.error.code,
      status,
      envelope.error.message,
      envelope.data,
      retryAfter > 0 ? retryAfter : null,
    )
  }
  return envelope.data
}

/** So many requests without an answer are remembered. */
const mostUnanswered = 8

/** Whether Galley itself has answered, so that it is known what became of the request. */
export const isAnswer = ({ code }: ApiError) => code !== 'OFFLINE' && code !== 'BAD_ANSWER'

interface Envelope {
  data: unknown
  error: { code: ErrorCode; message: string } | null
}

/** What came, if it is Galley’s: a tunnel, a proxy or a hotel’s sign-in page may answer in its place, in JSON too. */
function asEnvelope(value: unknown, status: number): Envelope | null {
  if (typeof value !== 'object' || value === null || !('data' in value) || !('error' in value)) return null
  const { error } = value as { error: unknown }
  if (error === null) return status >= 200 && status < 300 ? (value as Envelope) : null
  if (status < 400 || typeof error !== 'object') return null
  const { code, message } = error as Partial<Record<string, unknown>>
  return typeof code === 'string' && /^[A-Z_]+$/.test(code) && typeof message === 'string'
    ? (value as Envelope)
    : null
}
