import { expect, test, vi } from 'vitest'
import type { GalleyEvent } from '../contract/events.ts'
import { createFeed } from './feed.ts'

/** A feed on events that are there as soon as they are put there, as another process does. */
function scene() {
  const there: GalleyEvent[] = []
  const told: number[] = []
  let fails = false
  const events = {
    newest: () => there.at(-1)?.seq ?? 0,
    after(seq: number, limit: number) {
      if (fails) throw new Error('The disk can’t be read.')
      return there.filter((one) => one.seq > seq).slice(0, limit)
    },
  }
  const feed = createFeed({
    store: { events } as never,
    every: 1,
    tell: (some) => void told.push(...some.map(({ seq }) => seq)),
  })
  const put = (...seqs: number[]) => {
    const some = seqs.map((seq) => ({ seq, kind: 'document.changed' }) as GalleyEvent)
    there.push(...some)
    return some
  }
  return { feed, put, told, fail: (now: boolean) => void (fails = now) }
}

test('what is committed here is told at once, and what others did before it comes before it', () => {
  const { feed, put, told } = scene()
  feed.publish(put(1, 2))
  put(3)
  feed.publish(put(4))
  feed.publish(put(5))
  expect([told, feed.last()]).toEqual([[1, 2, 3, 4, 5], 5])
})

test('what others do is seen while somebody listens, however much it is, and told once and in order', async () => {
  const { feed, put, told } = scene()
  const stop = feed.listen()
  const many = Array.from({ length: 1_700 }, (_, i) => i + 1)
  put(...many)
  await vi.waitFor(() => expect(told.length).toBeGreaterThan(0))
  // In the middle of it.
  feed.publish(put(1_701))
  await vi.waitFor(() => expect(told.at(-1)).toBe(1_701))
  expect(told).toEqual([...many, 1_701])
  stop()
  stop()
})

test('what can’t be read now is told later, and whoever wrote is not told that they failed', () => {
  const { feed, put, told, fail } = scene()
  feed.publish(put(1))
  put(2)
  fail(true)
  feed.publish(put(3))
  expect(told).toEqual([1])
  fail(false)
  feed.publish(put(4))
  expect(told).toEqual([1, 2, 3, 4])
})

const anything = { waiter: '', isWanted: () => true }

test('nobody waits after the end; what is still done here is told', async () => {
  const { feed, put, told } = scene()
  const waits = feed.next(anything, 60_000)
  expect(feed.waiting()).toBe(1)
  feed.close()
  expect(await waits).toBe(false)
  expect(await feed.next(anything, 60_000)).toBe(false)
  feed.publish(put(1))
  expect([told, feed.waiting()]).toEqual([[1], 0])
})
