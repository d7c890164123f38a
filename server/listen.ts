import type { FastifyInstance } from 'fastify'
import type { AddressInfo } from 'node:net'
import { OpenError } from './store/open-error.ts'

export const loopback = '127.0.0.1'

/** Whether a port can't be had because somebody else has it, or it is kept for others. */
export const isTaken = (error: unknown) => error instanceof OpenError && error.reason === 'port'

/**
 * Listens on a port, or on the first of `others` that is free; the port it got.
 * @throws OpenError
 */
export async function listen(
  app: FastifyInstance,
  host: string,
  port: number,
  others: readonly number[] = [],
): Promise<number> {
  try {
    await app.listen({ host, port })
    return (app.server.address() as AddressInfo).port
  } catch (error) {
    const explained = explain(error, host, port)
    const [next, ...rest] = others
    if (next !== undefined && isTaken(explained)) return listen(app, host, next, rest)
    throw explained
  }
}

function explain(error: unknown, host: string, port: number): unknown {
  switch ((error as { code?: string }).code) {
    case 'EADDRINUSE':
      return new OpenError(
        'port',
        `Port ${port} is taken by another program. Choose another, or 0 for any free one.`,
        error,
      )
    case 'EACCES':
      return new OpenError(
        'port',
        `Port ${port} may not be used by this account. Choose one above 1023.`,
        error,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new OpenError('failed', `This machine has no address ${host} to listen on.`, error)
    default:
      return error
  }
}
