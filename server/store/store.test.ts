import { expect, it } from 'vitest'
import { testStore } from './testing/store.ts'

it('what is to be done after the commit is done once everything around it is committed', () => {
  const { store } = testStore()
  const done: string[] = []
  store.transaction(() => {
    store.transaction(() => store.afterCommit(() => done.push('inner')))
    store.afterCommit(() => done.push(store.db.inTransaction ? 'too early' : 'outer'))
    expect(done).toEqual([])
  })
  expect(done).toEqual(['inner', 'outer'])
  store.afterCommit(() => done.push('at once'))
  expect(done.at(-1)).toBe('at once')
})

it('what was undone leaves nothing to do', () => {
  const { store } = testStore()
  const done: string[] = []
  expect(() =>
    store.transaction(() => {
      store.afterCommit(() => done.push('undone'))
      throw new Error('No.')
    }),
  ).toThrow('No.')
  store.transaction(() => undefined)
  expect(done).toEqual([])
})
