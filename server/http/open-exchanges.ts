import type { FastifyReply, FastifyRequest } from 'fastify'
import { GalleyError } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'

/** How often it is asked again whether who waits for an answer still may, in ms. */
const askedAgainEvery = 1_000
/** So long a call that has to end has for saying why, in ms. */
const cutOffAfter = 1_000

/** On every answer to an agent: it is for the one who asked, and nothing in it is a page. */
export const mcpHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

interface Exchanging {
  /** Throws once whoever asked may no longer. */
  authorize(): void
  /** Whose it is: the account, or the link. */
  whose: string
}

/** What agents are being answered now, so that it ends with what let them in, and so that there is only so much. */
export class OpenExchanges {
  readonly #open = new Map<() => void, string>()
  readonly #most: { each: number; inAll: number }

  constructor(most: { each: number; inAll: number }) {
    this.#most = most
  }

  /**
   * @returns when whoever asked has left or may no longer ask, and when what is still being answered is cut off
   * @throws GalleyError RATE_LIMITED
   */
  begin({ authorize, whose }: Exchanging, reply: FastifyReply): { left: AbortSignal; gone: AbortSignal } {
    const theirs = [...this.#open.values()].filter((one) => one === whose).length
    if (theirs >= this.#most.each || this.#open.size >= this.#most.inAll)
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
        authorize()
      } catch {
        clearInterval(again)
        end()
      }
    }, askedAgainEvery).unref()
    this.#open.set(end, whose)
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

/** So many of those who have a key, and of those who have a link. */
export const keyExchanges = { each: limits.mcpExchanges, inAll: limits.mcpExchangesInAll }
export const linkExchanges = { each: limits.linkMcpExchanges, inAll: limits.linkMcpExchangesInAll }

export const plainHeaders = ({ headers }: FastifyRequest): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      // Who asks is known by now, and is nobody else's business.
      typeof value === 'string' && name !== 'authorization' && name !== 'cookie' ? [[name, value]] : [],
    ),
  )
