import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readAccount } from '../../actions/account.ts'
import { credentialOf } from '../../actions/principal.ts'
import { begin } from '../../actions/run.ts'
import { forbidden, unauthorized } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { AgentClient } from '../../mcp/agent-client.ts'
import { sizeOfBody } from '../body-size.ts'
import type { Context } from '../context.ts'
import { withoutText } from '../failure.ts'
import type { PlaceHolder } from '../held-places.ts'
import {
  keyWaits,
  longMessages,
  mcpHeaders,
  messageRoute,
  OpenExchanges,
  plainHeaders,
} from '../open-exchanges.ts'
import { isOwnOrigin } from '../origin.ts'
import { RequestAsker } from '../request-asker.ts'

const url = '/mcp'

/** Whose key it is that somebody was let in by. */
function holderOf({ task }: FastifyRequest): PlaceHolder {
  if (!readAccount.owns(task)) throw unauthorized()
  return { credential: credentialOf(task.principal), account: task.principal.user.id }
}

/**
 * The Model Context Protocol for agents, by Streamable HTTP. An API key lets them in, and nothing else: no session of a
 * browser, and no page of anybody else's.
 */
export function mountMcp(app: FastifyInstance, context: Context): void {
  const open = new OpenExchanges(keyWaits())
  const long = longMessages()
  const askerOf = ({ headers, raw }: FastifyRequest) =>
    // Of the address nothing counts: a share link is no key.
    new RequestAsker(context, { sessions: null, keys: true }, { headers, query: {}, raw })

  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url,
    ...messageRoute(limits.mcpBodyBytes),
    async onRequest(request, reply) {
      void reply.headers(mcpHeaders)
      if (!isOwnOrigin(request.headers)) throw forbidden('This page may not ask here.')
      try {
        request.task = await begin(context, readAccount, askerOf(request), {})
      } catch (refused) {
        void reply.header('www-authenticate', 'Bearer')
        throw refused
      }
      if ((sizeOfBody(request.headers) ?? Infinity) <= limits.mcpLongBytes) return
      const release = long.take(holderOf(request))
      reply.raw.once('close', release)
    },
    async handler(request, reply) {
      const { task } = request
      if (!readAccount.owns(task)) throw unauthorized()
      const { answerExchange } = await import('../../mcp/http.ts')
      const exchanging = { authorize: () => task.authorize(), whose: holderOf(request) }
      const { left, gone, hold } = open.begin(exchanging, reply)
      const onFailure = (error: unknown) =>
        context.log.error({ err: withoutText(error) }, 'an agent’s call failed')
      const { method, body } = request
      const exchange = { method, headers: plainHeaders(request), body, signal: gone }
      const client = new AgentClient(context, askerOf(request), onFailure, { left, hold })
      const answer = await answerExchange(client, exchange).catch((error: unknown) => {
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
