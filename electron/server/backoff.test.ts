import { expect, test } from 'vitest'
import { restartDelay } from './backoff.ts'

test('half a second first, twice as long each time, never more than half a minute', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 5000].map(restartDelay)).toEqual([
    500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
  ])
})
