import { expect, test } from 'vitest'
import { goneWords, sharingWords } from './background-words.ts'

test('how sharing stands is said in numbers that agree', () => {
  expect([undefined, 0, 1, 3].map(sharingWords)).toEqual([
    'Not sharing just now',
    'No share link works',
    '1 share link works',
    '3 share links work',
  ])
})

test('nobody is sent to an icon that their desktop doesn’t show', () => {
  expect(goneWords('yes', 'linux')).toMatch(/icon beside the clock/)
  expect(goneWords('yes', 'darwin')).toMatch(/menu bar/)
  expect(goneWords('no', 'linux')).not.toMatch(/icon/)
  // Where it can't be told, both ways are named.
  expect(goneWords('unknown', 'linux')).toMatch(/icon.*starting it again/)
})
