import { describe, expect, it } from 'vitest'
import { servedHosts } from './hosts.ts'
import { isOwnOrigin } from './origin.ts'

it('a visiting name is answered to, on any port, as long as it stays', () => {
  let visitor: string | null = null
  const serves = servedHosts(
    () => 4781,
    [],
    () => visitor,
  )
  expect(serves('galley.example')).toBe(false)
  visitor = 'galley.example'
  expect(['galley.example', 'Galley.example:8443', 'other.example'].map(serves)).toEqual([true, true, false])
  visitor = null
  expect(serves('Galley.example:8443')).toBe(false)
  expect(serves('galley.example')).toBe(false)
})

describe('a listener answers to', () => {
  const serves = servedHosts(() => 4780, ['Galley.example', 'desk.local:8080'])

  it.each([
    '127.0.0.1:4780',
    'localhost:4780',
    '[::1]:4780',
    'LOCALHOST:4780',
    'galley.example',
    'GALLEY.example:9999',
    'desk.local:8080',
  ])('%s', (host) => expect(serves(host)).toBe(true))

  it.each([
    undefined,
    '',
    ' ',
    ':4780',
    '127.0.0.1',
    'localhost',
    '127.0.0.1:4781',
    '127.0.0.1:478',
    '127.0.0.1:47800',
    '127.0.0.1:4780:4780',
    '127.0.0.1:-4780',
    '127.0.0.1: 4780',
    '127.0.0.2:4780',
    '0.0.0.0:4780',
    '127.1:4780',
    '2130706433:4780',
    '[::ffff:127.0.0.1]:4780',
    '::1:4780',
    'localhost.:4780',
    'localhost.evil.example:4780',
    'evil.example',
    'evil.example:4780',
    'evilgalley.example',
    'galley.example.evil',
    'desk.local',
    'desk.local:80',
    'galley.example, evil.example',
    'galley.example@evil.example',
    'galley.example/evil',
    'galley.example\0',
  ])('not %j', (host) => expect(serves(host)).toBe(false))

  it('its name without a port on port 80', () => {
    const web = servedHosts(() => 80, [])
    expect([web('localhost'), web('127.0.0.1:80'), web('localhost:4780')]).toEqual([true, true, false])
  })
})

describe('where the owner has said where to listen, it answers to', () => {
  const serving = (listening: string) => servedHosts(() => 4780, [], undefined, listening)

  it.each([
    ['127.0.0.2', '127.0.0.2:4780', true],
    ['127.0.0.2', '127.0.0.1:4780', true],
    ['127.0.0.2', '127.0.0.2', false],
    ['127.0.0.2', '127.0.0.2:4781', false],
    ['127.0.0.2', '127.0.0.3:4780', false],
    ['::1', '[::1]:4780', true],
    ['0.0.0.0', '0.0.0.0:4780', false],
    ['192.168.1.2', '192.168.1.2:4780', false],
    ['127.evil.example', '127.evil.example:4780', false],
  ])('--host %s: %s: %s', (listening, host, answered) => expect(serving(listening)(host)).toBe(answered))
})

describe('an origin is the server’s own', () => {
  it.each([
    [undefined, 'localhost:4780', true],
    ['http://localhost:4780', 'localhost:4780', true],
    ['http://localhost:4780', 'LOCALHOST:4780', true],
    ['http://localhost', 'localhost:80', true],
    ['https://galley.example', 'galley.example', true],
    ['https://galley.example', 'galley.example:443', true],
    ['http://[::1]:4780', '[::1]:4780', true],
    ['null', 'localhost:4780', false],
    ['', 'localhost:4780', false],
    ['localhost:4780', 'localhost:4780', false],
    ['http://localhost:4781', 'localhost:4780', false],
    ['http://127.0.0.1:4780', 'localhost:4780', false],
    ['http://localhost:4780.evil.example', 'localhost:4780', false],
    ['http://evil.example', 'localhost:4780', false],
    ['http://', 'localhost:4780', false],
    ['http://localhost:4780', undefined, false],
    ['ftp://localhost:4780', 'localhost:4780', false],
  ])('where %j comes to %j: %s', (origin, host, own) => expect(isOwnOrigin({ origin, host })).toBe(own))
})
