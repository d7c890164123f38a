import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readAccount } from '../../actions/account.ts'
import { begin } from '../../actions/run.ts'
import { forbidden, unauthorized } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { Caller } from '../../mcp/caller.ts'
import type { Context } from '../context.ts'
import { withoutText } from '../failure.ts'
import { keyExchanges, mcpHeaders, OpenExchanges, plainHeaders } from '../open-exchanges.ts'
import { isOwnOrigin } from '../origin.ts'
import { RequestAsker } from '../request-asker.ts'

const url = '/mcp'

/**
 * The Model Context Protocol for agents, by Streamable HTTP. An API key lets them in, and nothing else: no session of a
 * browser, and no page of anybody else's.
 */
export function mountMcp(app: FastifyInstance, context: Context): void {
  const open = new OpenExchanges(keyExchanges)
  const askerOf = ({ headers, raw }: FastifyRequest) =>
    // Of the address nothing counts: a share link is no key.
    new RequestAsker(context, { sessions: null, keys: true }, { headers, query: {}, raw })

  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url,
    bodyLimit: limits.mcpBodyBytes,
    async onRequest(request, reply) {
      void reply.headers(mcpHeaders)
      if (!isOwnOrigin(request.headers)) throw forbidden('This page may not ask here.')
      try {
        request.task = await begin(context, readAccount, askerOf(request), {})
      } catch (refused) {
        void reply.header('www-authenticate', 'Bearer')
        throw refused
      }
    },
    async handler(request, reply) {
      const { task } = request
      if (!readAccount.owns(task)) throw unauthorized()
      const { answerExchange } = await import('../../mcp/http.ts')
      const { left, gone } = open.begin(
        { authorize: () => task.authorize(), whose: task.principal.user.id },
        reply,
      )
      const onFailure = (error: unknown) =>
        context.log.error({ err: withoutText(error) }, 'an agent’s call failed')
      const { method, body } = request
      const exchange = { method, headers: plainHeaders(request), body, signal: gone }
      const caller = new Caller(context, askerOf(request), onFailure, { left })
      const answer = await answerExchange(caller, exchange).catch((error: unknown) => {
        throw gone.aborted ? unauthorized() : error
      })
      return reply.send(answer)
    },
  })
  app.addHook('preClose', (done) => {
    open.endAll()
    done()
  })
}
