import { expect, it } from 'vitest'
import type { LinkVisit } from '../../../server/contract/records/link-visits.ts'
import { notOpened, openedWords, whoOpened } from './visit-messages.ts'

const visit = (more: Partial<LinkVisit> = {}): LinkVisit => ({
  id: 'o',
  link_id: 'l',
  opened_at: '2026-03-01T09:30:00.000Z',
  preview: false,
  device: 'Safari on iPhone',
  name: null,
  ...more,
})
const times = (count: number, more: Partial<LinkVisit> = {}) =>
  Array.from({ length: count }, () => visit(more))

it('counts people, not previews', () => {
  expect(openedWords([])).toBeNull()
  expect(openedWords(times(2, { preview: true }))).toBeNull()
  expect(openedWords([...times(1), ...times(2, { preview: true })])).toBe('Opened once, ')
  expect(openedWords(times(3))).toBe('Opened 3 times, last ')
})

it('claims no exact number where the oldest have gone', () => {
  expect(openedWords(times(200))).toBe('Opened 200 times or more, last ')
})

it('says who it was as far as can be told', () => {
  expect(whoOpened(visit({ name: 'Ada' }))).toEqual({ name: 'Ada', device: 'Safari on iPhone' })
  expect(whoOpened(visit({ device: null }))).toEqual({ name: null, device: 'An unknown device' })
  expect(whoOpened(visit({ preview: true, device: 'Slack' })).device).toBe('A link preview by Slack')
  expect(whoOpened(visit({ preview: true, device: null })).device).toBe('A link preview')
})

it('doesn’t claim of an old link that nobody ever opened it', () => {
  const created = '2026-03-01T09:30:00.000Z'
  const after = (days: number) => Date.parse(created) + days * 24 * 60 * 60 * 1000
  expect(notOpened(created, after(90))).toBe('Not opened yet')
  expect(notOpened(created, after(91))).toBe('Not opened in the last 90 days')
})
