import { expect, test } from 'vitest'
import { goneMessage, sharingNotice, sharingMessage } from './background-messages.ts'

test('how sharing stands is said in numbers that agree', () => {
  const working = [0, 1, 3].map((links) => ({ links, stopped: false }))
  expect([undefined, ...working, { links: 0, stopped: true }].map(sharingMessage)).toEqual([
    'Not sharing just now',
    'No share link works',
    '1 share link works',
    '3 share links work',
    'You have stopped sharing',
  ])
})

test('nobody is sent to an icon that their desktop doesn’t show', () => {
  expect(goneMessage('yes', 'linux')).toMatch(/icon beside the clock/)
  expect(goneMessage('yes', 'darwin')).toMatch(/menu bar/)
  expect(goneMessage('no', 'linux')).not.toMatch(/icon/)
  // Where it can't be told, both ways are named.
  expect(goneMessage('unknown', 'linux')).toMatch(/icon.*starting it again/)
})

test('that sharing was stopped is said, and that it wasn’t even more', () => {
  expect(sharingNotice({ stopped: true }, true)?.title).toBe('Nothing is shared any more')
  expect(sharingNotice({ stopped: false }, true)).toBeNull()
  expect(sharingNotice({ stopped: true }, false)?.title).toBe('Sharing wasn’t stopped')
  expect(sharingNotice({ stopped: false }, false)?.title).toBe('Sharing wasn’t started again')
})
