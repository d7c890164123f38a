import { expect, test } from 'vitest'
import { choicesAmong } from './choices.ts'

const content = 'A galley is the draft that goes out for review.'
let made = 0
function suggest(original_text: string, suggested_text: string) {
  const start = content.indexOf(original_text)
  const range = { start, end: start + original_text.length }
  return { id: String(made++), range, original_text, suggested_text }
}

test('of those for the same words, and of those whose words another would change, one has to be chosen', () => {
  const alone = suggest('review', 'reading')
  const [sent, leaves] = [suggest('goes out', 'is sent out'), suggest('goes out', 'leaves')]
  const [word, passage] = [suggest('galley', 'proof'), suggest('galley is the draft', 'galley was the draft')]
  const { clear, places } = choicesAmong([word, passage, sent, leaves, alone])
  expect(clear).toEqual([alone])
  expect(places).toEqual([
    [sent, leaves],
    [word, passage],
  ])
})

test('those that overlap go together where neither changes what the other is about', () => {
  const both = [suggest('galley is the', 'galley was the'), suggest('the draft', 'the print')]
  expect(choicesAmong(both)).toEqual({ clear: both, places: [] })
})

test('a third joins what two already are', () => {
  const three = [suggest('is the', 'was a'), suggest('the draft', 'one print'), suggest('is the', 'is one')]
  expect(choicesAmong(three).places.map((place) => place.length)).toEqual([3])
})
