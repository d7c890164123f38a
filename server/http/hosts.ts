import { bracketed, isLoopback } from '../domain/host.ts'

/** The names a listener answers to. A name without a port stands for every port. */
export type Hosts = (host: string | undefined) => boolean

/**
 * Whether a `Host` header names this listener. A page that has pointed its own name at 127.0.0.1 (DNS rebinding)
 * still says its own name here.
 */
export function servedHosts(
  port: () => number,
  extra: readonly string[],
  /** One more name that comes and goes, that of the tunnel's public address. Proxies leave out its port or don't. */
  visiting: () => string | null = () => null,
  /** Where it listens, if the owner has said so. */
  listening = 'localhost',
): Hosts {
  // The machine has more loopback addresses than anybody means, so of those only the one that was asked for.
  const loopback = ['127.0.0.1', 'localhost', '[::1]']
  if (isLoopback(listening)) loopback.push(bracketed(listening))
  const allowed = new Set(extra.map((name) => name.toLowerCase()))
  const serves = (host: string): boolean => {
    const [, name = '', digits] = /^(.*?)(?::(\d+))?$/.exec(host) ?? []
    const named = digits === undefined ? 80 : Number(digits)
    if ((loopback.includes(name) && named === port()) || allowed.has(name) || allowed.has(host)) return true
    const visitor = visiting()
    return visitor !== null && name === visitor
  }
  // Nearly every request says the same name as the one before it.
  let last: string | undefined
  let visitedBy: string | null = null
  return (header) => {
    if (header === undefined) return false
    if (header === last && visiting() === visitedBy) return true
    if (!serves(header.toLowerCase())) return false
    last = header
    visitedBy = visiting()
    return true
  }
}
