import { expect, it } from 'vitest'
import { DraftKeeper } from './draft-keeper.svelte.ts'
import type { Draft, DraftStore } from './drafts.ts'

function slowStore() {
  const written: (string | null)[] = []
  const waiting: (() => void)[] = []
  let broken = false
  const wait = () =>
    new Promise<void>((resolve, reject) =>
      waiting.push(() => (broken ? reject(new Error('full')) : resolve())),
    )
  const store: DraftStore = {
    put: async (draft: Draft) => {
      await wait()
      written.push(draft.content)
    },
    delete: async () => {
      await wait()
      written.push(null)
    },
    list: () => Promise.resolve([]),
  }
  const step = async () => {
    waiting.shift()?.()
    for (let i = 0; i < 10; i++) await Promise.resolve()
  }
  return { store, written, step, breakDown: () => (broken = true) }
}
const draft = (content: string) => () => ({
  content,
  title: 'T',
  base: { revision: 1, title: 'T', content: '' },
  at: 0,
})

it('writes one at a time and skips what is out of date already', async () => {
  const { store, written, step } = slowStore()
  const keeper = new DraftKeeper(store, 'd', 'w')
  keeper.keep(draft('a'))
  keeper.keep(draft('ab'))
  keeper.keep(draft('abc'))
  expect(keeper.kept).toBe(false)
  await step()
  expect(written).toEqual(['a'])
  expect(keeper.kept).toBe(false)
  await step()
  expect(written).toEqual(['a', 'abc'])
  expect(keeper.kept).toBe(true)
})
it('forgets the draft last, when that was asked last', async () => {
  const { store, written, step } = slowStore()
  const keeper = new DraftKeeper(store, 'd', 'w')
  keeper.keep(draft('a'))
  keeper.drop()
  await step()
  await step()
  expect(written).toEqual(['a', null])
})
it('says when the browser keeps nothing', async () => {
  const { store, step, breakDown } = slowStore()
  breakDown()
  const keeper = new DraftKeeper(store, 'd', 'w')
  keeper.keep(draft('a'))
  await step()
  expect(keeper.kept).toBe(false)
})
