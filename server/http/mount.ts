import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Action } from '../actions/action.ts'
import type { Target } from '../actions/asker.ts'
import type { Once } from '../actions/idempotency.ts'
import { begin } from '../actions/run.ts'
import { nobodysTurn, type Task } from '../actions/task.ts'
import { unauthorized } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { placedHeader } from '../contract/placed.ts'
import { changes, isIdempotent, type About, type Route } from '../contract/route.ts'
import type { Right } from '../domain/access.ts'
import type { Turn } from '../threads/fair-queue.ts'
import {
  envelope,
  bytesAtOnce,
  FileAnswer,
  headersOfFile,
  isLongAnswer,
  jsonHeaders,
  packLong,
  share,
  SharedAnswer,
  type Shown,
} from './answer.ts'
import { Packed } from './shared-answers.ts'
import { hasBody } from './body-size.ts'
import { Call, type Handler } from './call.ts'
import type { Context } from './context.ts'
import { setGuestCookie } from './guest-cookie.ts'
import { digestOf, idempotencyKeyOf, randomKeyOf } from './idempotency-key.ts'
import { setEtag } from './precondition.ts'
import type { Credentials } from './principal.ts'
import { RequestAsker } from './request-asker.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body is a file’s bytes. */
    bytes?: boolean
    /** Whether the body is an agent's message, which is answered as one. */
    message?: boolean
  }
  interface FastifyRequest {
    /** What a request was let in to do. Declared beforehand, it costs nothing. */
    task: Task | null
  }
}

/** What a listener's routes are registered with. */
export interface Mounting {
  app: FastifyInstance
  context: Context
  known: Credentials
  /** Whether this listener has the route at all. */
  has: (route: Route) => boolean
  /** Noted of each route that is registered: which right it takes. */
  rights?: Map<Route, Right>
}

/** What names the record that a request is about: its path, unless the route has it elsewhere. Nothing is checked yet. */
type TargetOf = (params: Target, query: Readonly<Record<string, unknown>>) => Target
const inPath: TargetOf = (params) => params

/**
 * Registers one route of the contract: whoever asks is let in to its action first; then come its schemas, then the
 * handler, which has the action done, and whose answer goes into the envelope.
 */
export function mount<Query, Body, Data, T extends Task, Input, Result, Subject extends About>(
  mounting: Mounting,
  route: Route<Query, Body, Data, Subject>,
  action: Action<Context, T, Input, Result, NoInfer<Subject>>,
  handler: Handler<NoInfer<T>, NoInfer<Query>, NoInfer<Body>, NoInfer<Input>, NoInfer<Result>, NoInfer<Data>>,
  targetOf: TargetOf = inPath,
): void {
  const { app, context, known } = mounting
  if (!mounting.has(route)) return
  if (changes(route) !== (action.effect !== 'reads'))
    throw new Error(`${route.operationId} has another action’s effect`)
  if (route.body !== action.accepts) throw new Error(`${route.operationId} has another action’s body`)
  const { permitInput } = action
  if (action.right) mounting.rights?.set(route, action.right)

  app.route({
    method: route.method,
    url: route.url,
    config: { bytes: route.bytes === true },
    bodyLimit: route.bodyLimit ?? limits.bodyBytes,
    schema: {
      ...(route.query ? { querystring: route.query } : {}),
      ...(route.body ? { body: route.body } : {}),
    },
    onRequest(request, _reply, done) {
      try {
        const target = targetOf(request.params as Target, request.query as Record<string, unknown>)
        const begun = begin(context, action, new RequestAsker(context, known, request), target)
        if (begun instanceof Promise)
          begun.then((task) => {
            request.task = task
            done()
          }, done)
        else {
          request.task = begun
          done()
        }
      } catch (refused) {
        done(refused as Error)
      }
    },
    ...(permitInput || route.body || changes(route)
      ? {
          // The body may have taken its sender long, and what was revoked or ran out meanwhile does nothing. What writes
          // is decided again in its transaction.
          preValidation(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) {
            if (route.bodyOptional) request.body ??= {}
            const { task, body } = request
            // A route that wants no body may get one all the same, and waits for it.
            if (!action.owns(task) || (!route.body && !hasBody(request.headers))) return done()
            try {
              if (action.effect !== 'writes') task.authorize()
              if (permitInput && typeof body === 'object' && body !== null) permitInput(task, { ...body })
              done()
            } catch (refused) {
              done(refused as Error)
            }
          },
        }
      : {}),
    handler: answering(context, route, action, handler),
  })
}

/** Answers requests that were let in: has the handler do the action, and puts what came of it into the envelope. */
function answering<Query, Body, Data, T extends Task, Input, Result, Subject extends About>(
  context: Context,
  route: Route<Query, Body, Data, Subject>,
  action: Action<Context, T, Input, Result, NoInfer<Subject>>,
  handler: Handler<NoInfer<T>, NoInfer<Query>, NoInfer<Body>, NoInfer<Input>, NoInfer<Result>, NoInfer<Data>>,
) {
  return (request: FastifyRequest, reply: FastifyReply) => {
    const { task } = request
    // Nothing is handled that was not let in, whatever else may go wrong.
    if (!action.owns(task)) throw unauthorized()
    void reply.headers(rateLimitHeaders(task.allowances))
    const link = task.principal?.kind === 'link' ? task.principal.link.id : undefined
    const key = isIdempotent(route) ? idempotencyKeyOf(request) : undefined
    if (route.meetsGuests) task.guestKnownBy = randomKeyOf(request)

    const sendNow = (data: unknown) => send(route.status, task, reply, data)
    const sendLater = (data: unknown) => {
      // Whatever was revoked or ran out while others' texts were rendered reads nothing. What has changed something
      // says so all the same.
      if (action.effect === 'reads') task.authorize()
      return sendNow(data)
    }
    const show = (answer: Shown<Data>, sendIt: (data: unknown) => FastifyReply) => {
      if (route.etag) tagDocument(reply, answer)
      if (answer instanceof SharedAnswer) {
        const packed = share(context, answer, link)
        return packed instanceof Promise ? packed.then(sendLater) : sendIt(packed)
      }
      return isLongAnswer(answer) ? packLong(context, link, answer, sendLater) : sendIt(answer)
    }
    const handle = (name: Once | undefined) => {
      const answer = handler(new Call(context, action, task, request, reply, name))
      return answer instanceof Promise ? answer.then((one) => show(one, sendLater)) : show(answer, sendNow)
    }

    const begin = () => {
      if (link !== undefined) context.answers.requireRoom(request, link)
      const asked = key === undefined ? undefined : digestOf(request)
      if (key === undefined || asked === undefined) return handle(undefined)
      if (!(asked instanceof Promise)) return handle({ key, asked })
      return asked.then((digest) => {
        task.authorize()
        return handle({ key, asked: digest })
      })
    }
    const turn = link === undefined ? undefined : context.linkTurns.take(link)
    if (!turn) return begin()
    return turn.then(() => {
      task.authorize()
      return begin()
    })
  }
}

/** Whose turn reading a request's body uses; it was let in before. */
export const turnFor = ({ task }: FastifyRequest): Turn => task?.turn() ?? nobodysTurn

/** Declares on a listener what `mount` leaves on its requests. */
export const declareTasks = (app: FastifyInstance) => app.decorateRequest('task', null)

function tagDocument(reply: FastifyReply, answer: unknown) {
  if (
    typeof answer === 'object' &&
    answer !== null &&
    'revision' in answer &&
    typeof answer.revision === 'number'
  )
    setEtag(reply, answer.revision)
}

function send(status: number, { newGuest, placedIn, replayed }: Task, reply: FastifyReply, data: unknown) {
  // The handler has answered by itself (304).
  if (reply.sent || data === undefined) return reply
  if (newGuest !== undefined) setGuestCookie(reply, newGuest)
  if (replayed) void reply.header('idempotency-replayed', 'true')
  if (placedIn !== undefined) void reply.header(placedHeader, placedIn)
  if (data instanceof Packed) return reply.code(status).headers(data.headers).send(data.bytes)
  if (data instanceof FileAnswer) return reply.headers(headersOfFile(data)).send(bytesAtOnce(data))
  return reply
    .code(status)
    .headers(jsonHeaders)
    .send(JSON.stringify(envelope(data)))
}
