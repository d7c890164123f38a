import { expect, test } from 'vitest'
import { findOutside, isWithin } from './addresses.ts'

const origin = 'http://127.0.0.1:4780'
const shareUrl = 'http://127.0.0.1:4781'

test('only pages of the very same server are within', () => {
  expect(isWithin(origin, 'http://127.0.0.1:4780/documents/1#top')).toBe(true)
  for (const url of [
    'http://127.0.0.1:4781/',
    'https://127.0.0.1:4780/',
    'http://127.0.0.1:4780@evil.test/',
    'http://localhost:4780/',
    'file:///etc/passwd',
    'about:blank',
    'data:text/html,x',
    'blob:null/1',
    'not an address',
    '',
  ]) {
    expect(isWithin(origin, url)).toBe(false)
  }
})

test('web pages and mail addresses are handed to the system, as they were understood', () => {
  expect(findOutside('https://example.com', shareUrl)).toBe('https://example.com/')
  expect(findOutside('HTTPS://EXAMPLE.com/a b', shareUrl)).toBe('https://example.com/a%20b')
  expect(findOutside('mailto:someone@example.com', shareUrl)).toBe('mailto:someone@example.com')
})

test('no other scheme is', () => {
  for (const url of [
    'http://example.com',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'smb://host/x',
    'vscode://x',
    'ms-msdt:/id',
    '\\\\host\\share',
    'https://',
    '',
  ]) {
    expect(findOutside(url, shareUrl)).toBeUndefined()
  }
})

test('of this machine’s pages only share links are', () => {
  expect(findOutside(`${shareUrl}/share/abc`, shareUrl)).toBe(`${shareUrl}/share/abc`)
  for (const url of [
    `${shareUrl}/`,
    `${shareUrl}/shared/abc`,
    `${shareUrl}/share/../api/me`,
    `${origin}/share/abc`,
    'http://localhost:4781/share/abc',
    'http://someone@127.0.0.1:4781/share/abc',
    'http://127.0.0.1:4781@evil.test/share/abc',
  ]) {
    expect(findOutside(url, shareUrl)).toBeUndefined()
  }
  expect(findOutside(`${shareUrl}/share/abc`, undefined)).toBeUndefined()
})
