import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RouteHandlerMethod,
} from 'fastify'
import type { IncomingMessage } from 'node:http'
import { forbidden, notFound } from '../contract/errors.ts'
import type { Answers } from './answers.ts'
import { explainAbsence, isApiPath, pathOf, type Endpoint } from './absence.ts'
import { hasBody } from './body-size.ts'
import { answerBrokenRequest } from './broken-request.ts'
import { crossOrigin, type Pages } from './cross-origin.ts'
import { sendFailure } from './failure.ts'
import type { Hosts } from './hosts.ts'
import { acceptBytes, letBytesIn } from './file-bodies.ts'
import { acceptJson } from './json-bodies.ts'
import { boundPipelines } from './pipelines.ts'
import { declareTasks, turnFor } from './mount.ts'
import type { TextThreads } from '../threads/text-threads.ts'
import { createValidatorCompiler } from './validator.ts'
import type { WriteTrouble } from './write-trouble-log.ts'

export interface ListenerOptions {
  log: FastifyBaseLogger
  hosts: Hosts
  /** Counts what is sent to guests. */
  answers: Answers
  /** Told of what can't be written. */
  trouble: WriteTrouble
  /** Read long bodies. */
  texts: Pick<TextThreads, 'workOut'>
  /** The endpoints of the API that this listener has, and those that only the other one has. */
  here: readonly Endpoint[]
  /** What answers outside the API where no route does; the envelope’s 404 unless the listener has something better. */
  notFound?: RouteHandlerMethod
  /** Answers a path that can't be read, or has too long a part, and says whether it did; else the envelope does. */
  brokenPath?: (request: FastifyRequest, reply: FastifyReply) => boolean
  /** Which pages from elsewhere may ask the API, with a key; none may where it is absent. */
  pages?: Pages
}

/** On every answer of the API: it is for the one who asked, and nothing in it is a page. */
const apiHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

const isJson = (type: string | undefined) =>
  type !== undefined && /^application\/json\s*(;|$)/i.test(type.trim())

/** Whoever asks for another protocol than the one there is gets an answer in this one (from Node 24.9 on; before, 404). */
const shouldUpgradeCallback = ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket'

/**
 * A Fastify instance that has no routes yet, with what both listeners have in common: limits, the checks that come
 * before credentials (host name, then content type), bodies, and one way to fail.
 */
export function createListener(options: ListenerOptions): FastifyInstance {
  const { log } = options
  const check = earlyChecks(options.hosts)
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    // One line per request would be the bulk of the log and its cost; failures of ours are logged where they are handled.
    // None has a logger of its own either.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: 60_000,
    keepAliveTimeout: 30_000,
    bodyLimit: 1024,
    trustProxy: false,
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    // What still comes on an open connection while Galley stops is answered, and ends it: the framework's own refusal is
    // no envelope.
    return503OnClosing: false,
    // A request without a host name is refused like one with a wrong name, by the same check.
    http: {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 20_000,
      requireHostHeader: false,
      shouldUpgradeCallback,
    },
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
    clientErrorHandler: answerBrokenRequest,
    // A path that can’t be decoded, or one with too long a part: no hook runs for these.
    frameworkErrors: (error, request, reply) => {
      const early = check(request)
      if (!early && options.brokenPath?.(request, reply)) return
      if (isApiPath(pathOf(request.url))) void reply.headers(apiHeaders)
      sendFailure(early ?? error, reply, log, request)
    },
  })
  // Whatever a client expects besides being told to go on, it gets the same answers as others.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  boundPipelines(app)
  acceptJson(app, options.texts, turnFor)
  acceptBytes(app)
  declareTasks(app)
  options.answers.countOn(app)
  app.setValidatorCompiler(createValidatorCompiler())
  // Answers are written as JSON once, where the envelope is made.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))

  const absence = explainAbsence(options.here)
  const answersPage = options.pages && crossOrigin(app, options.pages)
  app.addHook('onRequest', (request, reply, done) => {
    const api = isApiPath(pathOf(request.url))
    if (api) void reply.headers(apiHeaders)
    // Where nothing is, what the body holds is of no interest.
    const gone = api && request.is404 ? absence(request.url) : undefined
    const refused = check(request)
    try {
      if (api && !refused && answersPage?.(request, reply)) return
    } catch (error) {
      return done(error as Error)
    }
    done(refused ?? gone)
  })
  app.setErrorHandler((error, request, reply) => sendFailure(error, reply, log, request, options))
  app.setNotFoundHandler(options.notFound ?? ((_request, reply) => sendFailure(notFound('Page'), reply, log)))
  return app
}

/** The checks that come before credentials. */
const earlyChecks =
  (hosts: ListenerOptions['hosts']) =>
  ({ headers, url, raw, routeOptions }: FastifyRequest) => {
    if (!hosts(headers.host)) return forbidden('This server doesn’t answer to that host name.')
    if (!hasBody(headers)) {
      // The type of nothing says nothing: a POST without a body needs none, and may have any.
      delete raw.headers['content-type']
    } else if (routeOptions?.config?.bytes) {
      // What it is, its bytes say.
      letBytesIn(raw)
    } else if (!isJson(headers['content-type'])) {
      if (isApiPath(pathOf(url)))
        return forbidden('A request with a body must say “Content-Type: application/json”.')
    } else {
      // Whatever its parameters are, it was settled here.
      raw.headers['content-type'] = 'application/json'
    }
    return undefined
  }
