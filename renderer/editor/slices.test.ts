import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { inSlices } from './slices.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A work of so many steps, of which each takes so many milliseconds. */
function* work(steps: number, each: number, done: number[] = []): Generator<void, string> {
  for (let step = 0; step < steps; step++) {
    vi.setSystemTime(Date.now() + each)
    done.push(step)
    yield
  }
  return 'result'
}
const clock = () => vi.spyOn(performance, 'now').mockImplementation(() => Date.now())

it('does at once what is short', () => {
  const onDone = vi.fn()
  inSlices(work(3, 0), onDone)
  expect(onDone).toHaveBeenCalledWith('result')
})

it('lets others have their turn where it is long', () => {
  clock()
  const done: number[] = []
  const onDone = vi.fn()
  inSlices(work(20, 2, done), onDone)
  expect(done).toHaveLength(2)
  vi.runAllTimers()
  expect(done).toHaveLength(20)
  expect(onDone).toHaveBeenCalledOnce()
})

it('does nothing more once it is stopped', () => {
  clock()
  const done: number[] = []
  const onDone = vi.fn()
  inSlices(work(20, 2, done), onDone)()
  vi.runAllTimers()
  expect(done).toHaveLength(2)
  expect(onDone).not.toHaveBeenCalled()
})
