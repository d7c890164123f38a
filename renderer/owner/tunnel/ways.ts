import type { Component } from 'svelte'
import type { TunnelProvider, TunnelSettings, TunnelStatus } from '../../../server/contract/tunnel.ts'
import SshForm from './SshForm.svelte'
import type { Tunnel } from './tunnel.svelte.ts'
import UrlForm from './UrlForm.svelte'

export interface WayProps<Settings> {
  settings: Settings
  type: (typed: Partial<Settings>) => void
  status: TunnelStatus
  tunnel: Tunnel
}

/** One way in from elsewhere, as a person chooses it. */
interface Way<Name extends TunnelProvider> {
  label: string
  /** What it is, in a line. */
  allows: string
  needs: string
  /** Who could read what goes through it, beside those who have a link. */
  readers: string
  Form: Component<WayProps<TunnelSettings[Name]>>
}

/** In the order in which they are offered. */
export const ways: { readonly [Name in TunnelProvider]: Way<Name> } = {
  ssh: {
    label: 'An SSH server of yours',
    allows: 'Galley signs in there and has one port brought here.',
    needs: 'A server with SSH that others can reach, and an address that leads to it.',
    readers:
      'Whoever runs that server: what arrives there over https is opened there, and goes on to you through SSH.',
    Form: SshForm,
  },
  url: {
    label: 'A proxy or VPN of yours',
    allows: 'You run it, and point it at this machine yourself.',
    needs: 'A reverse proxy or VPN that reaches this machine, and its address.',
    readers: 'Whoever runs the proxy. With a VPN, nobody in between.',
    Form: UrlForm,
  },
}
