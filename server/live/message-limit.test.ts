import { expect, it, onTestFinished, vi } from 'vitest'
import { liveLimits } from '../contract/live-limits.ts'
import { MessageLimit, SharedMessageLimit } from './message-limit.ts'

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

it('bounds what one visitor, and one link, says on all connections', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { visitorMessagesPerSecond, linkMessagesPerSecond } = liveLimits
  const limit = new SharedMessageLimit()
  const taken = (link: string, address: string, counts?: number) => {
    let count = 0
    while (count < 10_000 && limit.takes(link, address, counts)) count++
    return count
  }
  expect(taken('one', 'here')).toBe(visitorMessagesPerSecond)
  expect(taken('one', 'there')).toBe(visitorMessagesPerSecond)
  expect(taken('other', 'here', 10)).toBe(visitorMessagesPerSecond / 10)
  const all = Array.from({ length: 20 }, (_, i) => taken('one', `elsewhere ${i}`))
  expect(all.reduce((sum, count) => sum + count)).toBe(linkMessagesPerSecond - 2 * visitorMessagesPerSecond)
  vi.advanceTimersByTime(1_000)
  expect(taken('one', 'here')).toBe(visitorMessagesPerSecond)
})
