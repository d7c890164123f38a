import type { TunnelStatus } from '../../../server/contract/tunnel.ts'
import type { WatchedTunnel } from './tunnel.svelte.ts'

/** What the form of each provider is given. */
export interface ProviderFormProps<Settings> {
  settings: Settings
  type: (typed: Partial<Settings>) => void
  /** What was typed of the provider's secret, if it takes one. */
  secret: string
  typeSecret: (typed: string) => void
  status: TunnelStatus
  tunnel: WatchedTunnel
}
