import { expect, it } from 'vitest'
import { RecentLimits } from './recent-limits.ts'
import type { Job } from './worker-messages.ts'

const page = (source: string): Job => ({ kind: 'render', source })
const marks = (source: string, end: number): Job => ({
  kind: 'renderedRanges',
  source,
  ranges: [{ start: 0, end }],
})

it('a refused text is known for five minutes, and no other is', () => {
  let now = 0
  const recent = new RecentLimits(() => now)
  recent.add(page('one'), 'time')
  recent.add(page('three'), 'size')
  const found = () => ['one', 'two', 'three'].map((text) => recent.find(page(text)))
  expect(found()).toEqual(['time', null, 'size'])
  now = 5 * 60_000 + 1
  expect(found()).toEqual([null, null, null])
})

it('what was given up for one job says nothing of another about the same text', () => {
  const recent = new RecentLimits(() => 0)
  recent.add(marks('one', 3), 'time')
  expect(recent.find(marks('one', 3))).toBe('time')
  expect([recent.find(page('one')), recent.find(marks('one', 2))]).toEqual([null, null])
  expect(recent.find({ kind: 'sourceRange', source: 'one', from: point, to: point })).toBeNull()
})

it('only the latest refused texts are known', () => {
  const recent = new RecentLimits(() => 0)
  for (let n = 0; n < 300; n++) recent.add(page(`text ${n}`), 'depth')
  expect([recent.find(page('text 0')), recent.find(page('text 299'))]).toEqual([null, 'depth'])
})

const point = { block: 0, char: 0 }
