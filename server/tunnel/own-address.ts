import type { TunnelSettings } from '../contract/tunnel.ts'
import { readAddress, readAddressIfAny } from './address.ts'
import type { ProviderKind } from './provider.ts'

/**
 * The owner's own reverse proxy or VPN, which brings what arrives at its address to the share listener. Galley starts
 * nothing; it only looks whether the address leads here, and whether the proxy says who the visitors are.
 */
export const ownAddress: ProviderKind<TunnelSettings['url']> = {
  unset: { public_address: '' },
  tidy: ({ public_address: typed }) => ({ public_address: readAddressIfAny(typed) }),
  requireComplete: ({ public_address: address }) => void readAddress(address),
  publicAddress: ({ public_address: address }) => address || null,
  create: ({ public_address: address }, { clientAddresses }) => ({
    name: 'url',
    preflight: () => Promise.resolve(),
    open(port) {
      const { promise: ended, resolve } = Promise.withResolvers<null>()
      let doubt: (() => void) | undefined
      return Promise.resolve({
        address,
        stable: true,
        ended,
        check: () => Promise.resolve(),
        onProbe({ namesClients }) {
          if (namesClients) return void (doubt ??= clientAddresses.trust(port))
          doubt?.()
          doubt = undefined
        },
        close() {
          doubt?.()
          return Promise.resolve(resolve(null))
        },
      })
    },
  }),
}
