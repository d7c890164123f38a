import { createClientOf } from '../../contract/client-of.ts'
import { routes } from '../../contract/routes.ts'
import { UsageError } from '../command.ts'
import type { AskedGalley } from './asked-galley.ts'

/** A Galley that is asked over HTTP, with a key. */
export function galleyElsewhere(address: string, key: string, ask: typeof fetch = fetch): AskedGalley {
  let upTo = 0
  const withKey: typeof fetch = async (url, init) => {
    const headers = { ...(init?.headers as Record<string, string>), authorization: `Bearer ${key}` }
    // A key must not follow to wherever an answer points.
    const response = await ask(url, { ...init, headers, redirect: 'manual' })
    const told = response.headers.get('galley-events-up-to')
    if (told !== null) upTo = Number(told)
    return response
  }
  const client = createClientOf(routes, { base: baseOf(address), fetch: withKey })
  return {
    call: client.call,
    // It answers, or nothing is done.
    isRunning: () => true,
    async events(query, left) {
      const events = await client.call('listEvents', { query: { ...query }, ...(left && { signal: left }) })
      return { events, upTo }
    },
  }
}

/** @throws UsageError */
function baseOf(address: string): string {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`GALLEY_URL is “${address}”, which is no address such as http://127.0.0.1:4780.`)
  // The key is sent as a header; what stands in an address ends up in logs.
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      'GALLEY_URL has a name or password in it. Leave it out; the key is all that is needed.',
    )
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
