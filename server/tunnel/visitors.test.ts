import { expect, test } from 'vitest'
import { createVisitors } from './visitors.ts'

const connection = { remotePort: 50_000, localPort: 4781 }

test('a visitor is known by their own connection, while it lasts', () => {
  const visitors = createVisitors()
  const leave = visitors.enter(50_000, 4781, { address: '203.0.113.9', behindProxy: false })
  expect(visitors.addressAt(connection, undefined)).toBe('203.0.113.9')
  expect(visitors.addressAt({ ...connection, remotePort: 50_001 }, undefined)).toBeUndefined()
  // Another listener's connection may come from the same port.
  expect(visitors.addressAt({ ...connection, localPort: 4780 }, undefined)).toBeUndefined()
  expect(visitors.addressAt({}, '203.0.113.9')).toBeUndefined()
  leave()
  expect(visitors.addressAt(connection, undefined)).toBeUndefined()
})

test('one who leaves late takes nobody else along', () => {
  const visitors = createVisitors()
  const leave = visitors.enter(50_000, 4781, { address: '203.0.113.9', behindProxy: false })
  visitors.enter(50_000, 4781, { address: '203.0.113.10', behindProxy: false })
  leave()
  expect(visitors.addressAt(connection, undefined)).toBe('203.0.113.10')
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
  const visitors = createVisitors()
  visitors.enter(50_000, 4781, { address, behindProxy })
  expect(visitors.addressAt(connection, forwardedFor)).toBe(expected)
})
