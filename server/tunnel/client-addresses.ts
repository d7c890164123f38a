import { isIP } from 'node:net'

/** Where a connection begins and where it ends, as the one who took it sees it. */
export interface Ends {
  remotePort?: number | undefined
  localPort?: number | undefined
}

export interface TunnelClient {
  /** As the provider says. */
  address: string
  /** Whether a proxy beside the provider takes the visitors, and says in `X-Forwarded-For` who they are. */
  behindProxy: boolean
}

export type ClientAddresses = ReturnType<typeof createClientAddresses>

/**
 * Who is behind the connections that this process makes to the share listener for people elsewhere. Only what came
 * through such a connection is told from whom it is, so that nobody else can say so of themselves; and only the last
 * entry of `X-Forwarded-For` counts, since the proxy adds its own there to what visitors may have sent.
 */
export function createClientAddresses() {
  const known = new Map<string, TunnelClient>()
  const trusted = new Set<number>()
  const nameOf = (from: number, to: number) => `${from} ${to}`
  return {
    /** Before anything is sent through the connection. Returns what forgets it, for when it is over. */
    enter(from: number, to: number, client: TunnelClient): () => void {
      const name = nameOf(from, to)
      known.set(name, client)
      return () => {
        if (known.get(name) === client) known.delete(name)
      }
    },
    /**
     * For a provider whose program connects to `port` of this machine: whatever connects there is taken for it, since
     * only this machine can. Returns what ends it.
     */
    trust(port: number): () => void {
      trusted.add(port)
      return () => void trusted.delete(port)
    },
    /** The visitor's address; undefined for a connection that isn't one of these. */
    addressAt({ remotePort, localPort }: Ends, forwardedFor: string | undefined): string | undefined {
      const client = known.get(nameOf(remotePort ?? 0, localPort ?? 0))
      if (!client) return trusted.has(localPort ?? 0) ? lastOf(forwardedFor) : undefined
      if (!client.behindProxy || !isLoopback(client.address)) return client.address
      return lastOf(forwardedFor) ?? client.address
    },
  }
}

/** The last address in an `X-Forwarded-For`, which the nearest proxy has added; undefined if it is none. */
export function lastOf(forwardedFor: string | undefined): string | undefined {
  const last = forwardedFor?.split(',').at(-1)?.trim() ?? ''
  return isIP(last) === 0 ? undefined : last
}

const isLoopback = (address: string) => address === '::1' || /^(::ffff:)?127\./.test(address)
