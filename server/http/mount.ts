import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { changes, isIdempotent, type Route } from '../contract/route.ts'
import { unauthorized } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import type { DocumentHead, DocumentRow } from '../store/documents.ts'
import { admit, admitAgain, hasBody, type Admitted, type Guard } from './admission.ts'
import { Packed } from './answers.ts'
import type { Caller, Credentials } from './caller.ts'
import type { Context } from './context.ts'
import { digestOf, idempotencyKeyOf, once } from './idempotency.ts'
import type { Turn } from '../threads/fair-queue.ts'
import type { Bench } from '../threads/text-work.ts'
import { bytesOf, charactersIn, isLong, jsonBytes } from './slices.ts'
import { turnOf } from './turn.ts'
import { whileBusy } from './while-busy.ts'
import { WorkedOut } from './worked-out.ts'

export interface Call<Query, Body> {
  context: Context
  query: Query
  body: Body
  params: Record<string, string>
  request: FastifyRequest
  reply: FastifyReply
  /** Does what may take long. It may throw what only `mount` catches, which then calls the handler once more. */
  bench: Bench
}
export interface AdmittedCall<Query, Body> extends Call<Query, Body> {
  caller: Caller
}
export interface DocumentCall<Query, Body> extends AdmittedCall<Query, Body> {
  /** Of the document as it was when the request came in: inside a transaction, read it again. */
  document: DocumentHead | DocumentRow
}

/** A file instead of the envelope. */
export class FileAnswer {
  readonly type: string
  readonly name: string
  readonly text: string
  /** Whether it would come out the same another time. */
  readonly lasting: boolean
  constructor(type: string, name: string, text: string, lasting = true) {
    this.type = type
    this.name = name
    this.text = text
    this.lasting = lasting
  }
}

/** An answer that is the same for all who get one of this name: whoever asks while it is being made or sent gets that one. */
export class SharedAnswer<Data> {
  readonly name: string
  readonly make: () => Data | FileAnswer | Promise<Data | FileAnswer>
  /** Where it is kept once it is finished, instead of one of another name; undefined if making it costs little. */
  readonly place: string | undefined
  constructor(name: string, make: () => Data | FileAnswer | Promise<Data | FileAnswer>, place?: string) {
    this.name = name
    this.make = make
    this.place = place
  }
}

type Answer<Data> = Data | FileAnswer | SharedAnswer<Data> | undefined
export type Handler<Query, Body, Data> = (
  call: DocumentCall<Query, Body>,
) => Answer<Data> | Promise<Answer<Data>>

/** What a listener's routes are registered with. */
export interface Mounting {
  app: FastifyInstance
  context: Context
  known: Credentials
  /** Whether this listener has the route at all. */
  has: (route: Route) => boolean
}

/**
 * Registers one route of the contract: admission first, then its schemas, then the handler, whose result goes into
 * the envelope. Handlers of routes that aren't about a document must not touch `document`.
 */
export function mount<Query, Body, Data>(
  mounting: Mounting,
  route: Route<Query, Body, Data>,
  handler: Handler<Query, Body, NoInfer<Data>>,
  guard: Guard = {},
): void {
  const { app, context, known } = mounting
  if (!mounting.has(route)) return
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
              const answer = admit(context, known, route, request, guard)
              if (answer instanceof Promise) answer.then(keep, done)
              else keep(answer)
            } catch (refused) {
              done(refused as Error)
            }
          },
        }),
    ...(permitBody || route.body || changes(route)
      ? {
          preValidation: (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
            if (!admittedOf(request)) return done()
            // A route that wants no body may get one all the same, and waits for it.
            if (!route.body && !hasBody(request.headers)) return done()
            const { body } = request
            const params = request.params as Record<string, string>
            try {
              const one = admitAgain(context, known, route, request, guard)
              ;(request as Carrier)[admitted] = one
              if (permitBody && typeof body === 'object' && body !== null)
                permitBody(
                  {
                    caller: one.caller,
                    document: one.document!,
                    params,
                    query: request.query as Record<string, unknown>,
                  },
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
      if (one?.caller.kind === 'link') context.answers.admit(request, one.caller.link.id)
      const key = isIdempotent(route) ? idempotencyKeyOf(request) : undefined
      const work = new WorkedOut()
      const call: DocumentCall<Query, Body> = {
        context,
        bench: work.bench,
        query: request.query as never,
        body: request.body as never,
        params: request.params as Record<string, string>,
        request,
        reply,
        caller: one?.caller as Caller,
        document: one?.document as DocumentHead,
      }
      const again = () => {
        // Somebody may have ended what let them in while they waited.
        if (one) admitAgain(context, known, route, request, guard)
        // What the attempt before was about to say is void.
        reply.removeHeader('set-cookie')
      }
      const link = one?.caller.kind === 'link' ? one.caller.link.id : undefined
      const answered = (asked: Buffer | undefined) => {
        const attempt = () => {
          const handled =
            key === undefined || asked === undefined
              ? handler(call)
              : once(context.store, { key, asked, caller: one?.caller, reply }, () => handler(call))
          return handled instanceof SharedAnswer ? share(context, handled, link) : handled
        }
        const turn = () => turnOf(call.caller, call.document)
        return work.attempt(() => whileBusy(attempt, again), again, context.texts, turn)
      }
      const sendLater = (data: unknown) => {
        // Whatever was revoked or ran out while others' texts were rendered reads nothing. What has changed something
        // says so all the same.
        if (one && !changes(route)) admitAgain(context, known, route, request, guard)
        return send(route.status, reply, data)
      }
      const finish = (data: unknown) => {
        if (data instanceof Packed || !isLongAnswer(data)) return undefined
        return packLong(context, link, data, sendLater)
      }
      const asked = key === undefined ? undefined : digestOf(request)
      const answer =
        asked instanceof Promise
          ? asked.then((digest) => {
              again()
              return answered(digest)
            })
          : answered(asked)
      if (answer instanceof Promise) return answer.then((data: unknown) => finish(data) ?? sendLater(data))
      const later = finish(answer)
      if (later) return later
      send(route.status, reply, answer)
      return undefined
    },
  })
}

const admitted = Symbol('admitted')
type Carrier = FastifyRequest & { [admitted]?: Admitted | null }
/** Whose turn reading a request's body uses; it was let in before. */
export function turnFor(request: FastifyRequest): Turn {
  const one = (request as Carrier)[admitted]
  if (one?.document) return turnOf(one.caller, one.document)
  return { document: '', member: one ? 'owner' : 'nobody', guest: !one }
}
/** Declares on a listener what `mount` leaves on its requests. */
export const declareAdmission = (app: FastifyInstance) =>
  app.decorateRequest<null>(admitted as unknown as string, null as never)

function send(status: number, reply: FastifyReply, data: unknown) {
  // The handler has answered by itself (304).
  if (reply.sent || data === undefined) return reply
  if (data instanceof Packed) return reply.code(status).headers(data.headers).send(data.bytes)
  if (data instanceof FileAnswer) return reply.headers(headersOf(data)).send(data.text)
  return reply
    .code(status)
    .headers(jsonHeaders)
    .send(JSON.stringify(envelope(data)))
}

const isLongAnswer = (data: unknown) => isLong(data instanceof FileAnswer ? data.text : data)

/** Makes a long answer in slices, and has it sent. What is made for a guest counts as unread from the beginning. */
async function packLong<Sent>(
  { answers }: Context,
  link: string | undefined,
  data: unknown,
  then: (packed: Packed) => Sent,
): Promise<Sent> {
  const done = link === undefined ? undefined : answers.making(link, charactersIn(data))
  try {
    const packed =
      data instanceof FileAnswer
        ? new Packed(headersOf(data), await bytesOf(data.text), data.lasting)
        : new Packed(jsonHeaders, await jsonBytes(envelope(data)))
    return then(packed)
  } finally {
    done?.()
  }
}

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' }
const envelope = (data: unknown) => ({ data, error: null })

function share<Data>(
  context: Context,
  { name, make, place }: SharedAnswer<Data>,
  link: string | undefined,
): Packed | Promise<Packed> {
  const { answers } = context
  const pack = (data: Data | FileAnswer): Packed | Promise<Packed> => {
    if (isLongAnswer(data)) return packLong(context, link, data, (packed) => packed)
    return data instanceof FileAnswer
      ? new Packed(headersOf(data), Buffer.from(data.text), data.lasting)
      : new Packed(jsonHeaders, Buffer.from(JSON.stringify(envelope(data))))
  }
  const packed = () => {
    const data = make()
    return data instanceof Promise ? data.then(pack) : pack(data)
  }
  return answers.shared(name, packed, place)
}

function headersOf(file: FileAnswer) {
  // RFC 6266: a plain name for old clients, the real one in UTF-8.
  const plain = file.name.replace(/[^\w .-]/g, '_')
  return {
    'content-type': `${file.type}; charset=utf-8`,
    'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encodeName(file.name)}`,
  }
}
const encodeName = (name: string) =>
  encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
