import { expect, onTestFinished, test, vi } from 'vitest'
import type { LinkOpening } from '../../../server/contract/records.ts'
import { ApiError } from '../../api/caller.ts'
import type { ApiClient } from '../../api/client.ts'
import { OtherWindows } from '../other-windows.ts'
import { LinkOpenings } from './link-openings.svelte.ts'

const opening = (id: string, link_id = 'one'): LinkOpening => ({
  id,
  link_id,
  opened_at: '2026-03-01T09:30:00.000Z',
  preview: false,
  device: null,
  name: null,
})

/** The API at its boundary, and what is heard of it. */
function fake() {
  const server = { refusal: null as ApiError | null, openings: [opening('a')], calls: 0 }
  const call = async () => {
    server.calls += 1
    if (server.refusal) throw server.refusal
    return server.openings
  }
  const windows = new OtherWindows('openings test')
  onTestFinished(() => windows.close())
  const api = { call } as unknown as ApiClient
  const openings = new LinkOpenings({ api, documentId: 'd1', windows, pollEvery: () => 60_000 })
  return { server, windows, openings }
}

test('openings are told apart by their link', async () => {
  const { server, openings } = fake()
  expect(openings.of('one')).toBeNull()
  server.openings = [opening('b', 'two'), opening('a')]
  await openings.load()
  expect(openings.of('one')!.map(({ id }) => id)).toEqual(['a'])
  expect(openings.of('three')).toEqual([])
})

test('while it is watched, what is heard is asked for, and after that nothing', async () => {
  const { server, windows, openings } = fake()
  const stop = openings.watch()
  await vi.waitFor(() => expect(openings.of('one')).toHaveLength(1))
  server.openings = [opening('b'), opening('a')]
  windows.hear({ openings: 'd2' })
  windows.hear({ document: 'd1' })
  expect(server.calls).toBe(1)
  windows.hear({ openings: 'd1' })
  await vi.waitFor(() => expect(openings.of('one')).toHaveLength(2))
  windows.hear({ everything: true })
  expect(server.calls).toBe(3)
  stop()
  windows.hear({ openings: 'd1' })
  expect(server.calls).toBe(3)
})

test('what is known stays when it can’t be asked for, and that is said', async () => {
  const { server, openings } = fake()
  await openings.load()
  server.refusal = new ApiError('OFFLINE', 0, 'no answer')
  await openings.load()
  expect(openings.problem).toContain('load when the links were opened')
  expect(openings.of('one')).toHaveLength(1)
  server.refusal = null
  await openings.load()
  expect(openings.problem).toBeNull()
})
