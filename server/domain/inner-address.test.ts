import { isIPv4, isIPv6 } from 'node:net'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isInnerAddress } from './inner-address.ts'

const inner = [
  ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255'],
  ...['172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  // Link-local, and what clouds tell their machines.
  ...['169.254.0.1', '169.254.169.254', '169.254.170.2', '168.63.129.16', '192.0.0.192', '100.100.100.200'],
  // Shared, for tests and documents, for many, for nobody.
  ...['100.64.0.1', '100.127.255.255', '198.18.0.1', '198.19.255.255', '192.0.2.1', '198.51.100.1'],
  ...['203.0.113.1', '192.88.99.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', 'fe80::1', 'fe80::1%eth0', 'febf::1', 'fc00::1', 'fd00:ec2::254', 'fdff::1', 'ff02::1'],
  ...[
    'fec0::1',
    '2001:db8::1',
    '2001::1',
    '2001:0:4136:e378::1',
    '2002:7f00:1::',
    '3fff::1',
    '100::1',
    '4000::1',
  ],
  // IPv4 within.
  ...[
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:10.0.0.1',
    '::FFFF:169.254.169.254',
    '::ffff:a00:1',
  ],
  ...[
    '::127.0.0.1',
    '::7f00:1',
    '64:ff9b::7f00:1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::1',
    '::ffff:0:127.0.0.1',
  ],
  // No addresses.
  ...[
    '',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '2130706433',
    '256.1.1.1',
    '1::2::3',
    '::ffff:999.0.0.1',
    '[::1]',
  ],
]
const outer = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '93.184.215.14', '100.63.255.255', '100.128.0.0'],
  ...['126.255.255.255', '128.0.0.1', '168.63.129.15', '169.253.255.255', '172.15.255.255', '172.32.0.0'],
  ...['192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255'],
  ...['2606:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001:82a::200e', '2003::1', '2001:200::1'],
  ...['::ffff:8.8.8.8', '::ffff:808:808', '64:ff9b::8.8.8.8'],
]

it.each(inner)('“%s” is of the inner network', (address) => expect(isInnerAddress(address)).toBe(true))
it.each(outer)('“%s” is not', (address) => expect(isInnerAddress(address)).toBe(false))

it('reads every address that Node reads, and tells IPv4 in IPv6 as it tells IPv4', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(isIPv4(address)).toBe(true)
      expect(isInnerAddress(`::ffff:${address}`)).toBe(isInnerAddress(address))
    }),
  )
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      expect(isIPv6(address)).toBe(true)
      const plain = new URL(`http://[${address}]`).hostname.slice(1, -1)
      expect(isInnerAddress(address)).toBe(isInnerAddress(plain))
    }),
  )
})
