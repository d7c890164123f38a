import type { FastifyRequest } from 'fastify'
import type { Asker } from '../actions/asker.ts'
import type { Principal } from '../actions/principal.ts'
import { sizeOfBody } from './body-size.ts'
import type { Context } from './context.ts'
import { principalOf, type Credentials } from './principal.ts'
import { remoteAddress, type Arrived } from './remote-address.ts'

/** What of a request decides access. */
export type Approaching = Pick<FastifyRequest, 'headers' | 'query'> & { raw: Arrived }

/** Whoever sent a request. */
export class RequestAsker implements Asker {
  readonly #context: Context
  readonly #known: Credentials
  readonly #request: Approaching

  constructor(context: Context, known: Credentials, request: Approaching) {
    this.#context = context
    this.#known = known
    this.#request = request
  }

  principal(): Principal {
    return principalOf(this.#context, this.#known, this.#request)
  }
  address(): string {
    return remoteAddress(this.#context, this.#request.raw)
  }
  size(): number | undefined {
    return sizeOfBody(this.#request.headers)
  }
}
