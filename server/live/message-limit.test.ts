import { expect, it, onTestFinished, vi } from 'vitest'
import { liveLimits } from '../contract/live-limits.ts'
import { MessageLimit } from './message-limit.ts'

it('bounds what is said at once, and what is said over a minute', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { messagesPerSecond, followersMessagesPerMinute, messagesPerMinute } = liveLimits
  /** How much is taken, at so many a second. */
  const taken = (perSecond: number, isFollowing = true) => {
    const limit = new MessageLimit()
    let count = 0
    while (limit.takes(isFollowing) && count < 10_000)
      if (++count % perSecond === 0) vi.advanceTimersByTime(1_000)
    limit.stop()
    return count
  }
  expect(taken(10_000)).toBe(messagesPerSecond)
  expect(taken(100)).toBe(followersMessagesPerMinute)
  expect(taken(10, false)).toBe(messagesPerMinute)
  expect(taken(followersMessagesPerMinute / 60)).toBe(10_000)
})
