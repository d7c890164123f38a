import { expect, test } from 'vitest'
import { earlierCards } from './earlier-cards.ts'

test.each([
  [[false], '1 earlier comment'],
  [[false, false], '2 earlier comments'],
  [[true], '1 earlier suggestion'],
  [[true, true], '2 earlier suggestions'],
  [[true, false], '2 earlier comments and suggestions'],
])('says what is folded away: %j', (areSuggestions, said) => {
  expect(earlierCards(areSuggestions)).toBe(said)
})
