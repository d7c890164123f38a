import type { IncomingMessage } from 'node:http'
import type { Context } from './context.ts'

/** What of a request tells from where it came. */
export type Arrived = Pick<IncomingMessage, 'socket' | 'headers'>

/**
 * The address that a request came from, for rate limits: the only place that decides it. Whoever connects from another
 * machine is at the socket's other end; of what comes through the tunnel the provider knows it. No header counts but
 * that of a proxy which the tunnel knows of.
 */
export function remoteAddress({ tunnel }: Pick<Context, 'tunnel'>, { socket, headers }: Arrived): string {
  const { 'x-forwarded-for': forwarded } = headers
  const said = Array.isArray(forwarded) ? forwarded.join(',') : forwarded
  return tunnel.visitorAt(socket, said) ?? socket.remoteAddress ?? ''
}
