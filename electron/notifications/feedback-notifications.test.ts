import type { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { FeedbackNews } from '../../server/contract/events.ts'
import { createFeedbackNotifications } from './feedback-notifications.ts'
import type { Preferences } from '../preferences/preferences.ts'

const { shown } = vi.hoisted(() => ({ shown: [] as (EventEmitter & Record<string, unknown>)[] }))
vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events')
  class Notification extends Emitter {
    static isSupported = () => true
    constructor(options: object) {
      super()
      Object.assign(this, options)
    }
    show() {
      shown.push(this as never)
    }
  }
  return { Notification }
})

let how: string | undefined
let lookedAt: string | undefined
const opened: string[] = []
let hear: (feedback: FeedbackNews) => void
beforeEach(() => {
  vi.useFakeTimers()
  shown.length = opened.length = 0
  how = lookedAt = undefined
  ;({ hear } = createFeedbackNotifications({
    preferences: { find: () => how } as unknown as Preferences,
    isLookedAt: (id) => id === lookedAt,
    open: (path) => void opened.push(path),
  }))
})
afterEach(() => void vi.useRealTimers())

const comment: FeedbackNews = {
  documentId: 'd1',
  title: 'On proofs',
  kind: 'comment',
  shownAs: 'comment',
  id: 'c1',
  author: 'Ana',
}

test('what comes at once is said at once, silently unless a sound was chosen', () => {
  hear(comment)
  hear({ ...comment, author: 'Ben' })
  expect(shown).toEqual([])
  vi.advanceTimersByTime(1_000)
  expect(shown).toMatchObject([{ body: '2 new comments from Ana and Ben', silent: true }])
  how = 'on'
  vi.advanceTimersByTime(60_000)
  hear(comment)
  vi.advanceTimersByTime(1_000)
  expect(shown[1]).toMatchObject({ body: 'Ana commented', silent: false })
})

test('a click leads there, also after others have come', () => {
  hear(comment)
  vi.advanceTimersByTime(1_000)
  hear({ ...comment, id: 'c2' })
  vi.advanceTimersByTime(20_000)
  shown[0]!.emit('click')
  expect(opened).toEqual(['/documents/d1#comment-c1'])
})

test('however many come, there is one in twenty seconds, and it counts them all', () => {
  for (let i = 0; i < 120; i++) {
    hear(comment)
    vi.advanceTimersByTime(500)
  }
  vi.advanceTimersByTime(20_000)
  expect(shown.length).toBeLessThanOrEqual(4)
  const counts = shown.map(({ body }) => Number(/^\d+/.exec(String(body))![0]))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(120)
})

test('nothing is said where somebody looks at the document, or came to look meanwhile', () => {
  lookedAt = 'd1'
  hear(comment)
  hear({ ...comment, documentId: 'd2' })
  lookedAt = 'd2'
  vi.advanceTimersByTime(30_000)
  expect(shown).toEqual([])
  hear(comment)
  vi.advanceTimersByTime(30_000)
  expect(shown).toHaveLength(1)
})

test('switched off nothing is said, not even what waited', () => {
  hear(comment)
  how = 'off'
  vi.advanceTimersByTime(30_000)
  hear(comment)
  vi.advanceTimersByTime(30_000)
  expect(shown).toEqual([])
})
