import { notSetUp } from './provider.ts'

/**
 * The origin that an owner typed: `https://`, or `http://` where the words needn't be hidden from the network (this
 * machine itself, a VPN that encrypts).
 * @throws TunnelFailure
 */
export function readAddress(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') throw notSetUp('Say at which address people elsewhere reach this machine.')
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`)
  if (!url || url.hostname === '')
    throw notSetUp(`“${trimmed}” is no address. It looks like https://galley.example.org.`)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw notSetUp(`The address starts with https://, not ${url.protocol}//.`)
  if (url.username !== '' || url.password !== '')
    throw notSetUp('The address must not hold a name or password: everyone with a link would see it.')
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw notSetUp(`Give Galley a host name of its own: the address ends after it, as in ${url.origin}.`)
  return url.origin
}

/** The same for an address that may be left out for now. */
export const readAddressIfAny = (text: string): string => (text.trim() === '' ? '' : readAddress(text))
