import { isDeepStrictEqual } from 'node:util'
import { GalleyError, invalid } from '../contract/errors.ts'
import { SecretFailure, type SecretName, type Secrets } from '../contract/secrets.ts'
import type { CloudflaredProgram } from '../contract/cloudflared.ts'
import type { TunnelChange, TunnelSettings, TunnelSetup, TunnelStatus } from '../contract/tunnel.ts'
import type { Installation } from './cloudflared/installation.ts'
import { createReachabilityProbes } from './reachability-probe.ts'
import { changedSettings, createProvider, publicAddressOf, requireComplete } from './providers.ts'
import { TunnelFailure } from './provider.ts'
import { readTunnelChoice, unset, writeTunnelChoice, type TunnelChoice } from './settings.ts'
import { createNotedSecrets } from './noted-secrets.ts'
import { createKey } from './ssh/key.ts'
import { createTunnel, type Tunnel, type TunnelState, type TunnelTimes } from './tunnel.ts'
import { createClientAddresses } from './client-addresses.ts'

export interface TunnelEndpointOptions {
  /** Where the owner's choice is kept over restarts; null keeps it nowhere. */
  file: string | null
  /** What was said when the server was started; it goes before what is in the file, and isn't kept. */
  said?: TunnelSetup
  /** The share listener's port and its address on this machine. */
  port: () => number
  localUrl: () => string
  /** Whether the share listener has its port. While it hasn't, whatever has it must not be shown to people elsewhere. */
  isListening?: () => boolean
  /** What keeps the keys and tokens of the providers that need any. */
  secrets: Secrets
  cloudflared: Installation
  /** Told after each change of the state. */
  onStatus?: (status: TunnelStatus) => void
  times?: Partial<TunnelTimes>
}

/**
 * The one way in from elsewhere that this server has, as the owner set it up; off unless they switched it on.
 * @throws GalleyError VALIDATION_ERROR if what was said at the start isn't enough to switch it on
 */
export function createTunnelEndpoint(options: TunnelEndpointOptions) {
  const probes = createReachabilityProbes()
  const clientAddresses = createClientAddresses()
  const { cloudflared } = options
  const file = options.said ? null : options.file
  let choice = options.said
    ? checked(unset, { ...options.said, on: true })
    : file === null
      ? unset
      : readTunnelChoice(file)
  /** What the file says. */
  let kept = choice
  let tunnel: Tunnel | undefined
  let state: TunnelState = { state: 'off' }
  let host: string | null = null
  let turns = Promise.resolve()
  let isClosed = false

  /**
   * The settings with the program that is to be started: what was said at the start, else what was chosen on this
   * machine, else what an earlier Galley kept.
   */
  const inUse = (): TunnelSettings => {
    const program = options.said ? undefined : cloudflared.chosen()
    if (program === undefined) return choice.settings
    return { ...choice.settings, cloudflared: { ...choice.settings.cloudflared, program } }
  }
  let started: TunnelSettings | undefined

  const status = (): TunnelStatus => {
    const { provider } = choice
    const settings = inUse()
    const retryAt = state.state === 'reconnecting' ? state.retryAt : null
    return {
      state: state.state,
      provider,
      settings,
      secrets: choice.secrets,
      ssh_public_key: choice.sshPublicKey,
      public_address: publicAddressOf(provider, settings),
      share_url: state.state === 'online' ? state.address : options.localUrl(),
      share_port: options.port(),
      since: state.state === 'online' ? new Date(state.since).toISOString() : null,
      retry_at: retryAt === null ? null : new Date(retryAt).toISOString(),
      reason: 'reason' in state ? state.reason : null,
      message: 'message' in state ? state.message : null,
      to_confirm: ('toConfirm' in state ? state.toConfirm : undefined) ?? null,
    }
  }

  function write(next: TunnelChoice) {
    if (file === null || isDeepStrictEqual(next, kept)) return
    try {
      writeTunnelChoice(file, next)
    } catch (error) {
      if (next.on || !kept.on) throw error
      const message =
        'People elsewhere can’t reach your links any more, but Galley can’t write that down: when it starts again, they can. Is the disk full?'
      throw new GalleyError('INTERNAL_ERROR', message, { cause: error })
    }
    kept = next
  }
  function keep(next: TunnelChoice) {
    write(next)
    choice = next
  }

  const secrets = createNotedSecrets(options.secrets, { now: () => choice, keep })

  /** One after the other, so that what is taken down is down before the next comes up. */
  function turn(work: () => Promise<void>): Promise<void> {
    turns = turns.then(work, work)
    return turns
  }

  function start() {
    const settings = inUse()
    started = settings
    const coming = createTunnel({
      provider: createProvider(choice.provider, settings, {
        secrets,
        clientAddresses,
        cloudflared: cloudflared.copy,
      }),
      port: options.port(),
      probe: probes.send,
      onAddress(address) {
        if (tunnel === coming) host = address === null ? null : new URL(address).hostname
      },
      onState(next) {
        if (tunnel !== coming) return
        state = next
        options.onStatus?.(status())
      },
      ...(options.times ? { times: options.times } : {}),
    })
    tunnel = coming
    coming.start()
  }

  /**
   * The address is withdrawn now; what is behind it goes in its own time. All in one turn: where changes come at the
   * same time, the last one takes down what the others have brought up.
   */
  const beginAnew = () =>
    turn(async () => {
      await tunnel?.stop()
      tunnel = undefined
      if (choice.on && !isClosed && (options.isListening?.() ?? true)) start()
    })

  const describe = () => cloudflared.describe(inUse().cloudflared.program || null)

  return {
    status,
    /** The host name of the public address, while the share listener has to answer to it. */
    host: () => host,
    /** What the share listener says to a question of ours; undefined to anybody else's. */
    answerTo: probes.answerTo,
    /** Who is behind a connection to the share listener that was made for somebody elsewhere. */
    clientAddressAt: clientAddresses.addressAt,
    /** Looks now: the machine was asleep, or the network came back. */
    wake: () => tunnel?.wake(),
    /** Begins what the owner had switched on when the server last ran. */
    async resume() {
      await beginAnew()
    },
    /**
     * Changes the owner's choice and acts on it.
     * @throws GalleyError VALIDATION_ERROR if what is to be switched on isn't set up; nothing has changed then
     */
    async change(wanted: TunnelChange): Promise<TunnelStatus> {
      checked(choice, wanted)
      const given = Object.entries(wanted.secrets ?? {}) as [SecretName, string | null][]
      for (const [name, value] of given)
        await explained(value === null ? secrets.remove(name) : secrets.set(name, value))
      const before = choice
      const next = checked(choice, wanted)
      if (before.on && !next.on) {
        // Off before anything that may fail, such as writing that down.
        choice = next
        await beginAnew()
        write(choice)
        return status()
      }
      keep(next)
      const isSame =
        next.on === before.on &&
        next.provider === before.provider &&
        isDeepStrictEqual(next.settings[next.provider], before.settings[next.provider]) &&
        // Another program may have been chosen beside this.
        (!next.on || isDeepStrictEqual(inUse()[next.provider], started?.[next.provider]))
      if (!isSame || given.length > 0 || state.state === 'failed') await beginAnew()
      else tunnel?.wake()
      return status()
    },
    /**
     * Makes the key with which Galley signs in to an SSH server, in the place of the one before; its public half.
     * @throws GalleyError if it can't be kept; nothing has changed then
     */
    async createSshKey(): Promise<string> {
      const publicKey = await explained(createKey(secrets))
      if (choice.provider === 'ssh') await beginAnew()
      return publicKey
    },
    /** Which cloudflared would be started, and what could be downloaded. */
    describeCloudflared: describe,
    /** Begins to download cloudflared, as a person has agreed to. */
    downloadCloudflared(): Promise<CloudflaredProgram> {
      cloudflared.download()
      return describe()
    },
    async close() {
      isClosed = true
      await Promise.all([cloudflared.close(), beginAnew()])
    },
  }
}

/** @throws GalleyError VALIDATION_ERROR */
function checked(
  before: TunnelChoice,
  { on, provider, secrets: _apart, ...settings }: TunnelSetup & TunnelChange,
): TunnelChoice {
  try {
    const next = {
      ...before,
      on: on ?? before.on,
      provider: provider ?? before.provider,
      settings: changedSettings(before.settings, settings),
    }
    if (next.on) requireComplete(next.provider, next.settings)
    return next
  } catch (error) {
    if (error instanceof TunnelFailure) throw invalid(error.message)
    throw error
  }
}

async function explained<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof SecretFailure)) throw error
    if (error.reason === 'set elsewhere') throw invalid(error.message)
    throw new GalleyError('INTERNAL_ERROR', error.message, { cause: error })
  }
}
