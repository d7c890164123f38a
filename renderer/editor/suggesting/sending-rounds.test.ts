import { afterEach, expect, test, vi } from 'vitest'
import { content, desk, offline } from './testing/desk.ts'

afterEach(() => void vi.useRealTimers())

test('a page that goes sends what it has, under the key under which it is made once', async () => {
  vi.useFakeTimers()
  const { suggester, asked, type, fallSilent } = desk(content)
  fallSilent()
  type(13, ' brown')
  suggester.leave()
  expect(asked).toMatchObject([{ name: 'createSuggestion', keepalive: true }])
  suggester.leave()
  expect(new Set(asked.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
  const long = desk(content)
  long.type(13, 'word '.repeat(10_000))
  long.suggester.leave()
  expect(long.asked).toEqual([])
})

test('that nobody can be reached is said at once where it is known, and until what waited is sent', async () => {
  vi.useFakeTimers()
  const { suggester, type, asked, fallSilent, beAway } = desk(content)
  const lost = { kind: 'failed', cause: 'unreachable' }
  suggester.lose(offline())
  expect(suggester.state.kind).toBe('saved')
  beAway(true)
  type(13, ' brown')
  expect(suggester.state).toMatchObject(lost)
  const said: string[] = []
  for (let i = 0; i < 80; i++) {
    await vi.advanceTimersByTimeAsync(100)
    said.push(suggester.state.kind)
  }
  expect(new Set(said)).toEqual(new Set(['failed']))
  expect(asked.length).toBeGreaterThan(1)
  beAway(false)
  suggester.isThere()
  expect(suggester.state).toMatchObject(lost)
  await suggester.flush()
  expect(suggester.state.kind).toBe('saved')
  fallSilent()
  type(19, ' red')
  expect(suggester.state.kind).toBe('waiting')
  await vi.advanceTimersByTimeAsync(1_500)
  expect(suggester.state.kind).toBe('saving')
  suggester.lose(offline())
  expect(suggester.state).toMatchObject(lost)
})
