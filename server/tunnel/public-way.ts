import { invalid } from '../contract/errors.ts'
import type { Secrets } from '../contract/secrets.ts'
import type { TunnelStatus } from '../contract/tunnel.ts'
import { ownAddress, readAddress } from './own-address.ts'
import { createProofs } from './proof.ts'
import { readTunnelSettings, unset, writeTunnelSettings, type TunnelSettings } from './settings.ts'
import { createTunnel, type Tunnel, type TunnelState, type TunnelTimes } from './tunnel.ts'

export interface PublicWayOptions {
  /** Where the owner's choice is kept over restarts; null keeps it nowhere. */
  file: string | null
  /** What was said when the server was started; it goes before what is in the file, and isn't kept. */
  settings?: TunnelSettings
  /** The share listener's port and its address on this machine. */
  port: () => number
  localUrl: () => string
  /** What keeps the keys and tokens of the providers that need any. */
  secrets: Secrets
  /** Told after each change of the state. */
  onStatus?: (status: TunnelStatus) => void
  times?: Partial<TunnelTimes>
}

export type PublicWay = ReturnType<typeof createPublicWay>

/**
 * The one way in from elsewhere that this server has, as the owner set it up; off unless they switched it on.
 * @throws GalleyError VALIDATION_ERROR if what was said at the start isn't an address
 */
export function createPublicWay(options: PublicWayOptions) {
  const proofs = createProofs()
  const file = options.settings ? null : options.file
  const said = options.settings && {
    ...options.settings,
    publicAddress: checkedAddress(options.settings.publicAddress ?? ''),
  }
  let settings = said ?? (file === null ? unset : readTunnelSettings(file))
  let tunnel: Tunnel | undefined
  let state: TunnelState = { state: 'off' }
  let host: string | null = null
  let turns = Promise.resolve()

  const status = (): TunnelStatus => ({
    state: state.state,
    provider: settings.provider,
    public_address: settings.publicAddress,
    share_url: state.state === 'online' ? state.address : options.localUrl(),
    share_port: options.port(),
    since: state.state === 'online' ? new Date(state.since).toISOString() : null,
    retry_at:
      state.state === 'reconnecting' && state.retryAt !== null ? new Date(state.retryAt).toISOString() : null,
    reason: 'reason' in state ? state.reason : null,
    message: 'message' in state ? state.message : null,
  })

  /** One after the other, so that what is taken down is down before the next comes up. */
  function turn(work: () => Promise<void>): Promise<void> {
    turns = turns.then(work, work)
    return turns
  }

  const begin = () =>
    turn(() => {
      tunnel = createTunnel({
        provider: ownAddress(settings.publicAddress ?? ''),
        port: options.port(),
        prove: proofs.prove,
        onAddress: (address) => void (host = address === null ? null : new URL(address).hostname),
        onState(next) {
          state = next
          options.onStatus?.(status())
        },
        ...(options.times ? { times: options.times } : {}),
      })
      tunnel.start()
      return Promise.resolve()
    })
  const end = () =>
    turn(async () => {
      await tunnel?.stop()
      tunnel = undefined
    })

  return {
    status,
    /** The host name of the public address, while the share listener has to answer to it. */
    host: () => host,
    /** What the share listener says to a question of ours; undefined to anybody else's. */
    answerTo: proofs.answerTo,
    /** Looks now: the machine was asleep, or the network came back. */
    wake: () => tunnel?.wake(),
    /** Begins what the owner had switched on when the server last ran. */
    async resume() {
      if (settings.on) await begin()
    },
    /**
     * Changes the owner's choice and acts on it.
     * @throws GalleyError VALIDATION_ERROR if what is to be switched on isn't set up; nothing has changed then
     */
    async change(wanted: Partial<TunnelSettings>): Promise<TunnelStatus> {
      const next = { ...settings, ...wanted }
      if (next.publicAddress !== null) next.publicAddress = checkedAddress(next.publicAddress)
      if (next.on && next.publicAddress === null)
        throw invalid('Say at which address people elsewhere reach this machine.')
      const same =
        next.on === settings.on &&
        next.provider === settings.provider &&
        next.publicAddress === settings.publicAddress
      if (file !== null) writeTunnelSettings(file, next)
      settings = next
      if (next.on && same && tunnel && state.state !== 'failed') tunnel.wake()
      else {
        // The address is withdrawn now; what is behind it goes in its own time.
        await end()
        if (next.on) await begin()
      }
      return status()
    },
    close: () => end(),
  }
}

function checkedAddress(typed: string): string {
  try {
    return readAddress(typed)
  } catch (error) {
    throw invalid((error as Error).message)
  }
}
