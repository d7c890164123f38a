import dns from 'node:dns/promises'
import { isIP } from 'node:net'
import { isInnerAddress } from '../domain/inner-address.ts'

export interface Address {
  address: string
  family: number
}
/** To which addresses a name leads. */
export type Resolve = (name: string) => Promise<Address[]>

/** Why an address isn't asked, in words for the person whose webhook it is. */
export class AddressRefused extends Error {}

/** The system's resolver holds a thread for each name, of the few that all of Node has. */
const namesAtOnce = 2

/** The system's own answers: of a name that is asked for already, the same, and of no more than a few at one time. */
export function systemResolve(
  lookup: Resolve = (name) => dns.lookup(name, { all: true, verbatim: true }),
): Resolve {
  const asked = new Map<string, Promise<Address[]>>()
  const waiting: (() => void)[] = []
  let running = 0
  async function ask(name: string): Promise<Address[]> {
    if (running >= namesAtOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    running++
    try {
      return await lookup(name)
    } finally {
      running--
      asked.delete(name)
      waiting.shift()?.()
    }
  }
  return (name) => {
    const answer = asked.get(name) ?? ask(name)
    asked.set(name, answer)
    return answer
  }
}

/**
 * The addresses that a host leads to, where something may be sent to all of them. Whoever connects takes these and asks
 * nobody again, so that a name that leads elsewhere a moment later (DNS rebinding) gains nothing.
 * @param host as a URL has it
 * @throws AddressRefused
 */
export async function checkedAddresses(
  host: string,
  innerNetwork: boolean,
  resolve: Resolve,
): Promise<Address[]> {
  const literal = host.replace(/^\[|\]$/g, '')
  const family = isIP(literal)
  const addresses = family === 0 ? await resolve(host) : [{ address: literal, family }]
  if (addresses.length === 0) throw new AddressRefused('Its name leads nowhere.')
  if (!innerNetwork && addresses.some(({ address }) => isInnerAddress(address)))
    throw new AddressRefused('It is in the inner network, which isn’t allowed for this webhook.')
  return addresses
}
