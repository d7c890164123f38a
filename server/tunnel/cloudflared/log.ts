import type { TunnelReason } from '../../contract/tunnel.ts'

/** What a line of cloudflared's log tells. */
export interface LogLine {
  /** What it says, with what it says of the error. */
  text: string
  /** Whether it tells of something that went wrong. */
  bad: boolean
  /** The address that a quick tunnel was given. */
  address?: string
  /** Where it answers whether it is connected. */
  metrics?: string
  /** Whether a connection to Cloudflare stands. */
  connected?: true
}

/** Reads a line written with `--output json`. The last line of a failing cloudflared is plain text nevertheless. */
export function readLog(line: string): LogLine {
  const { message, error, status, level } = parse(line)
  const read: LogLine = {
    text: [message, error, status].filter((part) => part !== '').join(': '),
    bad: level === 'error' || level === 'fatal',
  }
  if (read.bad) return read
  // In a frame of its own; elsewhere the log names other addresses of the same domain.
  const [, address] = /^\|\s+(https:\/\/[a-z0-9-]+\.trycloudflare\.com)\s+\|$/.exec(message) ?? []
  const [, metrics] = /^Starting metrics server on (127\.0\.0\.1:\d+)\/metrics$/.exec(message) ?? []
  if (address !== undefined) read.address = address
  if (metrics !== undefined) read.metrics = `http://${metrics}`
  if (message === 'Registered tunnel connection') read.connected = true
  return read
}

function parse(line: string) {
  try {
    const { message, error, status_code, level } = JSON.parse(line) as Record<string, unknown>
    return { message: text(message), error: text(error), status: text(status_code), level: text(level) }
  } catch {
    return { message: line.trim(), error: '', status: '', level: 'fatal' }
  }
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** Whether Cloudflare refuses the token; it may also do so for a few seconds to a tunnel that was just made. */
export const isRejection = (said: string) => /Unauthorized|Invalid tunnel secret|Tunnel not found/i.test(said)

/** What a line about something that went wrong means; undefined if it isn't known. */
export function reasonOf(said: string): TunnelReason | undefined {
  if (/\b429\b|error code: 1015/.test(said)) return 'rate limited'
  if (isRejection(said) || /token is not valid/i.test(said)) return 'sign-in rejected'
  if (
    /\blookup \S+(argotunnel|trycloudflare)|no such host|network is unreachable|no route to host/.test(said)
  )
    return 'offline'
  if (
    /Unable to establish connection|Failed to dial|connection refused|i\/o timeout|no recent network activity|TLS handshake|no free edge addresses/.test(
      said,
    )
  )
    return 'network blocked'
  return undefined
}
