import { expect, test } from 'vitest'
import { isOpenable, isWithin } from './origin.ts'

const origin = 'http://127.0.0.1:4000'

test('only pages of the very same server are within', () => {
  expect(isWithin(origin, 'http://127.0.0.1:4000/documents/1#top')).toBe(true)
  expect(isWithin(origin, 'http://127.0.0.1:4001/')).toBe(false)
  expect(isWithin(origin, 'https://127.0.0.1:4000/')).toBe(false)
  expect(isWithin(origin, 'http://127.0.0.1:4000@evil.test/')).toBe(false)
  expect(isWithin(origin, 'file:///etc/passwd')).toBe(false)
  expect(isWithin(origin, 'about:blank')).toBe(false)
  expect(isWithin(origin, 'not an address')).toBe(false)
})

test('only web pages and mail addresses are handed to the system', () => {
  expect(isOpenable('https://example.com')).toBe(true)
  expect(isOpenable('mailto:someone@example.com')).toBe(true)
  for (const url of [
    'http://example.com',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'smb://host/x',
    'vscode://x',
    '',
  ]) {
    expect(isOpenable(url)).toBe(false)
  }
})
