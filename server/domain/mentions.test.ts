import { expect, test } from 'vitest'
import { mentions, renamedMentions } from './mentions.ts'

test('somebody is meant by their whole name alone', () => {
  expect(mentions('Ask @Bob.', ['Bob'])).toBe(true)
  expect(mentions('Ask @Bobby or bob@Bob', ['Bob'])).toBe(false)
})

test('who gets another name is meant by that, and nobody else', () => {
  const renamed = (text: string) => renamedMentions(text, 'Bob', 'Robert', ['Ada', 'Bob Ross'])
  expect(renamed('@Bob, ask @Bob: (@Bob) Bob')).toBe('@Robert, ask @Robert: (@Robert) Bob')
  for (const text of ['Ask @Bob Ross', '@Bobby', 'bob@Bob', '@Ada', '']) expect(renamed(text)).toBe(text)
})
