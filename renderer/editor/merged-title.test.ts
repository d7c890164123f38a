import { expect, it } from 'vitest'
import { mergedTitle } from './merged-title.ts'

it.each([
  ['Base', 'Base hello', 'Base WORLD', 'Base hello WORLD'],
  ['Base', 'Basehello', 'BaseWORLD', 'BasehelloWORLD'],
  // Words grow where they stand, whoever put something behind them.
  ['Base h', 'Base he', 'Base h W', 'Base he W'],
  ['Base h', 'Base h W', 'Base he', 'Base he W'],
  ['Base', '>Base', 'Based', '>Based'],
  ['A report', 'A long report', 'A report of it', 'A long report of it'],
  ['A long report', 'A report', 'A long report of it', 'A report of it'],
  ['A long report', 'A report', 'A report', 'A report'],
  ['A long report', 'The long report', 'A short report', 'The short report'],
  ['Hello', 'Hell', 'XHello', 'XHell'],
  ['Base', 'Word', 'Base more', 'Word more'],
])('of %j, %j and %j it is %j', (base, mine, theirs, merged) => {
  expect(mergedTitle(base, mine, theirs)).toBe(merged)
})

it.each([
  ['T', 'Mine', 'Theirs'],
  ['Draft one', 'Draft two', 'Draft three'],
  ['Hello', '', 'Hellos'],
  ['A', `A ${'a'.repeat(300)}`, `A ${'b'.repeat(300)}`],
])('of %j, %j and %j one is to be chosen', (base, mine, theirs) => {
  expect(mergedTitle(base, mine, theirs)).toBeNull()
})
