/** Of IPv4: what isn't of the public internet (IANA's registry of special purposes), and Azure's own service. */
const innerIpv4: readonly [network: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
/** Of what IPv6 gives to the public internet (2000::/3): what leads elsewhere (Teredo, 6to4) or nowhere. */
const innerIpv6: readonly [network: string, bits: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

/**
 * Whether an address is one of this machine, of the network it is in, or none that anybody else may be at. What can't be
 * read counts as one.
 */
export function isInnerAddress(address: string): boolean {
  const four = ipv4(address)
  if (four !== undefined) return isInnerIpv4(four)
  const groups = ipv6(address)
  if (!groups) return true
  const [first, , , , , sixth, seventh, eighth] = groups
  const embedded = seventh! * 0x10000 + eighth!
  // IPv4 in IPv6's clothes (::ffff:…), and as a network without IPv4 reaches it (64:ff9b::…).
  if (startsWith(groups, ipv6('::')!, 80) && sixth === 0xffff) return isInnerIpv4(embedded)
  if (startsWith(groups, ipv6('64:ff9b::')!, 96)) return isInnerIpv4(embedded)
  if (first! >> 13 !== 1) return true
  return innerIpv6.some(([network, bits]) => startsWith(groups, ipv6(network)!, bits))
}

const isInnerIpv4 = (address: number) =>
  innerIpv4.some(([network, bits]) => {
    const size = 2 ** (32 - bits)
    return Math.floor(address / size) === Math.floor(ipv4(network)! / size)
  })

function ipv4(text: string): number | undefined {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return undefined
  const parts = text.split('.').map(Number)
  if (parts.some((part) => part > 255)) return undefined
  return parts.reduce((sum, part) => sum * 256 + part, 0)
}

/** Its eight groups. */
function ipv6(text: string): number[] | undefined {
  // What stands behind a % says by which way, and leads nowhere else.
  let address = text.replace(/%.*$/, '')
  const dotted = /(?<=:)[\d.]+$/.exec(address)?.[0]
  if (dotted?.includes('.')) {
    const four = ipv4(dotted)
    if (four === undefined) return undefined
    const hex = [Math.floor(four / 0x10000), four % 0x10000].map((part) => part.toString(16)).join(':')
    address = address.slice(0, -dotted.length) + hex
  }
  const halves = address.split('::')
  if (halves.length > 2) return undefined
  const [before, after] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const missing = 8 - before!.length - (after?.length ?? 0)
  if (after ? missing < 1 : missing !== 0) return undefined
  const groups = [...before!, ...Array<string>(missing).fill('0'), ...(after ?? [])]
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined
  return groups.map((group) => Number.parseInt(group, 16))
}

const startsWith = (groups: readonly number[], network: readonly number[], bits: number) =>
  groups.every((group, at) => {
    const shift = Math.max(0, 16 - Math.max(0, bits - at * 16))
    return group >> shift === network[at]! >> shift
  })
