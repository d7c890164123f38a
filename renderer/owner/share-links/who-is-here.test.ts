import { expect, it } from 'vitest'
import { whoIsHere as words } from './who-is-here.ts'

const guests = (...names: (string | null)[]) => names.map((name) => ({ name, kind: 'guest' as const }))

const whoIsHere = (people: Parameters<typeof words>[0]) =>
  words(people)?.replaceAll(/[\u2068\u2069]/g, '') ?? null

it('says who is here in a few words', () => {
  expect(whoIsHere([])).toBeNull()
  expect(whoIsHere(guests(null))).toBe('One reader here now')
  expect(whoIsHere(guests(null, null))).toBe('2 readers here now')
  expect(whoIsHere(guests('Ada'))).toBe('Ada (guest) here now')
  expect(whoIsHere(guests('Ada', null))).toBe('Ada (guest) and one other here now')
  expect(whoIsHere(guests('Ada', 'Grace', null, null))).toBe(
    'Ada (guest), Grace (guest) and 2 others here now',
  )
  expect(whoIsHere(guests('A', 'B', 'C', 'D', 'E'))).toBe(
    'A (guest), B (guest), C (guest) and 2 others here now',
  )
})

it('names somebody once who has it open twice', () => {
  expect(whoIsHere(guests('Ada', 'Ada'))).toBe('Ada (guest) here now')
})

it('tells a guest who calls themselves like the owner from the owner', () => {
  const owner = { name: 'Owner', kind: 'person' as const }
  expect(whoIsHere([owner])).toBe('Owner here now')
  expect(whoIsHere(guests('Owner'))).toBe('Owner (guest) here now')
  expect(whoIsHere([owner, ...guests('Owner')])).toBe('Owner and Owner (guest) here now')
  expect(whoIsHere(guests('Guest'))).toBe('Guest here now')
  expect(whoIsHere([{ name: 'Nightly', kind: 'script' }])).toBe('Nightly (script) here now')
})

it('lets no name turn what stands around it', () => {
  expect(words(guests('محمد', 'Ada'))).toBe('\u2068محمد\u2069 (guest) and \u2068Ada\u2069 (guest) here now')
})
