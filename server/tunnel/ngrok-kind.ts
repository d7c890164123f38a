import type { NgrokSettings } from '../contract/ngrok.ts'
import { behindEdge } from './behind-edge.ts'
import { findSecret } from './secret.ts'
import { ngrok, readDomain } from './ngrok.ts'
import type { ProviderKind } from './provider.ts'

/** A tunnel of the owner's ngrok account. */
export const ngrokTunnel: ProviderKind<NgrokSettings> = {
  unset: { domain: '' },
  tidy: ({ domain }) => ({ domain: domain.trim() === '' ? '' : readDomain(domain) }),
  requireComplete: () => undefined,
  publicAddress: ({ domain }) => (domain === '' ? null : `https://${domain}`),
  create: ({ domain }, { secrets, clientAddresses }) =>
    behindEdge(
      ngrok({
        token: () => findSecret(secrets, 'ngrok-token'),
        domain: domain === '' ? null : domain,
      }),
      clientAddresses,
    ),
}
