import { expect, it } from 'vitest'
import { whoIsHere } from './who-is-here.ts'

const people = (...names: (string | null)[]) => names.map((name) => ({ name }))

it('says who is here in a few words', () => {
  expect(whoIsHere([])).toBeNull()
  expect(whoIsHere(people(null))).toBe('One reader here now')
  expect(whoIsHere(people(null, null))).toBe('2 readers here now')
  expect(whoIsHere(people('Ada'))).toBe('Ada here now')
  expect(whoIsHere(people('Ada', null))).toBe('Ada and one other here now')
  expect(whoIsHere(people('Ada', 'Grace', null, null))).toBe('Ada, Grace and 2 others here now')
  expect(whoIsHere(people('A', 'B', 'C', 'D', 'E'))).toBe('A, B, C and 2 others here now')
})

it('names somebody once who has it open twice', () => {
  expect(whoIsHere(people('Ada', 'Ada'))).toBe('Ada here now')
})
