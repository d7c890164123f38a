import type { Secrets } from '../contract/secrets.ts'
import type { ClientAddresses } from './client-addresses.ts'
import type { ProviderName, TunnelReason } from '../contract/tunnel.ts'

interface FailureOptions {
  final?: boolean
  toConfirm?: string
  cause?: unknown
}

/** Why a tunnel doesn't work, in words for the person who wants it to. */
export class TunnelFailure extends Error {
  readonly reason: TunnelReason
  /** Whether waiting mends nothing, so that it isn't tried again by itself. */
  readonly final: boolean
  /** What waits for the person's yes, if anything does. */
  readonly toConfirm: string | undefined

  constructor(reason: TunnelReason, message: string, options: FailureOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'TunnelFailure'
    this.reason = reason
    this.final = options.final ?? false
    this.toConfirm = options.toConfirm
  }
}

/** What is missing or wrong in the settings. */
export const notSetUp = (message: string) => new TunnelFailure('not set up', message, { final: true })

/** What a fetch of the public address has shown. */
export interface ProbeResult {
  /**
   * Whether a proxy on the way says in `X-Forwarded-For` from whom a request came. The fetch claimed to be from
   * somebody: where that came through as the last entry, visitors could claim it, too.
   */
  readonly namesClients: boolean
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
  check(signal: AbortSignal): Promise<void>
  /** Told of each probe that came back through it. */
  onProbe?(result: ProbeResult): void
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

/** A copy of another's program that Galley was told to download, there or not. */
export interface ProgramCopy {
  readonly file: string
  readonly version: string
  /** Whether there is one for this machine. */
  readonly available: boolean
  /**
   * Whether it is there and what was published.
   * @throws TunnelFailure if it is there but something else
   */
  check(): Promise<boolean>
}

/** What a provider may use besides its settings. */
export interface ProviderParts {
  secrets: Secrets
  /** Where it says who is behind the connections that it makes, if it makes any itself. */
  clientAddresses: ClientAddresses
  /** Galley's own copy of cloudflared, there or not. */
  cloudflared: ProgramCopy
}

/** One kind of tunnel that can be chosen. */
export interface ProviderKind<Settings> {
  /** As long as nobody has said anything else. */
  readonly unset: Settings
  /**
   * The settings as they are kept; `before` is how they were.
   * @throws TunnelFailure if what was typed makes no sense; what is merely missing is fine
   */
  tidy(settings: Settings, before: Settings): Settings
  /** @throws TunnelFailure if something is missing without which it can't be switched on */
  requireComplete(settings: Settings): void
  /** Where links will open, as far as that is known before it is opened. */
  publicAddress(settings: Settings): string | null
  create(settings: Settings, parts: ProviderParts): TunnelProvider
}
