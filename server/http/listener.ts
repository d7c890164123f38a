import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type RouteHandlerMethod,
} from 'fastify'
import { forbidden, GalleyError, notFound } from '../contract/errors.ts'
import { allRoutes } from '../contract/routes.ts'
import type { Route } from '../contract/route.ts'
import { sendFailure } from './failure.ts'
import type { Hosts } from './hosts.ts'
import { acceptJson } from './json-body.ts'
import { createValidatorCompiler } from './validator.ts'

export interface ListenerOptions {
  log: FastifyBaseLogger
  hosts: Hosts
  /** What answers where no route does; the envelope’s 404 unless the listener has something better. */
  notFound?: RouteHandlerMethod
}

/** On every answer of the API: it is for the one who asked, and nothing in it is a page. */
const apiHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

export const isApi = (url: string) => url === '/api' || url.startsWith('/api/') || url.startsWith('/api?')
const isJson = (type: string | undefined) =>
  type !== undefined && /^application\/json\s*(;|$)/i.test(type.trim())

/**
 * A Fastify instance that has no routes yet, with what both listeners have in common: limits, the checks that come
 * before credentials (host name, then content type), bodies, and one way to fail.
 */
export function createListener({ log, hosts, notFound: fallback }: ListenerOptions): FastifyInstance {
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    // One line per request would be the bulk of the log and its cost; failures of ours are logged where they are handled.
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: 60_000,
    keepAliveTimeout: 30_000,
    bodyLimit: 1024,
    trustProxy: false,
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    http: { maxHeaderSize: 16 * 1024, headersTimeout: 20_000 },
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
    frameworkErrors: (error, request, reply) => {
      void sendFailure(error, reply as never, log, request as never)
    },
  }) as unknown as FastifyInstance
  acceptJson(app)
  app.setValidatorCompiler(createValidatorCompiler())
  // Answers are written as JSON once, where the envelope is made.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))

  app.addHook('onRequest', (request, reply, done) => {
    if (!hosts(request.headers.host)) return done(forbidden('This server doesn’t answer to that host name.'))
    if (!isApi(request.url)) return done()
    void reply.headers(apiHeaders)
    const { headers } = request
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    if (hasBody && !isJson(headers['content-type'])) {
      return done(forbidden('A request with a body must say “Content-Type: application/json”.'))
    }
    done()
  })
  app.setErrorHandler((error, request, reply) => sendFailure(error, reply, log, request))
  app.setNotFoundHandler(fallback ?? ((_request, reply) => sendFailure(notFound('Page'), reply, log)))
  return app
}

/**
 * Answers 405 on the paths of the contract for methods that no listener knows there. Paths and methods that only the
 * other listener has are left alone: here they don't exist.
 */
export function refuseOtherMethods(app: FastifyInstance, has: (route: Route) => boolean) {
  const byUrl = Map.groupBy(allRoutes, (route) => route.url)
  for (const [url, routes] of byUrl) {
    if (!routes.some(has)) continue
    const known = new Set<string>(routes.map((route) => route.method))
    const allow = routes.filter(has).map((route) => route.method)
    if (allow.includes('GET')) allow.push('HEAD' as never)
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((method) => !known.has(method))
    app.route({
      method: others,
      url,
      // The body isn't of interest: whatever it is, the method is wrong.
      onRequest: (_request, _reply, done) =>
        done(
          new GalleyError('METHOD_NOT_ALLOWED', `This path answers to ${allow.join(', ')}.`, {
            headers: { allow: allow.join(', ') },
          }),
        ),
      handler: () => undefined,
    })
  }
}
