import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readAccount } from '../../actions/account.ts'
import { begin } from '../../actions/run.ts'
import type { Task } from '../../actions/task.ts'
import { forbidden, GalleyError, unauthorized } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { Caller } from '../../mcp/caller.ts'
import type { Context } from '../context.ts'
import { withoutText } from '../failure.ts'
import { isOwnOrigin } from '../origin.ts'
import { RequestAsker } from '../request-asker.ts'

const url = '/mcp'
/** How often it is asked again whether who waits for an answer still may, in ms. */
const askedAgainEvery = 1_000
/** So long a call that has to end has for saying why, in ms. */
const cutOffAfter = 1_000

const headers = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/**
 * The Model Context Protocol for agents, by Streamable HTTP. An API key lets them in, and nothing else: no session of a
 * browser, and no page of anybody else's.
 */
export function mountMcp(app: FastifyInstance, context: Context): void {
  const open = new OpenExchanges()
  const askerOf = ({ headers, raw }: FastifyRequest) =>
    // Of the address nothing counts: a share link is no key.
    new RequestAsker(context, { sessions: null, keys: true }, { headers, query: {}, raw })

  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url,
    bodyLimit: limits.mcpBodyBytes,
    async onRequest(request, reply) {
      void reply.headers(headers)
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
      const { left, gone } = open.begin(task, task.principal.user.id, reply)
      const onFailure = (error: unknown) =>
        context.log.error({ err: withoutText(error) }, 'an agent’s call failed')
      const { method, body } = request
      const exchange = { method, headers: plainHeaders(request), body, signal: gone }
      const caller = new Caller(context, askerOf(request), onFailure, left)
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

/** What is being answered now, so that it ends with what let it in, and so that there are only so many. */
class OpenExchanges {
  readonly #open = new Map<() => void, string>()

  /**
   * @returns when whoever asked has left or may no longer ask, and when what is still being answered is cut off
   * @throws GalleyError RATE_LIMITED
   */
  begin(task: Task, account: string, reply: FastifyReply): { left: AbortSignal; gone: AbortSignal } {
    const ofAccount = [...this.#open.values()].filter((one) => one === account).length
    if (ofAccount >= limits.mcpExchanges || this.#open.size >= limits.mcpExchangesInAll)
      throw new GalleyError(
        'RATE_LIMITED',
        'Too many calls of agents wait for their answers already. End some, or call again in a moment.',
        { retryAfter: 5 },
      )
    const left = new AbortController()
    const gone = new AbortController()
    const end = () => {
      left.abort()
      setTimeout(() => gone.abort(), cutOffAfter).unref()
    }
    const again = setInterval(() => {
      try {
        task.authorize()
      } catch {
        clearInterval(again)
        end()
      }
    }, askedAgainEvery).unref()
    this.#open.set(end, account)
    reply.raw.once('close', () => {
      clearInterval(again)
      this.#open.delete(end)
      left.abort()
      gone.abort()
    })
    return { left: left.signal, gone: gone.signal }
  }

  endAll() {
    for (const end of this.#open.keys()) end()
  }
}

const plainHeaders = ({ headers }: FastifyRequest): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      // Who asks is known by now, and is nobody else's business.
      typeof value === 'string' && name !== 'authorization' && name !== 'cookie' ? [[name, value]] : [],
    ),
  )
