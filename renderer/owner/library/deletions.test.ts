import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError, type ApiClient } from '../../api/client.ts'
import { Deletions } from './deletions.svelte.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function scene(error?: ApiError) {
  const sent: object[] = []
  const api = {
    url: () => '',
    call: (_name: string, { params, keepalive }: { params: { id: string }; keepalive: boolean }) => {
      sent.push({ id: params.id, keepalive })
      return error ? Promise.reject(error) : Promise.resolve({ deleted: true })
    },
  } as unknown as ApiClient
  return { deletions: new Deletions(api, 8000), sent }
}

it('deletes only when it can no longer be taken back', async () => {
  const { deletions, sent } = scene()
  deletions.delete('a', () => {})
  expect(deletions.has('a')).toBe(true)
  await vi.advanceTimersByTimeAsync(7999)
  expect(sent).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(sent).toEqual([{ id: 'a', keepalive: false }])
  expect(deletions.undo('a')).toBe(false)
})
it('forgets what was taken back', async () => {
  const { deletions, sent } = scene()
  deletions.delete('a', () => {})
  expect(deletions.undo('a')).toBe(true)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(sent).toEqual([])
  expect(deletions.has('a')).toBe(false)
})
it('sends what is due when the page goes', async () => {
  const { deletions, sent } = scene()
  deletions.delete('a', () => {})
  await Promise.all([deletions.flush(), deletions.flush()])
  expect(sent).toEqual([{ id: 'a', keepalive: true }])
})
it('shows a document again that could not be deleted', async () => {
  const { deletions } = scene(new ApiError('OFFLINE', 0, 'no'))
  const done = vi.fn()
  deletions.delete('a', done)
  await vi.advanceTimersByTimeAsync(8000)
  expect(deletions.has('a')).toBe(false)
  expect(done).toHaveBeenCalledWith(expect.objectContaining({ code: 'OFFLINE' }))
})
it('is content with a document that is gone already', async () => {
  const { deletions } = scene(new ApiError('NOT_FOUND', 404, 'no'))
  const done = vi.fn()
  deletions.delete('a', done)
  await vi.advanceTimersByTimeAsync(8000)
  expect(done).toHaveBeenCalledWith(null)
})
