import { expect, onTestFinished, test } from 'vitest'
import type { Round } from '../../../server/contract/records/rounds.ts'
import type { ApiClient } from '../../api/client.ts'
import { OtherWindows } from '../other-windows.ts'
import { Rounds } from './rounds.svelte.ts'

const round = (id: string, ended_at: string | null = null): Round => ({
  ...{ id, document_id: 'd1', revision: 1, name: null, note: null, due_at: null, ended_at, links: [] },
  created_at: '2026-03-01T09:30:00.000Z',
})

function fake() {
  const seen: unknown[] = []
  const server = { list: [round('b'), round('a', '2026-03-01T09:00:00.000Z')], fails: false, calls: 0 }
  const call = async (name: string, { body }: { body?: { ended?: boolean; reviews?: string } }) => {
    server.calls += 1
    if (server.fails) throw new Error('away')
    if (name === 'listRounds') return server.list
    if (name === 'markFeedbackSeen') return void seen.push(body)
    return round('b', body?.ended ? '2026-03-02T09:30:00.000Z' : null)
  }
  const windows = new OtherWindows('rounds test')
  onTestFinished(() => windows.close())
  const api = { call } as unknown as ApiClient
  return { seen, server, rounds: new Rounds({ api, documentId: 'd1', windows, pollEvery: () => 60_000 }) }
}

test('the one that runs is shown; ended it is gone, until that is taken back', async () => {
  const { rounds } = fake()
  await rounds.load()
  const running = rounds.current!
  expect(running.id).toBe('b')
  expect(await rounds.end(running)).toBe(true)
  expect(rounds.current).toBeNull()
  expect(await rounds.reopen(running)).toBe(true)
  expect(rounds.current?.id).toBe('b')
})

test('what fails says so and leaves the round as it was', async () => {
  const { server, rounds } = fake()
  await rounds.load()
  server.fails = true
  expect(await rounds.end(rounds.current!)).toBe(false)
  expect(rounds.current?.id).toBe('b')
  expect(rounds.failure).toContain('end the round')
})

test('who is done is said to be seen, once', async () => {
  const { server, rounds, seen } = fake()
  const finished_at = '2026-03-02T10:00:00.000Z'
  const link = { link_id: 'l', label: null, opened_at: null, read_at: null }
  server.list = [{ ...round('b'), links: [{ ...link, finished: [{ name: 'Ada', finished_at }] }] }]
  await rounds.load()
  await rounds.load()
  expect(seen).toEqual([{ reviews: finished_at }])
})
