import { isInnerAddress } from './inner-address.ts'

/**
 * Why nothing can be sent to an address, for the person who gave it; null where it can. To which machine a name leads is
 * only known when something is sent, and looked at each time.
 * @param mayReachWithin whether the person may allow the inner network, which is only of use to be told then
 */
export function webhookUrlProblem(
  text: string,
  innerNetwork: boolean,
  mayReachWithin: boolean,
): string | null {
  const url = /\s/.test(text) ? null : URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return 'must be a whole address that begins with “https://”.'
  if (url.username !== '' || url.password !== '') return 'can’t have a name or password in it.'
  if (url.hash !== '') return 'can’t have a “#” in it: what follows it is never sent.'
  if (innerNetwork) return null
  if (url.protocol !== 'https:')
    return mayReachWithin
      ? 'must begin with “https://”, unless it is in the inner network and you allow that.'
      : 'must begin with “https://”.'
  if (isInnerHost(url.hostname))
    return mayReachWithin
      ? 'is in the inner network. Allow that for this webhook, if it is meant so.'
      : 'is in the inner network, where only the user this machine belongs to may send.'
  return null
}

/** Whether the host of a URL says by itself that it is within. */
function isInnerHost(host: string): boolean {
  if (/(^|\.)localhost\.?$/.test(host)) return true
  const isAddress = host.startsWith('[') || /^[\d.]+$/.test(host)
  return isAddress && isInnerAddress(host.replace(/^\[|\]$/g, ''))
}
