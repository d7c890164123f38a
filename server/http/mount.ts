import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import type { Route, BodyOf, DataOf, QueryOf } from '../contract/route.ts'
import { unauthorized } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import type { DocumentHead, DocumentRow } from '../store/documents.ts'
import { admit, type Admitted, type Guard } from './admission.ts'
import type { Caller, Credentials } from './caller.ts'
import type { Context } from './context.ts'

export interface Call<R> {
  context: Context
  query: QueryOf<R>
  body: BodyOf<R>
  params: Record<string, string>
  request: FastifyRequest
  reply: FastifyReply
}
export interface AdmittedCall<R> extends Call<R> {
  caller: Caller
}
export interface DocumentCall<R> extends AdmittedCall<R> {
  /** Of the document as it was when the request came in: inside a transaction, read it again. */
  document: DocumentHead | DocumentRow
}

/** A file instead of the envelope. */
export class FileAnswer {
  readonly type: string
  readonly name: string
  readonly text: string
  constructor(type: string, name: string, text: string) {
    this.type = type
    this.name = name
    this.text = text
  }
}

type Answer<R> = DataOf<R> | FileAnswer | undefined
export type Handler<R> = (call: DocumentCall<R>) => Answer<R> | Promise<Answer<R>>

/** What a listener's routes are registered with. */
export interface Mounting {
  app: FastifyInstance
  context: Context
  known: Credentials
  /** Whether this listener has the route at all. */
  has: (route: Route) => boolean
}

type AnyRoute<Q extends TObject | undefined, B extends TObject | undefined, D extends TSchema> = Route<
  Q,
  B,
  D
>

/**
 * Registers one route of the contract: admission first, then its schemas, then the handler, whose result goes into
 * the envelope. Handlers of routes that aren't about a document must not touch `document`.
 */
export function mount<Q extends TObject | undefined, B extends TObject | undefined, D extends TSchema>(
  mounting: Mounting,
  route: AnyRoute<Q, B, D>,
  handler: Handler<AnyRoute<Q, B, D>>,
  guard: Guard = {},
): void {
  const { app, context, known } = mounting
  const plain = route as unknown as Route
  if (!mounting.has(plain)) return
  const { permitBody } = guard
  /** Where admission leaves what it found: a property of the request, declared beforehand to cost nothing. */
  const admittedOf = (request: FastifyRequest) => (request as Carrier)[admitted]

  app.route({
    method: route.method,
    url: route.url,
    bodyLimit: route.bodyLimit ?? limits.bodyBytes,
    schema: {
      ...(route.query ? { querystring: route.query } : {}),
      ...(route.body ? { body: route.body } : {}),
    },
    ...(route.action === null
      ? {}
      : {
          onRequest: (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
            const keep = (one: Admitted) => {
              ;(request as Carrier)[admitted] = one
              done()
            }
            try {
              const answer = admit(context, known, plain, request, guard)
              if (answer instanceof Promise) answer.then(keep, done)
              else keep(answer)
            } catch (refused) {
              done(refused as Error)
            }
          },
        }),
    ...(permitBody
      ? {
          preValidation: (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
            const one = admittedOf(request)
            const { body } = request
            if (!one || typeof body !== 'object' || body === null) return done()
            const params = request.params as Record<string, string>
            try {
              permitBody(
                { caller: one.caller, document: one.document!, params },
                body as Record<string, unknown>,
              )
              done()
            } catch (refused) {
              done(refused as Error)
            }
          },
        }
      : {}),
    handler: (request, reply) => {
      const one = admittedOf(request)
      // Nothing is handled that was not let in, whatever else may go wrong.
      if (!one && route.action !== null) throw unauthorized()
      const answer = handler({
        context,
        query: request.query as never,
        body: request.body as never,
        params: request.params as Record<string, string>,
        request,
        reply,
        caller: one?.caller as Caller,
        document: one?.document as DocumentHead,
      })
      if (answer instanceof Promise) return answer.then((data) => send(route.status, reply, data))
      send(route.status, reply, answer)
      return undefined
    },
  })
}

const admitted = Symbol('admitted')
type Carrier = FastifyRequest & { [admitted]?: Admitted | null }
/** Declares on a listener what `mount` leaves on its requests. */
export const declareAdmission = (app: FastifyInstance) =>
  app.decorateRequest<null>(admitted as unknown as string, null as never)

function send(status: number, reply: FastifyReply, data: unknown) {
  // The handler has answered by itself (304).
  if (reply.sent || data === undefined) return reply
  if (data instanceof FileAnswer) return sendFile(reply, data)
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify({ data, error: null }))
}

function sendFile(reply: FastifyReply, file: FileAnswer) {
  // RFC 6266: a plain name for old clients, the real one in UTF-8.
  const plain = file.name.replace(/[^\w .-]/g, '_')
  return reply
    .header('content-type', `${file.type}; charset=utf-8`)
    .header(
      'content-disposition',
      `attachment; filename="${plain}"; filename*=UTF-8''${encodeName(file.name)}`,
    )
    .send(file.text)
}
const encodeName = (name: string) =>
  encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
