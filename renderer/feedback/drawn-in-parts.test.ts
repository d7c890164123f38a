import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { DrawnInParts } from './drawn-in-parts.svelte.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
const drawnOf = (parts: DrawnInParts) => ids.filter((id) => parts.has(id)).join('')

it('draws the first right away and the others part by part', () => {
  const parts = new DrawnInParts(2)
  parts.draw(ids, 3)
  const seen = [drawnOf(parts)]
  for (let i = 0; i < 3; i++) {
    vi.advanceTimersToNextTimer()
    seen.push(drawnOf(parts))
  }
  expect(seen).toEqual(['abc', 'abcde', 'abcdefg', 'abcdefg'])
  expect(vi.getTimerCount()).toBe(0)
})

it('keeps what is drawn and wanted, and draws nothing else', () => {
  const parts = new DrawnInParts(2)
  const stop = parts.draw(['a', 'b', 'c'], 3)
  stop()
  const stopNext = parts.draw(['d', 'e', 'b', 'c', 'f', 'g'], 1)
  expect(drawnOf(parts)).toBe('bcd')
  stopNext()
  vi.runAllTimers()
  expect(drawnOf(parts)).toBe('bcd')
  parts.draw([], 1)
  expect(drawnOf(parts)).toBe('')
})
