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

test('what was heard is told to the look, and what nobody knows, or a failed look missed, is looked for whole', async () => {
  let tell: (news?: string) => void = () => {}
  let finish: (error?: Error) => void = () => {}
  const looks: (readonly string[] | null)[] = []
  const page = new FakePage()
  const stop = watch<string>(
    (news) => {
      looks.push(news)
      return new Promise<void>((resolve, reject) => {
        finish = (error) => (error ? reject(error) : resolve())
      })
    },
    {
      every: 1_000_000,
      page,
      news: (listener) => {
        tell = listener
        return () => {}
      },
    },
  )
  const finished = async (error?: Error) => {
    finish(error)
    await vi.advanceTimersByTimeAsync(0)
    return looks.at(-1)
  }
  await finished()
  tell('a')
  expect(looks.at(-1)).toEqual(['a'])
  tell('b')
  tell('c')
  expect(await finished()).toEqual(['b', 'c'])
  // It comes back into view while only some of it is looked at.
  page.window.dispatchEvent(new Event('focus'))
  expect(await finished()).toBeNull()
  tell('d')
  expect(await finished()).toEqual(['d'])
  await finished(new Error('away'))
  tell('e')
  expect(looks.at(-1)).toBeNull()
  await finished()
  tell('f')
  tell()
  expect(await finished()).toBeNull()
  await finished()
  for (let i = 0; i < 1_000; i++) tell('much')
  expect(await finished()).toBeNull()
  stop()
})

test('after a look news wait their rest, and are then looked at together', async () => {
  let tell: (news?: number) => void = () => {}
  const look = vi.fn((_news: readonly number[] | null) => Promise.resolve())
  const news = (listener: (news?: number) => void) => {
    tell = listener
    return () => {}
  }
  const stop = watch<number>(look, { every: 60_000, page: new FakePage(), news, rest: 1_000, later: true })
  tell(1)
  await vi.advanceTimersByTimeAsync(0)
  expect(look).toHaveBeenLastCalledWith([1])
  tell(2)
  await vi.advanceTimersByTimeAsync(500)
  tell(3)
  await vi.advanceTimersByTimeAsync(499)
  expect(look).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(look.mock.calls).toEqual([[[1]], [[2, 3]]])
  // What isn’t told apart is looked at without waiting.
  tell(4)
  tell()
  await vi.advanceTimersByTimeAsync(0)
  expect(look.mock.calls.at(-1)).toEqual([null])
  await vi.advanceTimersByTimeAsync(59_000)
  expect(look).toHaveBeenCalledTimes(3)
  stop()
})
