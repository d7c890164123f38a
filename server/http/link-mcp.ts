import type { FastifyInstance, FastifyRequest } from 'fastify'
import { randomBytes } from 'node:crypto'
import type { Asker } from '../actions/asker.ts'
import { followDocument } from '../actions/follow.ts'
import { Refused } from '../actions/principal.ts'
import { begin } from '../actions/run.ts'
import { findShared } from '../actions/shared-document.ts'
import { forbidden, invalid, unauthorized } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { accessOf } from '../domain/access.ts'
import { AgentClient } from '../mcp/agent-client.ts'
import type { Context } from './context.ts'
import { withoutText } from './failure.ts'
import { deadLink, unavailable } from './link-answers.ts'
import { linkWaits, mcpHeaders, messageRoute, OpenExchanges, plainHeaders } from './open-exchanges.ts'
import { isOwnOrigin } from './origin.ts'
import { agentByLink, agentName, agentOf, agentSession, sessionOf, type LinkAgent } from './principal.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import { remoteAddress } from './remote-address.ts'

type LinkRequest = FastifyRequest<{ Params: { token: string } }>

/** How a program of the newer protocol says with each message what it is. */
const clientInfo = 'io.modelcontextprotocol/clientInfo'

/**
 * The Model Context Protocol at a link's own address, which is all that an agent has to be given. It does what the link
 * allows to the one document there is for it, as a guest. No key and no session counts here, and as at `/mcp` nothing is
 * kept between two messages: what names an agent comes with each.
 */
export function mountLinkMcp(app: FastifyInstance, context: Context): void {
  const open = new OpenExchanges(linkWaits())
  const askerOf = ({ params, raw }: LinkRequest, agent?: LinkAgent): Asker => ({
    principal: () => agentByLink(context, params.token, agent),
    address: () => remoteAddress(context, raw),
    size: () => 0,
  })

  app.route<{ Params: { token: string } }>({
    method: ['GET', 'POST', 'DELETE'],
    url: '/share/:token/mcp',
    ...messageRoute(limits.linkMcpBodyBytes),
    async onRequest(request, reply) {
      void reply.headers(mcpHeaders)
      if (!isOwnOrigin(request.headers)) throw forbidden('This page may not ask here.')
      const asker = askerOf(request)
      const shared = findShared(context, request.params.token)
      if (shared === 'dead') {
        await context.limiters.failedCredential(asker.address())
        throw deadLink()
      }
      if (shared === 'nowhere') throw unavailable()
      request.task = await begin(context, followDocument, asker, { id: shared.head.id })
      const spent = await context.limiters.agentCall(shared.link.id, asker.address())
      void reply.headers(rateLimitHeaders(spent))
    },
    async handler(request, reply) {
      const { task, body, method } = request
      if (!followDocument.owns(task) || task.principal.kind !== 'link') throw unauthorized()
      // Many messages in one would count as one.
      if (Array.isArray(body)) throw invalid('Send one message at a time.')
      const { link } = task.principal
      context.answers.requireRoom(request, link.id)
      await context.linkTurns.take(link.id)
      const { answerExchange } = await import('../mcp/http.ts')
      const access = accessOf(link)
      const authorize = () => {
        task.authorize()
        if (task.principal.kind === 'link' && accessOf(task.principal.link) !== access) throw unauthorized()
      }
      authorize()
      const whose = { credential: link.id, account: link.id }
      const { left, gone, hold } = open.begin({ authorize, whose }, reply)
      const agent = agentOf(request) ?? {
        secret: randomBytes(16).toString('hex'),
        name: agentName(nameIn(body)),
      }
      if (isHello(body)) void reply.header(agentSession, sessionOf(agent))
      const onFailure = (error: unknown) =>
        context.log.error({ err: withoutText(error) }, 'an agent’s call failed')
      const only = task.document.id
      const client = new AgentClient(context, askerOf(request, agent), onFailure, { left, only, hold })
      const exchange = { method, headers: plainHeaders(request), body, signal: gone }
      try {
        const answer = await answerExchange(client, exchange)
        // Sent as a whole, it counts as what else is sent to guests.
        const bytes = Buffer.from(await answer.arrayBuffer())
        task.authorize()
        answer.headers.forEach((value, name) => void reply.header(name, value))
        return await reply.code(answer.status).headers(mcpHeaders).send(bytes)
      } catch (error) {
        throw gone.aborted || error instanceof Refused ? deadLink() : error
      }
    },
  })
  app.addHook('preClose', (done) => {
    open.endAll()
    done()
  })
}

interface AgentMessage {
  method?: unknown
  params?: { clientInfo?: { name?: unknown }; _meta?: Record<string, { name?: unknown } | undefined> }
}

const isHello = (body: unknown): boolean => (body as AgentMessage | null)?.method === 'initialize'

/** What a message says its program is called. */
function nameIn(body: unknown): unknown {
  const { params } = (body ?? {}) as AgentMessage
  return (params?.clientInfo ?? params?._meta?.[clientInfo])?.name
}
