import { expect, test } from 'vitest'
import { redactSaid } from './redact-said.ts'

test('white space within the passage may be any other, and at the ends of what is said none', () => {
  const redact = redactSaid('\nred (key)\n\nblue ')
  expect(redact('red (key) blue')).toBe('██████████████')
  expect(redact('A red (key)\r\nblue b')).toBe('A██████████\r\n█████b')
  expect(redact('bored (key) blue')).toBe('bored (key) blue')
  expect(redact('red key blue')).toBe('red key blue')
})

test('a passage that overlaps itself is marked as a whole', () => {
  expect(redactSaid('ab\nab')('x ab ab ab.')).toBe('x ████████.')
})
