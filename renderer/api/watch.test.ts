import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watch } from './watch.ts'

class FakePage {
  visibilityState: DocumentVisibilityState = 'visible'
  readonly document = Object.defineProperty(new EventTarget() as unknown as Document, 'visibilityState', {
    get: () => this.visibilityState,
  })
  readonly window = new EventTarget() as unknown as Window

  turn(state: DocumentVisibilityState): void {
    this.visibilityState = state
    this.document.dispatchEvent(new Event('visibilitychange'))
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('it looks at once and again after each pause, until it is stopped', async () => {
  const look = vi.fn(() => Promise.resolve())
  const stop = watch(look, { every: 1_000, page: new FakePage() })
  await vi.advanceTimersByTimeAsync(2_500)
  expect(look).toHaveBeenCalledTimes(3)
  stop()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(look).toHaveBeenCalledTimes(3)
})

test('a hidden page is left alone, and caught up with when it comes back', async () => {
  const page = new FakePage()
  const look = vi.fn(() => Promise.resolve())
  const stop = watch(look, { every: 1_000, page })
  await vi.advanceTimersByTimeAsync(0)
  page.turn('hidden')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(look).toHaveBeenCalledTimes(1)
  page.turn('visible')
  await vi.advanceTimersByTimeAsync(0)
  expect(look).toHaveBeenCalledTimes(2)
  stop()
})

test('news is looked at once, and again where it came while looking', async () => {
  let tell = () => {}
  let finish = () => {}
  const look = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)))
  const stopNews = vi.fn()
  const news = (listener: () => void) => {
    tell = listener
    return stopNews
  }
  const page = new FakePage()
  const stop = watch(look, { every: 1_000_000, page, news })
  finish()
  await vi.advanceTimersByTimeAsync(0)
  tell()
  expect(look).toHaveBeenCalledTimes(2)
  tell()
  tell()
  expect(look).toHaveBeenCalledTimes(2)
  finish()
  await vi.advanceTimersByTimeAsync(0)
  expect(look).toHaveBeenCalledTimes(3)
  finish()
  await vi.advanceTimersByTimeAsync(0)
  expect(look).toHaveBeenCalledTimes(3)
  page.turn('hidden')
  tell()
  expect(look).toHaveBeenCalledTimes(3)
  stop()
  expect(stopNews).toHaveBeenCalledOnce()
})

test('failures make the pauses longer, and one success makes them short again', async () => {
  let failing = true
  const look = vi.fn(() => (failing ? Promise.reject(new Error('offline')) : Promise.resolve()))
  const stop = watch(look, { every: 1_000, page: new FakePage() })
  await vi.advanceTimersByTimeAsync(2_000)
  expect(look).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(60_000)
  const slow = look.mock.calls.length
  expect(slow).toBeLessThan(9)
  failing = false
  await vi.advanceTimersByTimeAsync(70_000)
  look.mockClear()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(look.mock.calls.length).toBeGreaterThanOrEqual(4)
  stop()
})

test('looking never overlaps itself', async () => {
  const page = new FakePage()
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = vi.fn(() => promise)
  const stop = watch(look, { every: 1_000, page })
  page.window.dispatchEvent(new Event('focus'))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(look).toHaveBeenCalledTimes(1)
  resolve()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(look).toHaveBeenCalledTimes(2)
  stop()
})
