import { expect, test } from 'vitest'
import { begunMention, namesFor } from './people.ts'
import { afterReacting } from './reactions.ts'

const people = { names: ['Ada Lovelace', 'Bob', 'Adam'], own: ['Adam'] }

test('behind an @ those are offered whose name, or a later word of it, begins so', () => {
  expect(namesFor(begunMention('Ask @a')!, people)).toEqual(['Ada Lovelace'])
  expect(namesFor(begunMention('@love')!, people)).toEqual(['Ada Lovelace'])
  expect(namesFor(begunMention('(@')!, people)).toEqual(['Ada Lovelace', 'Bob'])
  // A name that stands there is done.
  expect(namesFor(begunMention('@Bob')!, people)).toEqual([])
  expect(begunMention('bob@example')).toBeNull()
  expect(begunMention('@Bob\nand')).toBeNull()
})

test('a reaction is counted once by each, and gone with its last', () => {
  const once = afterReacting([], 'heart', true)
  expect(once).toEqual([{ reaction: 'heart', count: 1, names: [], mine: true }])
  expect(afterReacting(once, 'heart', true)).toEqual(once)
  expect(afterReacting([{ ...once[0]!, count: 2 }], 'heart', false)).toMatchObject([
    { count: 1, mine: false },
  ])
  expect(afterReacting(once, 'heart', false)).toEqual([])
})
