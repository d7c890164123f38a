/**
 * Every error a client can be told about: its stable code, its HTTP status and what it means.
 * The domain and the routes throw `GalleyError`; one handler turns it into the envelope. Anything else that is
 * thrown is a bug and leaves the process only as `INTERNAL_ERROR`.
 */
export const errorCatalogue = {
  VALIDATION_ERROR: {
    status: 400,
    meaning: 'A field or query parameter is missing, malformed or out of bounds.',
  },
  ALREADY_RESOLVED: { status: 400, meaning: 'The suggestion has already been accepted or rejected.' },
  UNAUTHORIZED: {
    status: 401,
    meaning: 'No credentials, or credentials that are malformed, expired, revoked or deleted.',
  },
  FORBIDDEN: {
    status: 403,
    meaning:
      'It is known who asks, but they may not do this, the host name is not one that is served here, or a request with a body lacks `Content-Type: application/json`.',
  },
  NOT_FOUND: {
    status: 404,
    meaning: 'The resource does not exist, was deleted, or is not visible to whoever asks.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: 'The path exists, but not with this method; see the `Allow` header.',
  },
  ALREADY_DONE: {
    status: 409,
    meaning:
      'A request with this `Idempotency-Key` was done before, and its answer is not kept: it is more than a day old, or a guest’s and long, or one of very many. It isn’t done again.',
  },
  TEXT_NOT_FOUND: { status: 409, meaning: 'The suggestion’s `original_text` is no longer in the document.' },
  CHANGED_SINCE: {
    status: 409,
    meaning:
      'The suggestion’s author has changed its words or its place since it was seen, by the `edited_at` that was sent. Nothing was done.',
  },
  GONE: {
    status: 410,
    meaning:
      'Events from `since` on are no longer all kept. `data` holds the number of the oldest one that is; what has become of everything has to be asked for anew.',
  },
  PRECONDITION_FAILED: {
    status: 412,
    meaning:
      'The document has changed since the revision named in `If-Match`, or that a change was made on. `data` holds the current document.',
  },
  PAYLOAD_TOO_LARGE: { status: 413, meaning: 'The body, or the text in it, is larger than the limit.' },
  UNSUPPORTED_TYPE: {
    status: 415,
    meaning:
      'The bytes of a file aren’t the picture that they are said to be, or one that no browser could show.',
  },
  RATE_LIMITED: { status: 429, meaning: 'Too many attempts; wait for the seconds in `Retry-After`.' },
  STORAGE_FULL: {
    status: 507,
    meaning:
      'There is no room left on the disk that holds the documents, or for another file in what the settings let all files take (`files_gigabytes`). Nothing was changed; reading goes on, and writing works again by itself once there is room.',
  },
  BUSY: {
    status: 503,
    meaning:
      'The change can’t be committed now, because another program is writing, or because the document changes faster than this could be worked out; or the search takes too long now. Nothing was changed; try again after the seconds in `Retry-After`.',
  },
  INTERNAL_ERROR: {
    status: 500,
    meaning: 'A fault of the server. Nothing was changed, unless the message says so.',
  },
  DB_ERROR: {
    status: 500,
    meaning: 'The database failed unexpectedly. Nothing was changed; trying again may help.',
  },
} as const

export type ErrorCode = keyof typeof errorCatalogue

/** What is left of a limit. */
export interface Allowance {
  name: string
  /** So many within so many seconds. */
  quota: number
  seconds: number
  left: number
  /** In so many seconds it is whole again. */
  resets: number
}

interface Extras {
  /** Sent as the envelope's `data` (a 412 carries the current document, a 410 the oldest event's number). */
  data?: unknown
  /** Seconds after which it may work. */
  retryAfter?: number
  /** What is left of the limits that refuse it. */
  allowances?: readonly Allowance[]
  /** Of the document in `data`. */
  revision?: number
  /** Extra response headers, such as `Allow`. */
  headers?: Record<string, string>
  /** The field or parameter that is at fault, with dots between what is inside of what: `anchor.start`. */
  field?: string | undefined
  /** The raw reason, for the log only. */
  cause?: unknown
}

/** An error whose message is meant for the person who made the request. */
export class GalleyError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly data: unknown
  readonly retryAfter: number | undefined
  readonly allowances: readonly Allowance[]
  readonly revision: number | undefined
  readonly headers: Record<string, string>
  readonly field: string | undefined

  constructor(code: ErrorCode, message: string, extras: Extras = {}) {
    super(message, { cause: extras.cause })
    this.name = 'GalleyError'
    this.code = code
    this.status = errorCatalogue[code].status
    this.data = extras.data ?? null
    this.retryAfter = extras.retryAfter
    this.allowances = extras.allowances ?? []
    this.revision = extras.revision
    this.headers = extras.headers ?? {}
    this.field = extras.field
  }
}

/** The only message that goes with 401: it tells nobody which part of a credential was wrong. */
export const unauthorized = () => new GalleyError('UNAUTHORIZED', 'Unauthorized')
export const notFound = (what: string) => new GalleyError('NOT_FOUND', `${what} not found`)
export const forbidden = (message: string) => new GalleyError('FORBIDDEN', message)
/** @param field which is at fault, where it is one */
export const invalid = (message: string, field?: string) =>
  new GalleyError('VALIDATION_ERROR', message, { field })
