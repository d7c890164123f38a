import { expect, test } from 'vitest'
import { preferredType } from './accepted-type.ts'

const types = ['text/html', 'text/markdown', 'application/json'] as const

test.each([
  [undefined, 'text/html'],
  ['*/*', 'text/html'],
  ['', 'text/html'],
  ['image/png', 'text/html'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', 'text/html'],
  ['text/*', 'text/html'],
  ['text/markdown', 'text/markdown'],
  ['Text/Markdown; charset=utf-8', 'text/markdown'],
  ['text/markdown, text/html;q=0.9', 'text/markdown'],
  ['text/markdown, text/html, */*', 'text/markdown'],
  ['text/html, text/markdown', 'text/html'],
  ['text/markdown;q=0.5, text/html', 'text/html'],
  ['text/markdown;q=0, */*', 'text/html'],
  ['text/html;q=0, text/*', 'text/markdown'],
  ['text/markdown;q=2', 'text/html'],
  ['application/json, text/plain, */*', 'application/json'],
  ['application/*', 'application/json'],
])('of %s it is %s', (accept, type) => {
  expect(preferredType(accept, types)).toBe(type)
})
