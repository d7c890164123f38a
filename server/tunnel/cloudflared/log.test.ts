import { expect, test } from 'vitest'
import { isRejection, readLog, reasonOf } from './log.ts'

// As cloudflared 2026.8.2 wrote them, with other times.
const line = (more: object) => JSON.stringify({ time: '2026-11-21T01:24:21Z', ...more })
const framed = line({
  level: 'info',
  message: '|  https://anchors-fake-words-here.trycloudflare.com                                         |',
})

test('the address of a temporary link is read from its frame, and from nowhere else', () => {
  expect(readLog(framed).address).toBe('https://anchors-fake-words-here.trycloudflare.com')
  for (const other of [
    line({ level: 'info', message: 'Requesting new quick Tunnel on trycloudflare.com...' }),
    line({ level: 'info', message: '|  https://evil.example/.trycloudflare.com  |' }),
    line({ level: 'info', message: '|  https://evil.example#x.trycloudflare.com  |' }),
    line({ level: 'error', message: '|  https://some-words.trycloudflare.com  |' }),
    'failed to request quick Tunnel: Post "https://api.trycloudflare.com/tunnel": EOF',
  ])
    expect(readLog(other).address).toBeUndefined()
})

test('it is told where it answers and when it is connected', () => {
  expect(
    readLog(line({ level: 'info', message: 'Starting metrics server on 127.0.0.1:18111/metrics' })).metrics,
  ).toBe('http://127.0.0.1:18111')
  expect(
    readLog(
      line({
        connIndex: 0,
        event: 0,
        level: 'info',
        location: 'FAK01',
        message: 'Registered tunnel connection',
        protocol: 'http2',
      }),
    ).connected,
  ).toBe(true)
  expect(readLog(line({ level: 'info', message: 'Lost connection with the edge' })).connected).toBeUndefined()
})

test('what is no JSON, or no text in it, is taken as its last line', () => {
  expect(readLog('Provided Tunnel token is not valid.')).toEqual({
    text: 'Provided Tunnel token is not valid.',
    bad: true,
  })
  expect(readLog(line({ level: 'info', message: 7 }))).toEqual({ text: '', bad: false })
  expect(readLog('null').bad).toBe(true)
})

test.each([
  [
    line({
      error: "invalid character 'e' looking for beginning of value",
      level: 'error',
      message: 'Error unmarshaling QuickTunnel response: error code: 1015',
      status_code: '429 Too Many Requests',
    }),
    'rate limited',
  ],
  [
    line({
      error: 'Unauthorized: Invalid tunnel secret',
      level: 'error',
      message: 'Register tunnel error from server side',
    }),
    'sign-in rejected',
  ],
  ['Provided Tunnel token is not valid.', 'sign-in rejected'],
  [
    line({
      error:
        'lookup _v2-origintunneld._tcp.argotunnel.com on 10.255.255.53:53: dial udp 10.255.255.53:53: connect: network is unreachable',
      level: 'error',
      message: 'edge discovery: error looking up Cloudflare edge IPs: the DNS query failed',
    }),
    'offline',
  ],
  [
    'failed to request quick Tunnel: Post "https://api.trycloudflare.com/tunnel": dial tcp: lookup api.trycloudflare.com on 127.0.0.53:53: server misbehaving',
    'offline',
  ],
  [
    line({
      error: 'DialContext error: dial tcp 127.0.0.1:7844: connect: connection refused',
      level: 'error',
      message: 'Unable to establish connection with Cloudflare edge',
    }),
    'network blocked',
  ],
  [
    line({
      error: 'failed to dial to edge with quic: timeout: no recent network activity',
      level: 'error',
      message: 'Failed to dial a quic connection',
    }),
    'network blocked',
  ],
  [line({ level: 'error', message: 'no more connections active and exiting' }), undefined],
])('%s means %s', (said, reason) => {
  expect(reasonOf(readLog(said).text)).toBe(reason)
})

test('only Cloudflare’s refusal of a token is one', () => {
  expect(isRejection('Register tunnel error from server side: Unauthorized: Tunnel not found')).toBe(true)
  expect(isRejection('Unable to establish connection with Cloudflare edge')).toBe(false)
})
