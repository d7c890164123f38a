import type { IncomingMessage } from 'node:http'

/** What of a request tells from where it came. */
export type Arrived = Pick<IncomingMessage, 'socket' | 'headers'>

export interface Tunnelled {
  tunnel: {
    /** Who is behind a connection that the tunnel made; undefined for every other. */
    clientAddressAt: (
      socket: IncomingMessage['socket'],
      forwardedFor: string | undefined,
    ) => string | undefined
  }
}

/**
 * The address that a request came from, for rate limits: the only place that decides it. Whoever connects from another
 * machine is at the socket's other end; of what comes through the tunnel the provider knows it. No header counts but
 * that of a proxy which the tunnel knows of.
 */
export function remoteAddress({ tunnel }: Tunnelled, { socket, headers }: Arrived): string {
  return tunnel.clientAddressAt(socket, forwardedFor(headers)) ?? socket.remoteAddress ?? ''
}

/** For whom a request claims to come. */
export function forwardedFor({ 'x-forwarded-for': said }: Arrived['headers']): string | undefined {
  return Array.isArray(said) ? said.join(',') : said
}
