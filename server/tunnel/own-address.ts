import { TunnelFailure, type TunnelProvider } from './provider.ts'

/**
 * The owner's own reverse proxy or VPN, which brings what arrives at `url` to the share listener. Galley starts
 * nothing; it only looks whether the address leads here.
 */
export function ownAddress(address: string): TunnelProvider {
  return {
    name: 'url',
    preflight: () => Promise.resolve(void readAddress(address)),
    open() {
      const origin = readAddress(address)
      const { promise: ended, resolve } = Promise.withResolvers<null>()
      return Promise.resolve({
        address: origin,
        stable: true,
        ended,
        probe: () => Promise.resolve(),
        close: () => Promise.resolve(resolve(null)),
      })
    },
  }
}

/**
 * The origin that an owner typed: `https://`, or `http://` where the words needn't be hidden from the network (this
 * machine itself, a VPN that encrypts).
 * @throws TunnelFailure
 */
export function readAddress(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') throw refused('Say at which address people elsewhere reach this machine.')
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`)
  if (!url || url.hostname === '')
    throw refused(`“${trimmed}” is no address. It looks like https://galley.example.org.`)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refused(`The address starts with https://, not ${url.protocol}//.`)
  if (url.username !== '' || url.password !== '')
    throw refused('The address must not hold a name or password: everyone with a link would see it.')
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw refused(`Give Galley a host name of its own: the address ends after it, as in ${url.origin}.`)
  return url.origin
}

const refused = (message: string) => new TunnelFailure('not set up', message, { final: true })
