import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { DraftKeeper } from './draft-keeper.svelte.ts'
import { textsOf, type Draft, type DraftStore } from './drafts.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A window in which `typed` waits for the server, and a slow store of its drafts. */
function scene() {
  const written: (string | null)[] = []
  const waiting: (() => void)[] = []
  const window = { typed: '' }
  let broken = false
  const wait = () =>
    new Promise<void>((resolve, reject) =>
      waiting.push(() => (broken ? reject(new Error('full')) : resolve())),
    )
  const store: DraftStore = {
    put: async (draft: Draft) => {
      await wait()
      written.push(textsOf(draft).content)
    },
    delete: async () => {
      await wait()
      written.push(null)
    },
    list: () => Promise.resolve([]),
  }
  const base = { content: '' }
  const keeper = new DraftKeeper(store, 'd', 'w', () => ({
    ...{ base, since: null, revision: 1, client: 'c', number: 0, sending: null },
    unsent: window.typed === '' ? null : [[0, window.typed]],
    ...{ savedTitle: 'T', title: 'T', at: 0 },
  }))
  return {
    keeper,
    written,
    type: (text: string) => {
      window.typed = text
      keeper.keep()
    },
    saved: () => {
      window.typed = ''
      keeper.drop()
    },
    /** Lets the store do one thing. */
    step: async () => {
      waiting.shift()?.()
      await vi.advanceTimersByTimeAsync(0)
    },
    breakDown: () => void (broken = true),
  }
}
/** Until what is typed is written. */
const soon = () => vi.advanceTimersByTimeAsync(50)

it('writes several keys at once, one time after the other, and skips what is out of date already', async () => {
  const { keeper, written, type, step } = scene()
  type('a')
  type('ab')
  await soon()
  type('abc')
  type('abcd')
  await step()
  expect(written).toEqual(['ab'])
  await soon()
  await step()
  expect(written).toEqual(['ab', 'abcd'])
  expect(keeper.kept).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})
it('waits no longer when the page is about to go', async () => {
  const { keeper, written, type, step } = scene()
  type('a')
  keeper.leave()
  await step()
  expect(written).toEqual(['a'])
})
it('writes the newest when the page is about to go, also while an older one is being written', async () => {
  const { keeper, written, type, step } = scene()
  type('a')
  await soon()
  type('ab')
  keeper.leave()
  await step()
  await step()
  expect(written).toEqual(['a', 'ab'])
})
it('doubts what isn’t written for long, and says once it is', async () => {
  const { keeper, type, step } = scene()
  type('a')
  await vi.advanceTimersByTimeAsync(500)
  type('ab')
  expect(keeper.kept).toBe(true)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(keeper.kept).toBe(false)
  await step()
  expect(keeper.kept).toBe(true)
  await step()
  expect(vi.getTimerCount()).toBe(0)
})
it('is settled once all is written', async () => {
  const { keeper, written, type, step } = scene()
  type('a')
  const settled = keeper.settled()
  type('ab')
  await step()
  await step()
  await settled
  expect(written.at(-1)).toBe('ab')
})
it('writes nothing for one who only reads', async () => {
  const { keeper, saved, step, written } = scene()
  saved()
  await soon()
  await step()
  await keeper.close()
  expect(written).toEqual([])
})
it('keeps nothing typed once that is saved, and forgets the base when nothing follows', async () => {
  const { type, saved, step, written } = scene()
  type('a')
  await soon()
  await step()
  saved()
  await soon()
  await step()
  saved()
  await soon()
  expect(written).toEqual(['a', ''])
  await vi.advanceTimersByTimeAsync(60_000)
  await step()
  expect(written).toEqual(['a', '', null])
  saved()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(written).toHaveLength(3)
})
it('forgets all that is saved when its window is closed, and nothing else', async () => {
  const { keeper, type, saved, step, written } = scene()
  type('a')
  await soon()
  await step()
  await keeper.close()
  expect(written).toEqual(['a'])
  saved()
  const closed = keeper.close()
  await step()
  await step()
  await closed
  expect(written).toEqual(['a', '', null])
})
it('keeps what is typed while it forgets what was saved', async () => {
  const { keeper, type, saved, step, written } = scene()
  type('a')
  await soon()
  await step()
  saved()
  await soon()
  await step()
  keeper.leave()
  await vi.advanceTimersByTimeAsync(0)
  type('b')
  await soon()
  await step()
  await step()
  expect(written).toEqual(['a', '', null, 'b'])
  expect(keeper.kept).toBe(true)
})
it('says when the browser keeps nothing', async () => {
  const { keeper, type, step, breakDown } = scene()
  breakDown()
  type('a')
  await soon()
  await step()
  expect(keeper.kept).toBe(false)
})
