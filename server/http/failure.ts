import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { explainError, keepsFromWriting } from '../actions/explained-errors.ts'
import { GalleyError, invalid, notFound } from '../contract/errors.ts'
import type { Document } from '../contract/records/documents.ts'
import { hasBody } from './body-size.ts'
import { etagOf } from './precondition.ts'
import type { Answers } from './answers.ts'
import { Packed } from './shared-answers.ts'
import { charactersIn, isLong, jsonBytes } from './slices.ts'
import type { WriteTrouble } from './write-trouble-log.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'

/** The one place where anything thrown becomes what the client is told. */
export function explainFailure(error: unknown): GalleyError {
  const refusal = explainError(error)
  if (refusal) return refusal
  const { code, statusCode } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new GalleyError('PAYLOAD_TOO_LARGE', 'The body is larger than allowed; nothing was changed.')
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH') return notFound('Page')
  // A folder among files: it is no page, and nobody's to list.
  if (statusCode === 403) return notFound('Page')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return invalid('The request could not be read.')
  return new GalleyError('INTERNAL_ERROR', 'Something went wrong in Galley. Nothing was changed.', {
    cause: error,
  })
}

/**
 * Answers with the envelope. Only faults of ours are logged, with their cause; what clients do wrong is not, and what
 * keeps everybody from writing is said once.
 */
export function sendFailure(
  error: unknown,
  reply: FastifyReply,
  log: FastifyBaseLogger,
  request?: FastifyRequest,
  { trouble, answers }: { trouble?: WriteTrouble; answers?: Answers } = {},
) {
  const failure = explainFailure(error)
  const facts = { method: request?.method, route: request?.routeOptions?.url }
  if (trouble && keepsFromWriting(failure.cause))
    trouble.refuse(failure.code, { cause: (failure.cause as { code: string }).code, ...facts })
  // Without a cause it is the document that is busy, not the database; or it is files that may take no more.
  else if (
    failure.status >= 500 &&
    (!['BUSY', 'STORAGE_FULL'].includes(failure.code) || isFault(failure.cause))
  ) {
    log.error({ err: withoutText(failure.cause), code: failure.code, ...facts }, 'request failed')
  }
  // Closed at once, the connection would break off a client that is still sending, and the answer with it: what is
  // left of the body is read and dropped instead, until the time for a request is up.
  if (failure.code === 'PAYLOAD_TOO_LARGE' && reply.raw.shouldKeepAlive) reply.removeHeader('connection')
  const answer = (body: string | Buffer) => {
    reply
      .code(failure.status)
      .headers({ ...headersOf(failure), 'content-type': 'application/json; charset=utf-8' })
    afterBody(reply, () => void reply.send(body))
  }
  if (!request || !answers || !isLong(failure.data)) return answer(envelopeOf(failure))
  packFailure(failure, request, answers).then(
    ({ bytes }) => answer(bytes),
    (refused: unknown) => sendFailure(refused, reply, log, request, { ...(trouble ? { trouble } : {}) }),
  )
}

/**
 * Makes a refusal that holds a long text, as long answers are made: in slices, once for all who are told the same, and
 * counted. Whoever may not read it any more when it is made doesn't.
 */
async function packFailure(
  failure: GalleyError,
  { task }: FastifyRequest,
  answers: Answers,
): Promise<Packed> {
  const link = task?.principal?.kind === 'link' ? task.principal.link.id : undefined
  const { content, ...rest } = failure.data as Partial<Document>
  const name = `refused ${failure.code} ${failure.message} ${JSON.stringify(rest)}`
  const make = async () => {
    const done = link === undefined ? undefined : answers.making(link, charactersIn(content))
    try {
      return new Packed({}, await jsonBytes(envelopeDataOf(failure)))
    } finally {
      done?.()
    }
  }
  const packed = await answers.shared(name, make)
  task?.authorize()
  return packed
}

/**
 * A client that asked for the connection to be closed has it closed with the answer. So that waits for the body. An
 * answer before it that leaves the connection open would say so, and the client might send its next request on it.
 */
function afterBody({ raw: response, request: { raw: request, headers } }: FastifyReply, answer: () => void) {
  if (response.shouldKeepAlive || request.readableEnded || !hasBody(headers)) return answer()
  request.once('end', answer)
  request.resume()
}

/** The headers that say what a failure says. */
export const headersOf = ({
  headers,
  retryAfter,
  allowances,
  revision,
}: GalleyError): Record<string, string> => ({
  ...headers,
  ...rateLimitHeaders(allowances),
  ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  ...(revision === undefined ? {} : { etag: etagOf(revision) }),
})

const envelopeDataOf = ({ data, message, code, field }: GalleyError) => ({
  data,
  error: { message, code, ...(field === undefined ? {} : { field }) },
})
export const envelopeOf = (failure: GalleyError) => JSON.stringify(envelopeDataOf(failure))

const isFault = (cause: unknown) => cause !== undefined && !keepsFromWriting(cause)

/** An error as it may be logged: where and what kind, but no message, which could quote a document. */
export function withoutText(error: unknown) {
  if (!(error instanceof Error)) return { type: typeof error }
  const frames = error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 12)
    .join('\n')
  return { type: error.name, code: (error as { code?: unknown }).code, stack: frames ?? '' }
}
