import { expect, onTestFinished, test, vi } from 'vitest'
import type { LinkVisit } from '../../../server/contract/records/link-visits.ts'
import { ApiError } from '../../api/client-of.ts'
import type { ApiClient } from '../../api/client.ts'
import { OtherWindows } from '../other-windows.ts'
import { LinkVisits } from './link-visits.svelte.ts'

const visit = (id: string, link_id = 'one'): LinkVisit => ({
  id,
  link_id,
  opened_at: '2026-03-01T09:30:00.000Z',
  preview: false,
  device: null,
  name: null,
})

/** The API at its boundary, and what is heard of it. */
function fake() {
  const server = { refusal: null as ApiError | null, visits: [visit('a')], calls: 0 }
  const call = async () => {
    server.calls += 1
    if (server.refusal) throw server.refusal
    return server.visits
  }
  const windows = new OtherWindows('visits test')
  onTestFinished(() => windows.close())
  const api = { call } as unknown as ApiClient
  const visits = new LinkVisits({ api, documentId: 'd1', windows, pollEvery: () => 60_000 })
  return { server, windows, visits }
}

test('visits are told apart by their link', async () => {
  const { server, visits } = fake()
  expect(visits.of('one')).toBeNull()
  server.visits = [visit('b', 'two'), visit('a')]
  await visits.load()
  expect(visits.of('one')!.map(({ id }) => id)).toEqual(['a'])
  expect(visits.of('three')).toEqual([])
})

/** A page that is seen. */
function stubPage() {
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  onTestFinished(() => void vi.unstubAllGlobals())
}

test('while it is watched, what is heard is asked for, and after that nothing', async () => {
  stubPage()
  const { server, windows, visits } = fake()
  const stop = visits.watch()
  await vi.waitFor(() => expect(visits.of('one')).toHaveLength(1))
  server.visits = [visit('b'), visit('a')]
  windows.hear({ visits: 'd2' })
  windows.hear({ document: 'd1' })
  expect(server.calls).toBe(1)
  windows.hear({ visits: 'd1' })
  await vi.waitFor(() => expect(visits.of('one')).toHaveLength(2))
  windows.hear({ everything: true })
  await vi.waitFor(() => expect(server.calls).toBe(3))
  stop()
  windows.hear({ visits: 'd1' })
  expect(server.calls).toBe(3)
})

test('what is known stays when it can’t be asked for, and that is said', async () => {
  const { server, visits } = fake()
  await visits.load()
  server.refusal = new ApiError('OFFLINE', 0, 'no answer')
  await visits.load()
  expect(visits.problem).toContain('load when the links were opened')
  expect(visits.of('one')).toHaveLength(1)
  server.refusal = null
  await visits.load()
  expect(visits.problem).toBeNull()
})
