import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FairQueue, type Queued } from './fair-queue.ts'

interface Job extends Queued {
  name: string
}
const job = (document: string, member: string, { guest = true, size = 1, name = '' } = {}): Job => ({
  turn: { document, member, guest },
  size,
  name,
})
const spacious = { perMember: 1_000, inAll: 10_000 }

/** Does every job that waits, each for as long; the documents and members in the order in which they came to it. */
function drain(queue: FairQueue<Job>, ms: (job: Job) => number = () => 10) {
  const done: Job[] = []
  for (let next = queue.take(true); next; next = queue.take(true)) {
    done.push(next)
    queue.ended(next.turn, ms(next))
  }
  return done
}

it('documents take turns, and so do the links of each', () => {
  const queue = new FairQueue<Job>(() => 0, spacious)
  for (let n = 0; n < 4; n++) queue.add(job('one', 'a'))
  for (let n = 0; n < 4; n++) queue.add(job('one', 'b'))
  queue.add(job('two', 'c'))
  queue.add(job('two', 'c'))
  expect(drain(queue).map(({ turn }) => turn.document + turn.member)).toEqual([
    ...['onea', 'twoc', 'oneb', 'twoc'],
    ...['onea', 'oneb', 'onea', 'oneb', 'onea', 'oneb'],
  ])
})

it('whoever used much time lately waits behind whoever comes, and is forgiven after a while', () => {
  let now = 0
  const queue = new FairQueue<Job>(() => now, spacious)
  const order = () => {
    queue.add(job('greedy', 'a'))
    queue.add(job('modest', 'b'))
    return drain(queue, () => 0).map(({ turn }) => turn.document)
  }
  queue.ended({ document: 'greedy', member: 'a', guest: true }, 5_000)
  expect(queue.isSlow('greedy')).toBe(true)
  expect(order()).toEqual(['modest', 'greedy'])
  now += 10 * 60_000
  expect(queue.isSlow('greedy')).toBe(false)
  expect(order()).toEqual(['greedy', 'modest'])
})

it('no slow document takes the place that is kept for others', () => {
  const queue = new FairQueue<Job>(() => 0, spacious)
  queue.ended({ document: 'slow', member: 'a', guest: true }, 5_000)
  queue.add(job('slow', 'a'))
  expect(queue.take(false)).toBeUndefined()
  queue.add(job('quick', 'b'))
  expect(queue.take(false)?.turn.document).toBe('quick')
  expect(queue.take(true)?.turn.document).toBe('slow')
})

it('a document has one job done at a time', () => {
  const queue = new FairQueue<Job>(() => 0, spacious)
  queue.add(job('one', 'a'))
  queue.add(job('one', 'b'))
  const first = queue.take(true)!
  expect(queue.take(true)).toBeUndefined()
  queue.ended(first.turn, 1)
  expect(queue.take(true)?.turn.member).toBe('b')
})

it('refuses a guest who has too much waiting, and never the owner', () => {
  const queue = new FairQueue<Job>(() => 0, { perMember: 3, sizePerMember: 10 })
  const add = (one: Job) => queue.add(one).length === 0
  expect([1, 2, 3, 4].map(() => add(job('one', 'a')))).toEqual([true, true, true, false])
  expect(add(job('one', 'b', { size: 50 }))).toBe(true)
  expect(add(job('one', 'b'))).toBe(false)
  for (let n = 0; n < 100; n++) expect(add(job('one', 'owner', { guest: false, size: 50 }))).toBe(true)
})

it('when all have too much waiting, makes room at the cost of the one who has most', () => {
  const queue = new FairQueue<Job>(() => 0, { inAll: 4 })
  for (const name of ['a1', 'a2', 'a3', 'a4']) queue.add(job('one', 'a', { name }))
  expect(queue.add(job('two', 'b', { name: 'b1' })).map(({ name }) => name)).toEqual(['a4'])
  expect(queue.add(job('one', 'a', { name: 'a5' })).map(({ name }) => name)).toEqual(['a5'])
})

it('makes as much room as is needed, however small the latest jobs are', () => {
  const queue = new FairQueue<Job>(() => 0, { sizeInAll: 100 })
  for (const size of [90, 10, 0]) queue.add(job('one', 'a', { size, name: String(size) }))
  expect(queue.add(job('two', 'b', { size: 10 })).map(({ name }) => name)).toEqual(['0', '10'])
})

const jobs = fc.array(
  fc.record({
    document: fc.constantFrom('one', 'two', 'three'),
    member: fc.constantFrom('a', 'b', 'owner'),
    size: fc.nat(40),
    name: fc.string(),
  }),
  { maxLength: 80 },
)
const bounds = { perMember: 8, inAll: 20, sizePerMember: 100, sizeInAll: 200 }

it('loses no job: each is refused, or done once', () => {
  fc.assert(
    fc.property(jobs, (list) => {
      const queue = new FairQueue<Job>(() => 0, bounds)
      const all = list.map(({ document, member, ...rest }) =>
        job(document, member, { ...rest, guest: member !== 'owner' }),
      )
      const refused = all.flatMap((one) => queue.add(one))
      const waiting = [...queue.guestsJobs()]
      expect(waiting.length).toBeLessThanOrEqual(bounds.inAll)
      expect(waiting.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(bounds.sizeInAll)
      expect(refused.every(({ turn }) => turn.guest)).toBe(true)
      const ended = [...refused, ...drain(queue)]
      expect(ended).toHaveLength(all.length)
      expect(new Set(ended)).toEqual(new Set(all))
    }),
  )
})

it('is even: while several documents wait, none gets two turns more than another', () => {
  fc.assert(
    fc.property(jobs, (list) => {
      const queue = new FairQueue<Job>(() => 0, spacious)
      const left = new Map<string, number>()
      for (const { document, member } of list) {
        queue.add(job(document, member))
        left.set(document, (left.get(document) ?? 0) + 1)
      }
      const turns = new Map([...left.keys()].map((document) => [document, 0]))
      for (const { turn } of drain(queue)) {
        turns.set(turn.document, turns.get(turn.document)! + 1)
        left.set(turn.document, left.get(turn.document)! - 1)
        const still = [...turns].filter(([document]) => left.get(document)! > 0).map(([, count]) => count)
        if (still.length > 0) expect(Math.max(...still) - Math.min(...still)).toBeLessThanOrEqual(1)
      }
    }),
  )
})
