import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { TextLine } from '../api/live.ts'
import type { LiveSaying, LiveText } from '../../server/contract/live.ts'
import type { Updates } from '../../server/contract/records/changes.ts'
import { TextFollower } from './text-follower.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function scene() {
  const said: LiveSaying[] = []
  const received: Updates[] = []
  let other: Parameters<TextLine['followText']>[0] | null = null
  const line = {
    connected: true,
    say: (saying: LiveSaying) => void said.push(saying),
    followText(follower: Parameters<TextLine['followText']>[0]) {
      other = follower
      follower.turn(true)
      return () => (other = null)
    },
    reopen: vi.fn(),
    doubt: vi.fn(),
    revive: vi.fn(),
  }
  const catchUp = vi.fn(() => Promise.resolve())
  const people: unknown[] = []
  const onUnheard = vi.fn()
  const refuses = { now: false }
  const follower = new TextFollower({
    ...{ line, client: 'me', catchUp, onUnheard },
    revision: () => 7,
    receive(updates, isAll) {
      received.push(updates)
      return isAll || !refuses.now
    },
    onPeople: (now) => void people.push(now),
    onCursors: () => {},
  })
  const hear = (message: LiveText) => other!.hear(message)
  const turn = (connected: boolean) => other!.turn(connected)
  const facts = { revision: 8, title: 'T', updated_at: '2026-01-01T00:00:00.000Z' }
  const following = () =>
    hear({ type: 'following', you: 'I', pushes: true, ...facts, revision: 7, updates: [] })
  return { follower, said, received, hear, turn, catchUp, people, facts, following, line, refuses, onUnheard }
}
const update = {
  revision: 8,
  number: 3,
  length: 4,
  hash: 5,
  author: 'Somebody',
  author_kind: null,
  key_name: null,
}
const change = { base: 7, client: 'me', number: 3, changes: [4, [0, '!']] as [number, [number, string]] }

it('asks from the revision that there is, and takes only what bears its own name for its own', () => {
  const { said, received, hear, following, facts } = scene()
  expect(said).toEqual([{ type: 'follow', since: 7, client: 'me' }])
  // What comes before the answer is in it.
  hear({ type: 'updates', ...facts, updates: [{ ...update, by: null, changes: [4] }] })
  expect(received).toEqual([])
  following()
  hear({ type: 'updates', ...facts, updates: [{ ...update, by: null, changes: [4] }] })
  expect(received.at(-1)!.updates).toMatchObject([{ number: null, changes: [4] }])
  hear({ type: 'updates', ...facts, updates: [{ ...update, by: 'they', changes: [4] }] })
  expect(received.at(-1)!.updates).toMatchObject([{ number: null, changes: [4] }])
  hear({ type: 'updates', ...facts, updates: [{ ...update, by: 'I', changes: [4] }] })
  expect(received.at(-1)!.updates).toMatchObject([{ number: 3, changes: null }])
})

it('answers a change when that is told, and has it sent by another way where it isn’t', async () => {
  const { follower, said, hear, turn, following, facts, line } = scene()
  expect(await follower.push(change)).toBeNull()
  following()
  const taken = follower.push(change)
  expect(said.at(-1)).toEqual({ type: 'push', base: 7, number: 3, changes: change.changes })
  hear({ type: 'updates', ...facts, updates: [{ ...update, by: 'I', changes: [4, [0, '!']] }] })
  expect(await taken).toMatchObject({ revision: 8, updates: [] })

  const refused = follower.push({ ...change, number: 4 })
  hear({ type: 'refused', number: 4 })
  expect(await refused).toBeNull()
  const unanswered = follower.push({ ...change, number: 5 })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await unanswered).toBeNull()
  // Nothing that is said over it would be answered.
  expect(line.reopen).toHaveBeenCalledTimes(1)
  const broken = follower.push({ ...change, number: 6 })
  turn(false)
  expect(await broken).toBeNull()
  expect(await follower.push({ ...change, changes: [[0, 'x'.repeat(20_000)]] })).toBeNull()
})

it('brings the text in by another way where nothing leads on, not again and again at once', async () => {
  const { said, hear, catchUp } = scene()
  hear({ type: 'apart' })
  await vi.advanceTimersByTimeAsync(0)
  expect([catchUp.mock.calls.length, said.length]).toEqual([1, 2])
  hear({ type: 'apart' })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(catchUp).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(5_000)
  expect([catchUp.mock.calls.length, said.length]).toEqual([2, 3])
})

it('comes again once the server knows who this is, and tells where its writer is at most ten times a second', async () => {
  const { follower, said, hear, facts, line, following } = scene()
  hear({ type: 'following', you: 'I', pushes: false, ...facts, updates: [] })
  expect(await follower.push(change)).toBeNull()
  follower.pushedElsewhere()
  expect(line.reopen).toHaveBeenCalledTimes(1)
  following()
  follower.pushedElsewhere()
  expect(line.reopen).toHaveBeenCalledTimes(1)
  said.length = 0
  for (let i = 0; i < 20; i++) follower.place(7, { anchor: i, head: i })
  await vi.advanceTimersByTimeAsync(100)
  expect(said).toEqual([{ type: 'cursor', revision: 7, at: { anchor: 19, head: 19 } }])
})

it('names others only, and nobody once the connection is gone', () => {
  const { hear, turn, people, following } = scene()
  following()
  const person = (id: string) => ({ id, name: id, kind: 'guest' as const, isOwner: false, colour: 0 })
  hear({ type: 'people', people: [person('I'), person('they')] })
  expect(people.at(-1)).toEqual([person('they')])
  turn(false)
  expect(people.at(-1)).toEqual([])
})

it('asks for all that was missed where it can’t be taken one by one', () => {
  const { said, received, hear, following, facts, refuses, follower } = scene()
  following()
  refuses.now = true
  hear({ type: 'updates', ...facts, updates: [{ ...update, by: 'they', changes: [4] }] })
  expect(said.at(-1)).toEqual({ type: 'follow', since: 7, client: 'me' })
  expect(follower.isFollowing).toBe(false)
  const before = received.length
  hear({ type: 'updates', ...facts, updates: [{ ...update, by: 'they', changes: [4] }] })
  expect(received).toHaveLength(before)
  following()
  expect(follower.isFollowing).toBe(true)
})

it('says where following isn’t answered, and asks for it less and less', async () => {
  const { follower, said, line, following, onUnheard, turn } = scene()
  await vi.advanceTimersByTimeAsync(4_999)
  expect([follower.isUnheard, onUnheard.mock.calls.length]).toEqual([false, 0])
  await vi.advanceTimersByTimeAsync(1)
  expect([follower.isUnheard, onUnheard.mock.calls.length, line.doubt.mock.calls.length]).toEqual([
    true,
    1,
    1,
  ])
  for (const [i, seconds] of [5, 10, 20, 40, 60, 60].entries()) {
    expect(said).toHaveLength(i + 1)
    await vi.advanceTimersByTimeAsync((seconds + 5) * 1_000)
  }
  expect([said.length, onUnheard.mock.calls.length]).toEqual([7, 1])
  following()
  await vi.advanceTimersByTimeAsync(600_000)
  expect([follower.isUnheard, said.length]).toEqual([false, 7])
  line.connected = false
  turn(false)
  expect(follower.isUnheard).toBe(true)
  line.connected = true
  turn(true)
  expect([follower.isUnheard, said.length]).toEqual([true, 8])
  following()
  expect(follower.isUnheard).toBe(false)
})

it('says so, too, where there is no line for as long', async () => {
  const { follower, turn, line, onUnheard, people, said } = scene()
  line.connected = false
  turn(false)
  await vi.advanceTimersByTimeAsync(600_000)
  expect([follower.isUnheard, line.doubt.mock.calls.length, said.length]).toEqual([true, 0, 1])
  expect(onUnheard).not.toHaveBeenCalled()
  // Of whom calls have told meanwhile isn’t this one’s to take back.
  turn(true)
  expect(people).toEqual([])
})
