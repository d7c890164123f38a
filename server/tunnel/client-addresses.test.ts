import { expect, test } from 'vitest'
import { createClientAddresses } from './client-addresses.ts'

const connection = { remotePort: 50_000, localPort: 4781 }

test('a visitor is known by their own connection, while it lasts', () => {
  const clientAddresses = createClientAddresses()
  const leave = clientAddresses.enter(50_000, 4781, { address: '203.0.113.9', behindProxy: false })
  expect(clientAddresses.addressAt(connection, undefined)).toBe('203.0.113.9')
  expect(clientAddresses.addressAt({ ...connection, remotePort: 50_001 }, undefined)).toBeUndefined()
  // Another listener's connection may come from the same port.
  expect(clientAddresses.addressAt({ ...connection, localPort: 4780 }, undefined)).toBeUndefined()
  expect(clientAddresses.addressAt({}, '203.0.113.9')).toBeUndefined()
  leave()
  expect(clientAddresses.addressAt(connection, undefined)).toBeUndefined()
})

test('one who leaves late takes nobody else along', () => {
  const clientAddresses = createClientAddresses()
  const leave = clientAddresses.enter(50_000, 4781, { address: '203.0.113.9', behindProxy: false })
  clientAddresses.enter(50_000, 4781, { address: '203.0.113.10', behindProxy: false })
  leave()
  expect(clientAddresses.addressAt(connection, undefined)).toBe('203.0.113.10')
})

test.each([
  ['127.0.0.1', true, '198.51.100.7', '198.51.100.7'],
  ['127.0.0.1', true, '1.1.1.1, 198.51.100.7', '198.51.100.7'],
  ['::1', true, '1.1.1.1,2001:db8::7 ', '2001:db8::7'],
  ['127.0.0.1', true, undefined, '127.0.0.1'],
  ['127.0.0.1', true, '', '127.0.0.1'],
  ['127.0.0.1', true, '198.51.100.7, unknown', '127.0.0.1'],
  ['127.0.0.1', true, '198.51.100.7, <b>', '127.0.0.1'],
  // Without a proxy, or past it, the header is the visitor's own.
  ['127.0.0.1', false, '198.51.100.7', '127.0.0.1'],
  ['203.0.113.9', true, '198.51.100.7', '203.0.113.9'],
])('from %s, with a proxy there: %s, “%s” is %s', (address, behindProxy, forwardedFor, expected) => {
  const clientAddresses = createClientAddresses()
  clientAddresses.enter(50_000, 4781, { address, behindProxy })
  expect(clientAddresses.addressAt(connection, forwardedFor)).toBe(expected)
})
