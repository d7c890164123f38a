import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { limits } from './limits.ts'

const MiB = 1024 * 1024

test.each([
  ['README.md', /works? once, for (\d+) minutes/g, limits.ticketMinutes],
  ['docs/people-elsewhere.md', /Documents may be (\d+) MiB/g, limits.contentBytes / MiB],
])('%s names the limit that is kept: %s', (file, figure, limit) => {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
  const named = [...text.matchAll(figure)].map(([, number]) => Number(number))
  expect(named).not.toEqual([])
  for (const number of named) expect(number).toBe(limit)
})

test('the proxy of the documentation lets the longest body through', () => {
  const text = readFileSync(new URL('../../docs/people-elsewhere.md', import.meta.url), 'utf8')
  const allowed = Number(/client_max_body_size (\d+)m/.exec(text)?.[1]) * MiB
  expect(allowed).toBeGreaterThanOrEqual(limits.documentBodyBytes)
})
