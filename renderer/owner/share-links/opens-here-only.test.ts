import { expect, test } from 'vitest'
import { opensHereOnly } from './opens-here-only.ts'

test.each([
  ['http://127.0.0.1:4781/share/abc', true],
  ['http://127.1.2.3/share/abc', true],
  ['http://localhost:4781/share/abc', true],
  ['http://galley.localhost:4781/share/abc', true],
  ['http://[::1]:4781/share/abc', true],
  ['https://galley.example.org/share/abc', false],
  ['https://localhost.example.org/share/abc', false],
  ['https://127.0.0.1.example.org/', false],
  ['http://192.168.1.7:4781/share/abc', false],
  ['', false],
])('%s', (url, expected) => {
  expect(opensHereOnly(url)).toBe(expected)
})
