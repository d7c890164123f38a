import type { Component } from 'svelte'
import type { ProviderName, TunnelSettings } from '../../../server/contract/tunnel.ts'
import CloudflaredForm from './CloudflaredForm.svelte'
import NgrokForm from './NgrokForm.svelte'
import SshForm from './SshForm.svelte'
import type { ProviderFormProps } from './provider-form.ts'
import UrlForm from './UrlForm.svelte'

/** One provider, as a person chooses it. */
interface ProviderOption<Name extends ProviderName> {
  label: string
  /** What it is, in a line. */
  allows: string
  needs: string
  /** Who could read what goes through it, beside those who have a link. */
  readers: string
  Form: Component<ProviderFormProps<TunnelSettings[Name]>>
}

/** In the order in which they are offered. */
export const providers: { readonly [Name in ProviderName]: ProviderOption<Name> } = {
  cloudflared: {
    label: 'Cloudflare',
    allows: 'A temporary link, or a tunnel of yours.',
    needs: 'Cloudflare’s program cloudflared on this machine.',
    readers: 'Cloudflare. It opens what comes over https, and passes it on to you through its tunnel.',
    Form: CloudflaredForm,
  },
  ssh: {
    label: 'An SSH server of yours',
    allows: 'Galley signs in there and has one port brought here.',
    needs: 'A server with SSH that others can reach, and an address that leads to it.',
    readers:
      'Whoever runs that server: what arrives there over https is opened there, and goes on to you through SSH.',
    Form: SshForm,
  },
  ngrok: {
    label: 'ngrok',
    allows: 'Galley signs in there by itself. Nothing to install.',
    needs: 'An ngrok account. With a free one, visitors see a notice of ngrok’s first.',
    readers: 'ngrok. It opens what comes over https, and passes it on to you through its tunnel.',
    Form: NgrokForm,
  },
  url: {
    label: 'A proxy or VPN of yours',
    allows: 'You run it, and point it at this machine yourself.',
    needs: 'A reverse proxy or VPN that reaches this machine, and its address.',
    readers: 'Whoever runs the proxy. With a VPN, nobody in between.',
    Form: UrlForm,
  },
}
