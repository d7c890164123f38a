/** The names a listener answers to. A name without a port stands for every port. */
export type Hosts = (host: string | undefined) => boolean

/**
 * Whether a `Host` header names this listener. A page that has pointed its own name at 127.0.0.1 (DNS rebinding)
 * still says its own name here.
 */
export function servedHosts(
  port: () => number,
  extra: readonly string[],
  live: () => readonly string[] = () => [],
): Hosts {
  const loopback = ['127.0.0.1', 'localhost', '[::1]']
  const allowed = new Set(extra.map((name) => name.toLowerCase()))
  return (header) => {
    if (header === undefined) return false
    const host = header.toLowerCase()
    const split = /^(.*?)(?::(\d+))?$/.exec(host)!
    const name = split[1]!
    const named = split[2] === undefined ? 80 : Number(split[2])
    if (loopback.includes(name) && named === port()) return true
    return allowed.has(name) || allowed.has(host) || live().some((one) => one === name || one === host)
  }
}
