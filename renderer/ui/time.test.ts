import { expect, test } from 'vitest'
import { groupByDay, relativeTime, timeAway } from './time.ts'

const now = new Date(2026, 2, 10, 12, 0).getTime()
const before = (ms: number) => new Date(now - ms).toISOString()
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

test.each([
  [before(5_000), 'just now'],
  [before(-1), 'in less than a minute'],
  [before(minute), '1 minute ago'],
  [before(59 * minute), '59 minutes ago'],
  [before(3 * hour), '3 hours ago'],
  [before(day), 'yesterday'],
  [before(-3 * day), 'in 3 days'],
  [before(-7 * day + 1_000), 'in 7 days'],
])('%s is told as “%s”', (at, told) => {
  expect(relativeTime(at, now, 'en')).toBe(told)
})

test('what is more than a month away is told by its date', () => {
  expect(relativeTime(before(90 * day), now, 'en')).toMatch(/^Dec 10, 2025$/)
})

test('beside a date nothing is said that would only be the date again', () => {
  expect(timeAway(before(-3 * day), now, 'en')).toBe('in 3 days')
  expect(timeAway(before(-90 * day), now, 'en')).toBeNull()
})

test('days are named and keep the order they came in', () => {
  const instants = [before(hour), before(2 * hour), before(day), before(5 * day), before(400 * day)]
  const groups = groupByDay(instants, (instant) => instant, now, 'en')
  expect(groups.map(({ name, things }) => [name, things.length])).toEqual([
    ['Today', 2],
    ['Yesterday', 1],
    ['Thursday, March 5', 1],
    ['Monday, February 3, 2025', 1],
  ])
})
