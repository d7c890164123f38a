import { expect, test } from 'vitest'
import { diagramsHeaders } from './headers.ts'

test('the frame of diagrams loads scripts from the host it came from, and a strange name is no part of its policy', () => {
  const scripts = (host: string) =>
    /script-src ([^;]*)/.exec(diagramsHeaders(host)['content-security-policy']!)![1]
  expect(scripts('notes.example.org:8080')).toBe(
    "'self' http://notes.example.org:8080 https://notes.example.org:8080",
  )
  expect(scripts('[::1]:4781')).toBe("'self' http://[::1]:4781 https://[::1]:4781")
  expect(scripts('a.example; script-src *')).toBe("'self'")
  expect(scripts('')).toBe("'self'")
})
