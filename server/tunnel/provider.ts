import type { TunnelProvider as ProviderName, TunnelReason } from '../contract/tunnel.ts'

/** Why a tunnel doesn't work, in words for the person who wants it to. */
export class TunnelFailure extends Error {
  readonly reason: TunnelReason
  /** Whether waiting mends nothing, so that it isn't tried again by itself. */
  readonly final: boolean

  constructor(reason: TunnelReason, message: string, options: { final?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'TunnelFailure'
    this.reason = reason
    this.final = options.final ?? false
  }
}

/** An open way in from elsewhere to one port of this machine. */
export interface TunnelSession {
  /** An origin, `https://name` perhaps with a port, without a trailing slash. */
  readonly address: string
  /** Whether the next session will have the same address. */
  readonly stable: boolean
  /** Settles, never rejects, once the session is over: with why, or null after `close`. */
  readonly ended: Promise<TunnelFailure | null>
  /** Throws a TunnelFailure if the provider's own part of the way is dead. */
  probe(signal: AbortSignal): Promise<void>
  /** Ends it. Resolves however it goes. */
  close(): Promise<void>
}

/** One kind of tunnel, set up. It knows a port and no documents. */
export interface TunnelProvider {
  readonly name: ProviderName
  /** Checks what can be checked without the network; throws a TunnelFailure. */
  preflight(): Promise<void>
  /** Opens a way to 127.0.0.1:`port`; throws a TunnelFailure. Gives up at once when `signal` is aborted. */
  open(port: number, signal: AbortSignal): Promise<TunnelSession>
}
