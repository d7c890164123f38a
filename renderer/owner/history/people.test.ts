import { expect, test } from 'vitest'
import { HistoryPeople } from './people.ts'
import { looksOf } from './person-look.ts'

const change: Parameters<HistoryPeople['numberOf']>[0] = {
  kind: 'edit',
  author_id: null,
  author_name: 'Ada',
  key_name: null,
  suggesters: [],
}
const owner = { ...change, author_id: '6d0f0d5e-5d7a-4f3c-8f6d-3f8f7c1f0a01', author_name: 'Olga' }

test('people are told apart by account, key and name, and an account goes by its last name', () => {
  const people = new HistoryPeople()
  const numbers = [
    owner,
    change,
    { ...change, author_name: 'Ben' },
    { ...owner, key_name: 'Agent' },
    { ...owner, author_name: 'Olga B.' },
    { ...change, author_name: 'Olga' },
    change,
  ].map((one) => people.numberOf(one))
  expect(numbers).toEqual([0, 1, 2, 3, 0, 4, 1])
  expect(people.list.map(({ author_name }) => author_name)).toEqual(['Olga B.', 'Ada', 'Ben', 'Olga', 'Olga'])
})

test('the words of a suggestion are those of whoever made it, not of who accepted it', () => {
  const people = new HistoryPeople()
  const accepted = { ...owner, kind: 'suggestion' as const }
  const suggester = (name: string, guest: boolean | null) => ({
    ...{ name, guest, key_name: null },
    kind: guest ? ('guest' as const) : null,
  })
  const by = (...suggesters: ReturnType<typeof suggester>[]) =>
    people.list[people.numberOf({ ...accepted, suggesters })]
  expect(people.numberOf(change)).toBe(people.numberOf({ ...accepted, suggesters: [suggester('Ada', true)] }))
  expect(by(suggester('Ben', true), suggester('Ada', null))).toMatchObject({
    author_id: null,
    author_name: 'Ben and Ada',
  })
  expect(by()).toMatchObject({ author_name: 'Olga' })
  expect(by(suggester('Olga', false))).toMatchObject({ author_name: 'Olga' })
})

test('guests of one name are told apart by their colours, and the words of a guest’s suggestions are in theirs', () => {
  const people = new HistoryPeople()
  const suggester = { name: 'Ada', guest: true, key_name: null, kind: 'guest' as const, author_colour: 3 }
  const numbers = [
    { ...owner, author_colour: 0 },
    { ...change, author_colour: 3 },
    { ...change, author_colour: 5 },
    { ...owner, author_colour: 0, kind: 'suggestion' as const, suggesters: [suggester] },
    {
      ...owner,
      author_colour: 0,
      kind: 'suggestion' as const,
      suggesters: [suggester, { ...suggester, name: 'Ben' }],
    },
  ].map((one) => people.numberOf(one))
  expect(numbers).toEqual([0, 1, 2, 1, 3])
  expect(looksOf(people.list)).toEqual([
    'person-0 line-0',
    'person-3 line-1',
    'person-5 line-2',
    'nobody line-3',
  ])
})

test('people of one colour have different lines', () => {
  const person = (author_colour: number) => ({
    author_id: null,
    author_name: '',
    key_name: null,
    author_colour,
  })
  const looks = looksOf([3, 1, 1, 1, 2, 3, 3].map(person))
  expect(new Set(looks).size).toBe(7)
})
