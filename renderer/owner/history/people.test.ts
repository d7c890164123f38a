import { expect, test } from 'vitest'
import { HistoryPeople } from './people.ts'

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
