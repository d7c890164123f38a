import { expect, test } from 'vitest'
import { expiryOf, expiryProblem, localMinute } from './expiry.ts'

const now = new Date(2026, 2, 10, 12, 0).getTime()
const local = (iso: string | null) => iso && localMinute(Date.parse(iso))

test('presets count in local days, across changes of the clock', () => {
  expect(expiryOf('never', '', now)).toBeNull()
  expect(local(expiryOf('day', '', now))).toBe('2026-03-11T12:00')
  expect(local(expiryOf('week', '', now))).toBe('2026-03-17T12:00')
  expect(local(expiryOf('month', '', now))).toBe('2026-04-10T12:00')
})

test('a date of one’s own is taken in local time', () => {
  expect(local(expiryOf('custom', '2026-05-01T09:30', now))).toBe('2026-05-01T09:30')
})

test('a date that is missing or past is refused before it is sent', () => {
  expect(expiryProblem('custom', '', now)).toContain('Choose a date')
  expect(expiryProblem('custom', '2026-03-10T11:59', now)).toContain('still to come')
  expect(expiryProblem('custom', '2026-03-10T12:01', now)).toBeNull()
  expect(expiryProblem('week', '', now)).toBeNull()
})
