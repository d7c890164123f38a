import { expect, test } from 'vitest'
import type { Round } from '../../server/contract/records/rounds.ts'
import type { Message } from '../feedback/message.ts'
import { ReviewRound } from './round.svelte.ts'

const round: Round = {
  id: 'r1',
  document_id: 'd1',
  revision: 1,
  name: null,
  note: 'Is it too long?',
  due_at: null,
  created_at: '2026-03-01T09:30:00.000Z',
  ended_at: null,
  finished_at: null,
}

function fake() {
  const server = {
    running: [round] as Round[],
    refusal: null as Error | null,
    calls: [] as string[],
    body: {},
    isAway: false,
  }
  const said: string[] = []
  const waiting: Message[] = []
  const call = async (name: string) => {
    server.calls.push(name)
    if (server.refusal) throw server.refusal
    if (name === 'listRounds') {
      const { running } = server
      await new Promise((resolve) => setTimeout(resolve, 5))
      return running
    }
    return { noted: true }
  }
  const post = async (message: Message) => {
    if (server.refusal) throw server.refusal
    if (message.kind !== 'review') throw new Error(message.kind)
    if (server.isAway) return { kind: 'kept', entry: void waiting.push(message) } as never
    server.body = message.body
    const finished_at = message.body.finished ? '2026-03-02T09:30:00.000Z' : null
    server.running = server.running.map((one) => ({ ...one, finished_at }))
    return { kind: 'sent' as const, record: null }
  }
  const review = new ReviewRound({
    api: { call } as never,
    documentId: 'd1',
    guest: { signature: { author_name: 'Ada' } },
    notices: { fail: (_error, doing) => void said.push(doing) },
    outbox: { post, mutationsOn: () => waiting.map((one) => ({ ...one, state: 'waiting' })) as never },
  })
  return { server, review, said }
}

test('who is done says so under their name, and takes it back', async () => {
  const { server, review } = fake()
  await review.load()
  expect(review.done).toBe(false)
  await review.finish(true)
  expect(review.done).toBe(true)
  expect(server.body).toEqual({ finished: true, author_name: 'Ada' })
  await review.finish(false)
  expect(review.done).toBe(false)
})

test('a look that was begun before somebody said that they are done doesn’t take that back', async () => {
  const { server, review } = fake()
  await review.load()
  const look = review.load()
  server.running = [{ ...round, finished_at: '2026-03-02T09:30:00.000Z' }]
  await Promise.all([review.finish(true), look])
  expect(review.done).toBe(true)
})

test('one that ends while the page is open is told as ended, whoever finds out first', async () => {
  const { server, review } = fake()
  await review.load()
  server.running = []
  await review.load([{ type: 'changed', document_id: 'd1', what: 'rounds' }])
  expect([review.current, review.hasEnded]).toEqual([null, true])
  server.running = [round]
  await review.load()
  expect(review.hasEnded).toBe(false)
  server.running = []
  await review.finish(true)
  expect([review.current, review.hasEnded]).toEqual([null, true])
})

test('what can’t be said is told, and nothing is shown as done', async () => {
  const { server, review, said } = fake()
  await review.load()
  server.refusal = new Error('away')
  await review.finish(true)
  expect([review.done, review.busy, said]).toEqual([false, false, ['say that you are done']])
})

test('reading to the end is told once in a round, and only where one runs', async () => {
  const { server, review } = fake()
  await review.noteRead()
  expect(server.calls).toEqual([])
  await review.load()
  await review.noteRead()
  await review.noteRead()
  expect(server.calls).toEqual(['listRounds', 'noteRead'])
})

test('news of anything else ask for nothing', async () => {
  const { server, review } = fake()
  await review.load([])
  await review.load([{ type: 'changed', document_id: 'd1', what: 'comments' }])
  expect(server.calls).toEqual(['listRounds'])
})

test('while nobody can be reached it waits, and shows as done', async () => {
  const { server, review, said } = fake()
  await review.load()
  server.isAway = true
  await review.finish(true)
  expect([review.kept, review.done, review.busy, said]).toEqual([true, true, false, []])
})
