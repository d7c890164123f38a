import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { whileAllowed } from '../actions/while-allowed.ts'
import { GalleyError } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { HeldPlaces, type PlaceHolder } from './held-places.ts'

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
  /** Whose it is: a key and its account, or a link. */
  whose: PlaceHolder
}

interface Exchanged {
  /** When whoever asked has left or may no longer ask. */
  left: AbortSignal
  /** When what is still being answered is cut off. */
  gone: AbortSignal
  /** Says that it begins to wait, before it does; what is returned ends that. Throws RATE_LIMITED where too many wait. */
  hold(): () => void
}

/** What agents are being answered now, so that it ends with what let them in. Only so much of it may wait. */
export class OpenExchanges {
  readonly #open = new Set<() => void>()
  readonly #waits: HeldPlaces

  constructor(waits: HeldPlaces) {
    this.#waits = waits
  }

  begin({ authorize, whose }: Exchanging, reply: FastifyReply): Exchanged {
    const held = new Set<() => void>()
    const hold = () => {
      const release = this.#waits.take(whose)
      held.add(release)
      return release
    }
    const left = new AbortController()
    const gone = new AbortController()
    const end = () => {
      left.abort()
      setTimeout(() => gone.abort(), cutOffAfter).unref()
    }
    const { ended, stop } = whileAllowed(authorize)
    ended.addEventListener('abort', end)
    this.#open.add(end)
    reply.raw.once('close', () => {
      stop()
      this.#open.delete(end)
      for (const release of held) release()
      left.abort()
      gone.abort()
    })
    return { left: left.signal, gone: gone.signal, hold }
  }

  endAll() {
    for (const end of this.#open) end()
  }
}

const refusal = 'Too many calls of agents wait already. End some; calls that don’t wait are answered at once.'
/** So much may wait of those who have a key, and of those who have a link. */
export const keyWaits = () =>
  new HeldPlaces({
    ...{ each: limits.mcpKeyWaits, account: limits.mcpWaits, inAll: limits.mcpWaitsInAll, refusal },
  })
export const linkWaits = () =>
  new HeldPlaces({
    ...{ each: limits.linkMcpWaits, account: Infinity, inAll: limits.linkMcpWaitsInAll, refusal },
  })

/** Long messages are held whole while they are read and answered. */
export const longMessages = () =>
  new HeldPlaces({
    ...{ each: limits.mcpKeyLong, account: limits.mcpLong, inAll: limits.mcpLong },
    refusal: 'Galley reads very long messages already. Send this one again in a moment.',
  })

/** What a route for agents' messages has, of which each may have so many bytes. */
export const messageRoute = (bodyLimit: number) => ({
  bodyLimit,
  config: { message: true },
  errorHandler(error: FastifyError) {
    if (error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error
    const most = Math.floor(bodyLimit / 1024 / 1024)
    throw new GalleyError(
      'PAYLOAD_TOO_LARGE',
      `A message here may have ${most} MiB at most; this one is longer, and nothing was changed. Send it in parts.`,
    )
  },
})

export const plainHeaders = ({ headers }: FastifyRequest): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      // Who asks is known by now, and is nobody else's business.
      typeof value === 'string' && name !== 'authorization' && name !== 'cookie' ? [[name, value]] : [],
    ),
  )
